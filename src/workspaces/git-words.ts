/** Turns git's own words into faults of the catalogue, without the secrets a URL may carry. */
import { type FaultCode, LegionError } from '../domain/fault.ts';

/** A few lines of git say it all; a hook or a filter may print pages. */
const SHOWN_MAX_CHARS = 600;

/** Git is run with LC_ALL=C, so its words are the same everywhere. */
const BY_WORDS: readonly (readonly [RegExp, FaultCode])[] = [
  [/not a git repository/i, 'workspace.not_a_repository'],
  [/dubious ownership/, 'git.not_owned'],
  [/\.lock': File exists/, 'git.locked'],
  [/No space left on device|Disk quota exceeded/, 'workspace.full'],
];

export function gitFault(args: readonly string[], status: number | string, complaint: string): LegionError {
  const words = complaint.trim();
  const code = BY_WORDS.find(([pattern]) => pattern.test(words))?.[1] ?? 'git.failed';
  const said = words === '' ? 'without a word' : `saying: ${printable(withoutSecrets(words))}`;
  return new LegionError(code, `git ${args[0]} ended with ${status}, ${said}`);
}

/** A user name in a URL may be a token as well as a password may; over-eager on purpose. */
function withoutSecrets(text: string): string {
  return text
    .replace(/(\/\/)[^\s'"]*@/g, '$1***@')
    .replace(/(?:gh[a-z]_|github_pat_|glpat-)[\w-]{8,}/g, '***');
}

/** On one line and without control characters: file names and messages of strangers are among git's words. */
export function printable(text: string, most = SHOWN_MAX_CHARS): string {
  const line = text.replace(/\s*\n\s*/g, ' | ');
  const cut = line.length > most ? `${line.slice(0, most)}…` : line;
  return cut.replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, (char) => `\\u{${char.codePointAt(0)?.toString(16)}}`);
}
