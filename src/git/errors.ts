/** Converts git's error text into faults, without the secrets that a URL may carry. */

import { type FaultCode, LegionError } from '../core/model/fault.ts';
import { redactTokens } from '../lib/text/redact.ts';

/** A few lines of git's output suffice. A hook or a filter may print pages. */
const MAX_SHOWN_CHARACTERS = 600;

const NOT_A_REPOSITORY = 'workspace.not_a_repository';

/** git runs with LC_ALL=C, so its messages are the same everywhere. */
const FAULTS_BY_MESSAGE: readonly (readonly [RegExp, FaultCode])[] = [
  [/not a git repository/i, NOT_A_REPOSITORY],
  [/dubious ownership/, 'git.not_owned'],
  [/\.lock': File exists/, 'git.locked'],
  [/No space left on device|Disk quota exceeded/, 'workspace.full'],
];

/** git's exit status for an unknown option. */
const USAGE_STATUS = 129;

export function createGitFault(
  args: readonly string[],
  status: number | string,
  stderr: string,
): LegionError {
  const verb = findGitCommand(args);
  const text = stderr.trim();
  const detail = text === '' ? ' without an error message' : `: ${toPrintableLine(redactSecrets(text))}`;
  return new LegionError(toFaultCode(verb, status, text), `git ${verb} ended with ${status}${detail}`);
}

/**
 * Returns whether git ran and rejected the folder: it is not a repository, or it is in an
 * unsuitable state.
 */
export function isRefusal({ code }: LegionError): boolean {
  return code === 'git.failed' || code === NOT_A_REPOSITORY;
}

/** Returns the command after git's global options. */
export function findGitCommand(args: readonly string[]): string {
  return args.find((arg, index) => !arg.startsWith('-') && args[index - 1] !== '-c') ?? '';
}

function toFaultCode(verb: string, status: number | string, text: string): FaultCode {
  // The only command that requires a newer git than some machines have.
  if (verb === 'merge-tree' && (status === USAGE_STATUS || /unknown option|usage:/.test(text)))
    return 'git.too_old';
  return FAULTS_BY_MESSAGE.find(([pattern]) => pattern.test(text))?.[1] ?? 'git.failed';
}

/**
 * Hides everything before an @ in a URL, because a user name may be a token. Deliberately greedy.
 */
function redactSecrets(text: string): string {
  return redactTokens(text.replace(/(\/\/)[^\s'"]*@/g, '$1***@'));
}

/**
 * Formats git's text on one line without control characters, because it contains file names and
 * messages from strangers.
 */
export function toPrintableLine(text: string, maxLength = MAX_SHOWN_CHARACTERS): string {
  const line = text.replace(/\s*\n\s*/g, ' | ');
  const cut = line.length > maxLength ? `${line.slice(0, maxLength)}…` : line;
  return cut.replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, (char) => `\\u{${char.codePointAt(0)?.toString(16)}}`);
}
