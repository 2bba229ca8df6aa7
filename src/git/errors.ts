/** Turns git's own words into faults of the catalogue, without the secrets a URL may carry. */

import { type FaultCode, LegionError } from '../core/model/fault.ts';
import { redactTokens } from '../lib/text/redact.ts';

/** A few lines of git say it all; a hook or a filter may print pages. */
const SHOWN_MAX_CHARS = 600;

const NOT_A_REPOSITORY = 'workspace.not_a_repository';

/** Git is run with LC_ALL=C, so its words are the same everywhere. */
const BY_WORDS: readonly (readonly [RegExp, FaultCode])[] = [
  [/not a git repository/i, NOT_A_REPOSITORY],
  [/dubious ownership/, 'git.not_owned'],
  [/\.lock': File exists/, 'git.locked'],
  [/No space left on device|Disk quota exceeded/, 'workspace.full'],
];

/** How git says that it does not know an option. */
const USAGE_STATUS = 129;

export function gitFault(args: readonly string[], status: number | string, complaint: string): LegionError {
  const verb = verbIn(args);
  const words = complaint.trim();
  const said = words === '' ? 'without a word' : `saying: ${printable(withoutSecrets(words))}`;
  return new LegionError(codeOf(verb, status, words), `git ${verb} ended with ${status}, ${said}`);
}

/** Git ran in the folder and refused it: it is no repository, or not in a state that the question fits. */
export function isRefusal({ code }: LegionError): boolean {
  return code === 'git.failed' || code === NOT_A_REPOSITORY;
}

/** The command behind the options that say where and how it is run. */
export function verbIn(args: readonly string[]): string {
  return args.find((arg, index) => !arg.startsWith('-') && args[index - 1] !== '-c') ?? '';
}

function codeOf(verb: string, status: number | string, words: string): FaultCode {
  // The only command we use that a git in use may be too old for.
  if (verb === 'merge-tree' && (status === USAGE_STATUS || /unknown option|usage:/.test(words)))
    return 'git.too_old';
  return BY_WORDS.find(([pattern]) => pattern.test(words))?.[1] ?? 'git.failed';
}

/** A user name in a URL may be a token as well as a password may; over-eager on purpose. */
function withoutSecrets(text: string): string {
  return redactTokens(text.replace(/(\/\/)[^\s'"]*@/g, '$1***@'));
}

/** On one line and without control characters: file names and messages of strangers are among git's words. */
export function printable(text: string, most = SHOWN_MAX_CHARS): string {
  const line = text.replace(/\s*\n\s*/g, ' | ');
  const cut = line.length > most ? `${line.slice(0, most)}…` : line;
  return cut.replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, (char) => `\\u{${char.codePointAt(0)?.toString(16)}}`);
}
