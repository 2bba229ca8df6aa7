/** Runs a command of a scenario with a time limit and keeps the end of its output. */
import { run } from '../../../lib/process/run.ts';

/**
 * Maximum characters of a failed command's output in a message. Only the end of the output is
 * shown.
 */
const TAIL_CHARS = 4_000;

export interface ScriptedCommand {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly input?: string;
}

export interface ScriptedCommandResult {
  /** Null if a signal ended the command or it never started. */
  readonly code: number | null;
  /** Reason why there is no exit code. */
  readonly problem?: string;
  readonly tail: string;
}

/**
 * Runs a command in the agent's process group, so that stopping the group stops the command too.
 * Rejects once `signal` is aborted.
 */
export async function runCommand({
  argv,
  cwd,
  env,
  timeoutMs,
  signal,
  input = '',
}: ScriptedCommand): Promise<ScriptedCommandResult> {
  signal.throwIfAborted();
  const [program, ...args] = argv;
  try {
    const options = { cwd, env, timeoutMs, signal, input, tailChars: TAIL_CHARS };
    const { status, stopped, stdout } = await run(program, args, options);
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
