/** One call of tmux: an argument list, an environment of our own making, a bounded time. */
import { LegionError, shown } from '../../core/model/fault.ts';
import { KILL_AT_ONCE, run } from '../../lib/process/run.ts';

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
export async function callTmux(
  args: readonly string[],
  { environment, folder, signal }: Surroundings,
): Promise<TmuxAnswer> {
  const limits = { timeoutMs: CALL_MS, maxOutputBytes: ANSWER_MOST_BYTES, ladder: KILL_AT_ONCE };
  const { status, stopped, stdout, stderr } = await run('tmux', args.map(asArgument), {
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
    throw new LegionError('view.unavailable', `tmux ${args[0]} was not answered within ${CALL_MS / 1_000} s`);
  if (stopped !== undefined || typeof status === 'string')
    throw new LegionError('view.unavailable', `tmux ${args[0]}: ${stopped ?? `ended by ${status}`}`);
  return status === 0 ? { printed: stdout } : { refused: stderr.trim() };
}

/** A semicolon at the end of an argument would begin another command of tmux. */
function asArgument(text: string): string {
  return text.replace(/;$/, '\\;');
}

export function refusal([verb = '']: readonly string[], says: string): LegionError {
  return new LegionError('view.unavailable', `tmux ${verb}: ${shown(says)}`);
}
