/**
 * Implements `legion complete SHELL -- WORDS` for the completion scripts: prints the candidates for
 * the last word, one per line.
 */
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { sanitizeLine } from '../present/terminal.ts';
import { type CommandContext, type CommandGroup, createHelpOption } from '../program/define-command.ts';
import { findCommand } from '../program/dispatch.ts';
import { FILES_LINE } from './scripts.ts';
import { type CompletionTarget, readTypedLine } from './typed-line.ts';
import type { CompletionCandidate, CompletionCandidates } from './values.ts';

/**
 * `args` are the words after `legion complete`. They belong to the command line that is being
 * completed, so none of them is an option of `complete`.
 */
export async function printCandidates(
  root: CommandGroup,
  [shell, , ...words]: readonly string[],
  context: CommandContext,
): Promise<void> {
  const candidates = await findCandidates(root, words.length === 0 ? [''] : words, context);
  const lines = candidates === 'files' ? [FILES_LINE] : candidates.map(toLine);
  // For bash, only the part after the equals sign is printed, because bash completes only that
  // part.
  const own = shell === 'bash' ? lines.map((line) => line.replace(/^--[\w-]+=/, '')) : lines;
  context.stdout.write(own.map((line) => `${line}\n`).join(''));
}

/** `words` are the words after `legion`. The last one is being typed and may be empty. */
async function findCandidates(
  root: CommandGroup,
  words: readonly string[],
  context: CommandContext,
): Promise<CompletionCandidates> {
  const isHelp = words.length > 1 && words[0] === 'help';
  const previousWords = words.slice(isHelp ? 1 : 0, -1);
  const typed = words.at(-1) ?? '';
  const { path, node, args } = await findCommand(['legion'], root, previousWords);
  if ('members' in node)
    return args.length > 0 ? [] : filterByPrefix(typed, listMembers(node, path.length === 1));
  if (isHelp) return [];
  const command = node.build().addHelpOption(createHelpOption());
  const line = readTypedLine(command, [...args, typed]);
  if (line.target === undefined) return [];
  if (line.target.kind === 'option') return filterByPrefix(typed, listOptions(command, line.target.used));
  const { listValues } = await import('./values.ts');
  const { placeholder, prefix, lead } = line.target;
  const values = await listValues(placeholder, path.at(-1) ?? '', line, context);
  if (values === 'files') return values;
  return filterByPrefix(prefix, values).map(({ word, description }) => ({ word: lead + word, description }));
}

function listMembers({ members }: CommandGroup, isRoot: boolean): CompletionCandidate[] {
  const own = Object.entries(members)
    .filter(([, { hidden }]) => hidden !== true)
    .map(([word, { summary }]) => ({ word, description: summary }));
  return isRoot ? [...own, { word: 'help', description: 'Show the help of a command' }] : own;
}

function listOptions(
  command: CommandUnknownOpts,
  used: Extract<CompletionTarget, { kind: 'option' }>['used'],
): CompletionCandidate[] {
  const help = createHelpOption();
  return [...command.options, help].flatMap((option) => {
    const { long, hidden, description, parseArg } = option;
    // An option that was already used is offered again only if it collects several values.
    const isUsedUp = used.has(option) && parseArg === undefined;
    return long === undefined || hidden || isUsedUp ? [] : [{ word: long, description }];
  });
}

/** Ignores case, because commands also ignore the case of ids. */
function filterByPrefix(
  prefix: string,
  candidates: readonly CompletionCandidate[],
): readonly CompletionCandidate[] {
  const start = prefix.toLowerCase();
  return candidates.filter(({ word }) => word.toLowerCase().startsWith(start));
}

function toLine({ word, description }: CompletionCandidate): string {
  return description === undefined ? word : `${word}\t${sanitizeLine(description)}`;
}
