/**
 * Runs one tmux command with an argument list, a defined environment and a time limit, and builds
 * the names of sessions and windows.
 */

import { createHash } from 'node:crypto';
import type { EnvironmentVariables } from '../core/model/environment.ts';
import { LegionError, quoteText } from '../core/model/fault.ts';
import { KILL_AT_ONCE, run } from '../lib/process/run.ts';
import type { TerminalWorker } from '../ports/terminals.ts';

/**
 * tmux responds within milliseconds, a new server within a second on a busy machine. A longer call
 * has hung.
 */
const CALL_TIMEOUT_MS = 10_000;
/** Enough for thousands of windows; longer output is not our window list. */
const MAX_ANSWER_BYTES = 1_024 * 1_024;

export interface TmuxCallOptions {
  readonly environment: Readonly<Record<string, string>>;
  /**
   * Start directory of a new window. Passed as the working directory of the call, because tmux
   * would expand formats in a command-line option.
   */
  readonly folder?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** `refused` is the output of tmux if its exit status is not 0. */
export type TmuxResult = { readonly printed: string } | { readonly refused: string };

/** Rejects with `view.unavailable` if tmux is missing, hangs or was interrupted. */
export async function callTmux(
  args: readonly string[],
  { environment, folder, signal }: TmuxCallOptions,
): Promise<TmuxResult> {
  const limits = { timeoutMs: CALL_TIMEOUT_MS, maxOutputBytes: MAX_ANSWER_BYTES, ladder: KILL_AT_ONCE };
  const { status, stopped, stdout, stderr } = await run('tmux', args.map(escapeArgument), {
    env: environment,
    cwd: folder,
    signal,
    ...limits,
  }).catch((error: NodeJS.ErrnoException) => {
    const why =
      error.code === 'ENOENT'
        ? 'tmux is not installed, or not on the PATH'
        : `tmux ${args[0]}: ${error.message}`;
    throw new LegionError('view.unavailable', why, { cause: error });
  });
  if (stopped === 'timeout')
    throw new LegionError(
      'view.unavailable',
      `tmux ${args[0]} did not respond within ${CALL_TIMEOUT_MS / 1_000} s`,
    );
  if (stopped !== undefined || typeof status === 'string')
    throw new LegionError('view.unavailable', `tmux ${args[0]}: ${stopped ?? `terminated by ${status}`}`);
  return status === 0 ? { printed: stdout } : { refused: stderr.trim() };
}

/** A trailing semicolon would start another tmux command. */
function escapeArgument(text: string): string {
  return text.replace(/;$/, '\\;');
}

export function createTmuxError([verb = '']: readonly string[], message: string): LegionError {
  return new LegionError('view.unavailable', `tmux ${verb}: ${quoteText(message)}`);
}

/** Variables that `legion view` needs to find its legion and to show text. */
const WINDOW_VARIABLES: readonly string[] = [
  ...['PATH', 'HOME', 'LANG', 'LC_ALL', 'LC_CTYPE', 'NO_COLOR'],
  ...['XDG_STATE_HOME', 'XDG_DATA_HOME', 'XDG_CACHE_HOME'],
];

/**
 * Additional variables for tmux: its terminal, its socket directory, and the shell for windows
 * opened by hand.
 */
const TMUX_VARIABLES: readonly string[] = [
  ...WINDOW_VARIABLES,
  'TERM',
  'COLORTERM',
  'TMUX_TMPDIR',
  'SHELL',
  'USER',
];

/**
 * Builds the environment of tmux and its windows: the first tmux becomes the server and passes its
 * environment to every window. Omits `TMUX`, so that a daemon started inside a tmux session still
 * uses the default server.
 */
export function buildTmuxEnvironment(environment: EnvironmentVariables): Record<string, string> {
  return pickVariables(TMUX_VARIABLES, environment);
}

/**
 * Formats the variables for a new window. They are passed one by one, because a running server has
 * its own environment. None of them is a secret.
 */
export function formatWindowVariables(environment: EnvironmentVariables): readonly string[] {
  return Object.entries(pickVariables(WINDOW_VARIABLES, environment)).map(
    ([name, value]) => `${name}=${value}`,
  );
}

function pickVariables(names: readonly string[], environment: EnvironmentVariables): Record<string, string> {
  const entries = names.map((name) => [name, environment[name]] as const);
  return Object.fromEntries(entries.filter((entry): entry is readonly [string, string] => Boolean(entry[1])));
}

/**
 * Length of the hash. 32 bits are enough to distinguish the few ids of one board that become equal
 * without their special characters.
 */
const HASH_DIGITS = 8;

/**
 * Returns the name of a legion's session, which no other legion shares. `short` is the legion's
 * short name, or its id if it has no short name.
 */
export function formatSessionName(short: string): string {
  return `legion-${toPlainName(short)}-controller`;
}

/**
 * Lower case, because a person types the name. Ids that differ only in upper and lower case refer
 * to the same worker.
 */
export function formatWindowName(worker: TerminalWorker): string {
  return formatOldWindowName(worker).toLowerCase();
}

/** Returns the name that earlier versions gave to the worker's window, which may still be open. */
export function formatOldWindowName({ issue, mode }: TerminalWorker): string {
  return `${mode}-${toPlainName(issue)}`;
}

/**
 * In a tmux target, `.` and `:` are separators and `#` starts a command. An id from which
 * characters are removed gets a hash of the original.
 */
function toPlainName(id: string): string {
  const safe = id.replace(/[^A-Za-z0-9_-]/g, '_');
  if (safe === id) return id;
  return `${safe}-${createHash('sha256').update(id).digest('hex').slice(0, HASH_DIGITS)}`;
}
