/** One call of tmux: an argument list, an environment of our own making, a bounded time. */
import { execFile } from 'node:child_process';
import { LegionError } from '../../domain/fault.ts';
import { shown } from '../../domain/shown.ts';

/** It answers within milliseconds, a new server within a second on a busy machine; what takes longer hangs. */
const CALL_MS = 10_000;
/** Thousands of windows; more is no list of ours. */
const ANSWER_MOST_BYTES = 1_024 * 1_024;

export interface Surroundings {
  readonly environment: Readonly<Record<string, string>>;
  /** Where a new window begins; given as the folder of the call, because tmux would look for commands of its own in an option. */
  readonly folder?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** `refused`: what tmux said when it ended with another status than 0. */
export type TmuxAnswer = { readonly printed: string } | { readonly refused: string };

/** Rejects with `view.unavailable` where tmux is missing, hangs or was interrupted. */
export function callTmux(args: readonly string[], surroundings: Surroundings): Promise<TmuxAnswer> {
  const { environment, folder, signal } = surroundings;
  const options = {
    ...({ env: environment, timeout: CALL_MS, killSignal: 'SIGKILL', maxBuffer: ANSWER_MOST_BYTES } as const),
    ...(folder === undefined ? {} : { cwd: folder }),
    ...(signal === undefined ? {} : { signal }),
  };
  return new Promise((resolve, reject) => {
    execFile('tmux', args.map(asArgument), options, (error, printed, complaint) => {
      if (error === null) resolve({ printed });
      else if (typeof error.code === 'number') resolve({ refused: complaint.trim() });
      else reject(unavailable(args, error));
    });
  });
}

/** A semicolon at the end of an argument would begin another command of tmux. */
function asArgument(text: string): string {
  return text.replace(/;$/, '\\;');
}

export function refusal([verb = '']: readonly string[], says: string): LegionError {
  return new LegionError('view.unavailable', `tmux ${verb}: ${shown(says)}`);
}

function unavailable(
  args: readonly string[],
  error: Error & { code?: unknown; killed?: boolean },
): LegionError {
  const why =
    error.code === 'ENOENT'
      ? 'tmux is not installed, or not on the PATH'
      : error.killed === true
        ? `tmux ${args[0]} was not answered within ${CALL_MS / 1_000} s`
        : `tmux ${args[0]}: ${error.message.split('\n')[0]}`;
  return new LegionError('view.unavailable', why, { cause: error });
}
