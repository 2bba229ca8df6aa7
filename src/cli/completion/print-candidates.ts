/** `legion complete SHELL -- WORDS`, for the completion scripts: prints what can complete the last word, one candidate a line. */
import type { CommandContext, CommandGroup } from '../command.ts';
import { safeLine } from '../present/safe.ts';
import { findCandidates } from './find-candidates.ts';
import { FILES_LINE } from './scripts.ts';
import type { Candidate } from './values.ts';

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
