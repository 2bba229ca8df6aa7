/** Runs a program by argument list, bounded in time and output, and ends it if nobody waits for it any more. */
import { type ChildProcess, spawn } from 'node:child_process';
import { MAX_TIMER_MS } from '../async/system-clock.ts';

/** Signals to end a program with, in this order, and how long to wait after each of them. */
export type SignalLadder = readonly (readonly [signal: NodeJS.Signals, patienceMs: number])[];

/** A killed program that stays for longer is stuck in the kernel. */
const KILL_MS = 5_000;
/** After SIGTERM a program removes its lock files, which takes milliseconds. */
const TERM_GRACE_MS = 2_000;

export const KILL_AT_ONCE: SignalLadder = [['SIGKILL', KILL_MS]];

/** A grandchild may keep the pipes open after the program has ended; nobody waits for it longer than this. */
const DRAIN_MS = 1_000;
/** More is not held in memory. */
const MAX_OUTPUT_BYTES = 128 * 1024 * 1024;
/** The end of what a program complains about says why. */
const MAX_STDERR_CHARS = 16_384;

export interface RunOptions {
  readonly cwd?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Longer than `MAX_TIMER_MS` is without end. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Goes to standard input; without it the program reads nothing. */
  readonly input?: string | undefined;
  /** Beyond this the program is ended. */
  readonly maxOutputBytes?: number | undefined;
  /** Keeps only so many characters of the end of both streams, in order of arrival, as `stdout`. */
  readonly tailChars?: number;
  /** Gets standard output as it arrives; `stdout` of the result is then empty. */
  readonly onStdout?: (text: string) => void;
  /** Both streams go to this descriptor and nowhere else. */
  readonly outputTo?: number;
  readonly ladder?: SignalLadder;
  /** Starts a process group, so that ending the program also ends whatever it started. */
  readonly ownGroup?: boolean;
  /** A descriptor that the program inherits as its fourth. */
  readonly inherit?: number | undefined;
  readonly onStarted?: (pid: number) => void;
}

export interface RunResult {
  /** The exit status, the name of the signal that ended the program, or `stuck` if it is still there after the ladder. */
  readonly status: number | string;
  /** Why we ended it; undefined if it ended by itself. */
  readonly stopped: 'timeout' | 'aborted' | 'output too large' | undefined;
  readonly stdout: string;
  /** The end of it. */
  readonly stderr: string;
}

export function termLadder(graceMs: number): SignalLadder {
  return [['SIGTERM', graceMs], ...KILL_AT_ONCE];
}

/** Rejects with the system's error if the program cannot be started, and with the signal's reason if it is aborted already. */
export async function run(program: string, args: readonly string[], options: RunOptions): Promise<RunResult> {
  const { timeoutMs, signal, input, tailChars, onStdout, maxOutputBytes = MAX_OUTPUT_BYTES } = options;
  const { ladder = termLadder(TERM_GRACE_MS), ownGroup = false, inherit, cwd, env } = options;
  signal?.throwIfAborted();
  const output = options.outputTo ?? 'pipe';
  const child = spawn(program, args, {
    cwd,
    env,
    detached: ownGroup,
    stdio: [
      input === undefined ? 'ignore' : 'pipe',
      output,
      output,
      ...(inherit === undefined ? [] : [inherit]),
    ],
  });
  if (child.pid !== undefined) options.onStarted?.(child.pid);
  return new Promise((resolve, reject) => {
    const printed: Buffer[] = [];
    let size = 0;
    let tail = '';
    let stderr = '';
    let stopped: RunResult['stopped'];
    let timer: NodeJS.Timeout | undefined;
    let drain: NodeJS.Timeout | undefined;

    const climb = ([step, ...rest]: SignalLadder) => {
      if (step === undefined) {
        child.unref();
        return finish('stuck');
      }
      kill(child, step[0], ownGroup);
      timer = setTimeout(() => climb(rest), step[1]);
    };
    const stop = (why: RunResult['stopped']) => {
      if (stopped !== undefined) return;
      stopped = why;
      clearTimeout(timer);
      climb(ladder);
    };
    const abort = () => stop('aborted');
    const release = () => {
      child.stdout?.destroy();
      child.stderr?.destroy();
    };
    const settle = () => {
      clearTimeout(timer);
      clearTimeout(drain);
      signal?.removeEventListener('abort', abort);
    };
    const finish = (status: RunResult['status']) => {
      settle();
      release();
      const stdout = tailChars === undefined ? Buffer.concat(printed).toString() : tail;
      resolve({ status, stopped, stdout, stderr });
    };
    const keepTail = (text: string) => {
      tail = (tail + text).slice(-(tailChars ?? 0));
    };

    if (timeoutMs <= MAX_TIMER_MS) timer = setTimeout(() => stop('timeout'), timeoutMs);
    signal?.addEventListener('abort', abort, { once: true });
    const take = onStdout ?? (tailChars === undefined ? undefined : keepTail);
    if (take !== undefined) child.stdout?.setEncoding('utf8').on('data', take);
    else
      child.stdout?.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size <= maxOutputBytes) printed.push(chunk);
        else stop('output too large');
      });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      if (tailChars !== undefined) keepTail(text);
      stderr = (stderr + text).slice(-MAX_STDERR_CHARS);
    });
    // A program may end before it has read everything; its exit status says why.
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
    child.on('error', (error) => {
      settle();
      reject(error);
    });
    child.on('exit', () => {
      drain = setTimeout(release, DRAIN_MS);
    });
    child.on('close', (code, by) => finish(code ?? by ?? 'unknown'));
  });
}

/** Not after the exit, when the pid may already be another's. */
function kill(child: ChildProcess, signal: NodeJS.Signals, ownGroup: boolean): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  try {
    if (ownGroup) process.kill(-child.pid, signal);
    else child.kill(signal);
  } catch {
    // It ended a moment ago.
  }
}
