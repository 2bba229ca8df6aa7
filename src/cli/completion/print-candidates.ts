/** `legion complete SHELL -- WORDS`, for the completion scripts: prints what can complete the last word, one candidate a line. */
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { CommandContext, CommandGroup } from '../command.ts';
import { safeLine } from '../present/safe.ts';
import { findCommand } from '../program/dispatch.ts';
import { newHelpOption } from '../program/options.ts';
import { FILES_LINE } from './scripts.ts';
import { readTypedLine, type Wanted } from './typed-line.ts';
import type { Candidate, Candidates } from './values.ts';

/** `args` follow `legion complete`; nothing in them is an option of this command. */
export async function printCandidates(
  root: CommandGroup,
  [shell, , ...words]: readonly string[],
  context: CommandContext,
): Promise<void> {
  const candidates = await findCandidates(root, words.length === 0 ? [''] : words, context);
  const lines = candidates === 'files' ? [FILES_LINE] : candidates.map(toLine);
  // Bash completes only the part behind the equal sign.
  const own = shell === 'bash' ? lines.map((line) => line.replace(/^--[\w-]+=/, '')) : lines;
  context.stdout.write(own.map((line) => `${line}\n`).join(''));
}

function toLine({ word, description }: Candidate): string {
  return description === undefined ? word : `${word}\t${safeLine(description)}`;
}

/** `words` follow `legion`; the last of them is the word that is being typed, perhaps still empty. */
async function findCandidates(
  root: CommandGroup,
  words: readonly string[],
  context: CommandContext,
): Promise<Candidates> {
  const isHelp = words.length > 1 && words[0] === 'help';
  const given = words.slice(isHelp ? 1 : 0, -1);
  const typed = words.at(-1) ?? '';
  const { path, node, args } = await findCommand(['legion'], root, given);
  if ('members' in node)
    return args.length > 0 ? [] : startingWith(typed, listMembers(node, path.length === 1));
  if (isHelp) return [];
  const command = node.build().addHelpOption(newHelpOption());
  const line = readTypedLine(command, [...args, typed]);
  if (line.wanted === undefined) return [];
  if (line.wanted.kind === 'option') return startingWith(typed, listOptions(command, line.wanted.used));
  const { listValues } = await import('./values.ts');
  const { placeholder, prefix, lead } = line.wanted;
  const values = await listValues(placeholder, path.at(-1) ?? '', line, context);
  if (values === 'files') return values;
  return startingWith(prefix, values).map(({ word, description }) => ({ word: lead + word, description }));
}

function listMembers({ members }: CommandGroup, isRoot: boolean): Candidate[] {
  const own = Object.entries(members)
    .filter(([, { hidden }]) => hidden !== true)
    .map(([word, { summary }]) => ({ word, description: summary }));
  return isRoot ? [...own, { word: 'help', description: 'Show the help of a command' }] : own;
}

function listOptions(
  command: CommandUnknownOpts,
  used: Extract<Wanted, { kind: 'option' }>['used'],
): Candidate[] {
  const help = newHelpOption();
  return [...command.options, help].flatMap((option) => {
    const { long, hidden, description, parseArg } = option;
    // Only an option that collects its values may be given again.
    const isUsedUp = used.has(option) && parseArg === undefined;
    return long === undefined || hidden || isUsedUp ? [] : [{ word: long, description }];
  });
}

/** Ids are found in any case, as commands accept them. */
function startingWith(prefix: string, candidates: readonly Candidate[]): readonly Candidate[] {
  const start = prefix.toLowerCase();
  return candidates.filter(({ word }) => word.toLowerCase().startsWith(start));
}
