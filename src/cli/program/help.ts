/** Lays out the help of commands and groups. */
import { styleText } from 'node:util';
import { type CommandUnknownOpts, Help, type HelpConfiguration } from '@commander-js/extra-typings';
import type { CommandContext } from './define-command.ts';

/** Used if the output is not a terminal. */
const DEFAULT_COLUMNS = 80;

/** Longer lines are hard to read, however wide the terminal is. */
const MAX_COLUMNS = 120;

/**
 * A longer option gets its own line, so that the description column stays wide enough for the
 * others.
 */
const MAX_TERM_COLUMNS = 24;

/** If less width than this is left next to the term, the description goes below the term. */
const MIN_DESCRIPTION_COLUMNS = 32;

/** Below this width, wrapped text is harder to read than lines that the terminal breaks. */
const MIN_WRAP_COLUMNS = 20;

const INDENT = '  ';

const GAP = '  ';

const INDENT_BELOW = '      ';

const HELP_LAYOUT: HelpConfiguration = {
  commandUsage: renderUsage,
  // Shows no options for a group, because a group has none worth listing.
  visibleOptions: (command) => (command.commands.length > 0 ? [] : new Help().visibleOptions(command)),
  subcommandTerm: (command) => command.name(),
  optionTerm: ({ flags }) => flags.replace(/[<>]/g, ''),
  // Descriptions already mention the defaults that matter.
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
    const descriptionColumn = INDENT.length + termWidth + GAP.length;
    if (helpWidth - descriptionColumn < MIN_DESCRIPTION_COLUMNS) {
      const wrappedBelow = helper.boxWrap(description, helpWidth - INDENT_BELOW.length);
      return `${INDENT}${term}\n${INDENT_BELOW}${wrappedBelow.replaceAll('\n', `\n${INDENT_BELOW}`)}`;
    }
    const indent = ' '.repeat(descriptionColumn);
    const wrapped = helper
      .boxWrap(description, helpWidth - descriptionColumn)
      .replaceAll('\n', `\n${indent}`);
    return helper.displayWidth(term) > termWidth
      ? `${INDENT}${term}\n${indent}${wrapped}`
      : `${INDENT}${term.padEnd(termWidth)}${GAP}${wrapped}`;
  },
};

/** Lays out help: headings, and items with their descriptions next to or below them. */
export function configureHelp(command: CommandUnknownOpts, { stdout }: Pick<CommandContext, 'stdout'>): void {
  command.configureHelp(HELP_LAYOUT).configureOutput({
    getOutHelpWidth: () => Math.min(MAX_COLUMNS, stdout.columns ?? DEFAULT_COLUMNS),
    // Always true, because `styleText` already omits colours if they are disabled.
    getOutHasColors: () => true,
  });
}

/** Returns text such as `legion issue add TITLE... [options]`. */
function renderUsage(command: CommandUnknownOpts): string {
  const positionals = command.registeredArguments.map((argument) => {
    const name = argument.name() + (argument.variadic ? '...' : '');
    return argument.required ? name : `[${name}]`;
  });
  const rest = command.commands.length > 0 ? ['COMMAND'] : [...positionals, '[options]'];
  return [joinCommandPath(command), ...rest].join(' ');
}

/** Returns text such as `legion issue add`. */
function joinCommandPath(command: CommandUnknownOpts): string {
  return command.parent === null ? command.name() : `${joinCommandPath(command.parent)} ${command.name()}`;
}
