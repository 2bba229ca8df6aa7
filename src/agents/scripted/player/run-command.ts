/** Runs a program in the workspace, by argument list, bounded in time; the end of what it wrote is kept. */
import { run } from '../../../lib/process/run.ts';

/** What a person reads of a failure. */
const TAIL_CHARS = 4_000;

export interface Command {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly input?: string;
}

export interface Ran {
  /** Null where it was ended by a signal or never began. */
  readonly code: number | null;
  /** Why there is no code. */
  readonly problem?: string;
  readonly tail: string;
}

/** In the group of the agent itself, so that whoever stops the group stops this too. Rejects once `signal` is aborted. */
export async function runCommand({ argv, cwd, env, timeoutMs, signal, input = '' }: Command): Promise<Ran> {
  signal.throwIfAborted();
  const [program, ...args] = argv;
  try {
    const given = { cwd, env, timeoutMs, signal, input, tailChars: TAIL_CHARS };
    const { status, stopped, stdout } = await run(program, args, given);
    signal.throwIfAborted();
    const tail = stdout.trim();
    if (stopped !== undefined) return { code: null, problem: `it took longer than ${timeoutMs} ms`, tail };
    return typeof status === 'number'
      ? { code: status, tail }
      : { code: null, problem: `it was ended by ${status}`, tail };
  } catch (error) {
    signal.throwIfAborted();
    return { code: null, problem: error instanceof Error ? error.message : String(error), tail: '' };
  }
}
