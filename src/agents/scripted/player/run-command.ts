/** Runs a program in the workspace, by argument list, bounded in time; the end of what it wrote is kept. */
import { type ChildProcess, spawn } from 'node:child_process';

/** Characters of output: what a person reads of a failure. */
const TAIL_MOST = 4_000;
/** From SIGTERM to SIGKILL. */
const GRACE_MS = 2_000;
/** A grandchild may hold the pipes after the program has ended; nobody waits for it longer than this. */
const DRAIN_MS = 500;

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
export async function runCommand(command: Command): Promise<Ran> {
  const { argv, cwd, env, signal, input = '' } = command;
  signal.throwIfAborted();
  const [program, ...rest] = argv;
  const child = spawn(program, rest, { cwd, env, stdio: 'pipe' });
  let tail = '';
  const keep = (text: string) => {
    tail = (tail + text).slice(-TAIL_MOST);
  };
  child.stdout.setEncoding('utf8').on('data', keep);
  child.stderr.setEncoding('utf8').on('data', keep);
  // A program that does not read what it is given closes the pipe; that is its right.
  child.stdin.on('error', () => undefined).end(input);
  const ended = await endOf(child, command);
  signal.throwIfAborted();
  return { ...ended, tail: tail.trim() };
}

function endOf(child: ChildProcess, { timeoutMs, signal }: Command): Promise<Pick<Ran, 'code' | 'problem'>> {
  return new Promise((resolve) => {
    let late: string | undefined;
    let timer: NodeJS.Timeout | undefined;
    const stop = (why: string | undefined) => {
      late ??= why;
      clearTimeout(timer);
      child.kill('SIGTERM');
      timer = setTimeout(() => child.kill('SIGKILL'), GRACE_MS);
    };
    const onAbort = () => stop(undefined);
    const settle = (ended: Pick<Ran, 'code' | 'problem'>) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      resolve(ended);
    };
    timer = setTimeout(() => stop(`it took longer than ${timeoutMs} ms`), timeoutMs);
    signal.addEventListener('abort', onAbort, { once: true });
    child.once('error', (error) => settle({ code: null, problem: error.message }));
    child.once('exit', () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        child.stdout?.destroy();
        child.stderr?.destroy();
      }, DRAIN_MS);
    });
    child.once('close', (code, by) => {
      const problem = late ?? (by === null ? undefined : `it was ended by ${by}`);
      settle(problem === undefined ? { code } : { code: null, problem });
    });
  });
}
