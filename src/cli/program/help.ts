/** The layout of help: its headings, and items with their descriptions next to or below them. */
import { styleText } from 'node:util';
import { type CommandUnknownOpts, Help, type HelpConfiguration } from '@commander-js/extra-typings';
import type { CommandContext } from '../command.ts';

/** Where the output is not a terminal. */
const DEFAULT_COLUMNS = 80;
/** Longer lines are hard to read, however wide the terminal is. */
const MAX_COLUMNS = 120;
/** A longer option stands on a line of its own, so that the other descriptions keep their room. */
const MAX_TERM_COLUMNS = 24;
/** With less room next to the term, descriptions stand below it. */
const MIN_DESCRIPTION_COLUMNS = 32;
/** Narrower text is harder to read than lines that the terminal breaks. */
const MIN_WRAP_COLUMNS = 20;
const INDENT = '  ';
const GAP = '  ';
const INDENT_BELOW = '      ';

const HELP_LAYOUT: HelpConfiguration = {
  commandUsage: usageOf,
  // A group has no options of its own worth listing.
  visibleOptions: (command) => (command.commands.length > 0 ? [] : new Help().visibleOptions(command)),
  subcommandTerm: (command) => command.name(),
  optionTerm: ({ flags }) => flags.replace(/[<>]/g, ''),
  // Descriptions name the defaults that matter.
  optionDescription: ({ description }) => description,
  minWidthToWrap: MIN_WRAP_COLUMNS,
  styleTitle: (title) => styleText('bold', title),
  padWidth: (command, helper) =>
    Math.min(
      MAX_TERM_COLUMNS,
      Math.max(
        helper.longestOptionTermLength(command, helper),
        helper.longestSubcommandTermLength(command, helper),
        helper.longestArgumentTermLength(command, helper),
      ),
    ),
  formatItem: (term, termWidth, description, helper) => {
    const { helpWidth = DEFAULT_COLUMNS } = helper;
    if (description === '') return `${INDENT}${term}`;
    const beside = INDENT.length + termWidth + GAP.length;
    if (helpWidth - beside < MIN_DESCRIPTION_COLUMNS) {
      const below = helper.boxWrap(description, helpWidth - INDENT_BELOW.length);
      return `${INDENT}${term}\n${INDENT_BELOW}${below.replaceAll('\n', `\n${INDENT_BELOW}`)}`;
    }
    const indent = ' '.repeat(beside);
    const wrapped = helper.boxWrap(description, helpWidth - beside).replaceAll('\n', `\n${indent}`);
    return helper.displayWidth(term) > termWidth
      ? `${INDENT}${term}\n${indent}${wrapped}`
      : `${INDENT}${term.padEnd(termWidth)}${GAP}${wrapped}`;
  },
};

export function configureHelp(command: CommandUnknownOpts, { stdout }: Pick<CommandContext, 'stdout'>): void {
  command.configureHelp(HELP_LAYOUT).configureOutput({
    getOutHelpWidth: () => Math.min(MAX_COLUMNS, stdout.columns ?? DEFAULT_COLUMNS),
    // `styleText` has left colours out already where there must be none.
    getOutHasColors: () => true,
  });
}

/** `legion issue add TITLE... [options]` */
function usageOf(command: CommandUnknownOpts): string {
  const positionals = command.registeredArguments.map((argument) => {
    const name = argument.name() + (argument.variadic ? '...' : '');
    return argument.required ? name : `[${name}]`;
  });
  const rest = command.commands.length > 0 ? ['COMMAND'] : [...positionals, '[options]'];
  return [pathOf(command), ...rest].join(' ');
}

/** `legion issue add` */
function pathOf(command: CommandUnknownOpts): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}
