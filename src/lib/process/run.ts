/**
 * Runs a program with an argument list and limits on time and output, and ends it when the caller
 * aborts.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { MAX_TIMER_MS } from '../async/system-clock.ts';

/** Signals that end a program, in order, with the time to wait after each. */
export type SignalLadder = readonly (readonly [signal: NodeJS.Signals, patienceMs: number])[];

/** A program that survives SIGKILL for longer than this is stuck in the kernel. */
const KILL_MS = 5_000;
/** After SIGTERM a program removes its lock files, which takes milliseconds. */
const TERM_GRACE_MS = 2_000;

export const KILL_AT_ONCE: SignalLadder = [['SIGKILL', KILL_MS]];

/**
 * Maximum time to wait for the pipes after the program has ended, because a grandchild may keep
 * them open.
 */
const DRAIN_MS = 1_000;
/** Maximum output, because all of it is held in memory. */
const MAX_OUTPUT_BYTES = 128 * 1024 * 1024;
/** The end of the error output usually states the reason. */
const MAX_STDERR_CHARS = 16_384;

export interface RunOptions {
  readonly cwd?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Values above `MAX_TIMER_MS` disable the timeout. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Written to standard input. If absent, the program gets no input. */
  readonly input?: string | undefined;
  /** If the output exceeds this size, the program is ended. */
  readonly maxOutputBytes?: number | undefined;
  /**
   * Keeps only this many characters from the end of both streams, in order of arrival, as `stdout`.
   */
  readonly tailChars?: number;
  /** Receives standard output as it arrives. The result's `stdout` is then empty. */
  readonly onStdout?: (text: string) => void;
  /** Sends both streams to this descriptor only. */
  readonly outputTo?: number;
  readonly ladder?: SignalLadder;
  /** Starts a process group, so that ending the program also ends its children. */
  readonly ownGroup?: boolean;
  /** A descriptor that the program inherits as its fourth descriptor. */
  readonly inherit?: number | undefined;
  readonly onStarted?: (pid: number) => void;
}

export interface RunResult {
  /**
   * The exit status, the name of the signal that ended the program, or `stuck` if it survived all
   * signals.
   */
  readonly status: number | string;
  /** Why we ended the program. Undefined if it ended by itself. */
  readonly stopped: 'timeout' | 'aborted' | 'output too large' | undefined;
  readonly stdout: string;
  /** The end of the error output. */
  readonly stderr: string;
}

/**
 * Rejects with the system's error if the program cannot be started, or with the abort signal's
 * reason if the signal is already aborted.
 */
export async function run(program: string, args: readonly string[], options: RunOptions): Promise<RunResult> {
  const { timeoutMs, signal, input, tailChars, onStdout, maxOutputBytes = MAX_OUTPUT_BYTES } = options;
  const { ladder = createTermLadder(TERM_GRACE_MS), ownGroup = false, inherit, cwd, env } = options;
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

    const escalate = ([step, ...rest]: SignalLadder) => {
      if (step === undefined) {
        child.unref();
        return finish('stuck');
      }
      kill(child, step[0], ownGroup);
      timer = setTimeout(() => escalate(rest), step[1]);
    };
    const stop = (why: RunResult['stopped']) => {
      if (stopped !== undefined) return;
      stopped = why;
      clearTimeout(timer);
      escalate(ladder);
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
    // Ignores the error: a program may exit before it has read all input, and its exit status says
    // why.
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

export function createTermLadder(graceMs: number): SignalLadder {
  return [['SIGTERM', graceMs], ...KILL_AT_ONCE];
}

/** Does nothing after the exit, when the pid may already be reused. */
function kill(child: ChildProcess, signal: NodeJS.Signals, ownGroup: boolean): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  try {
    if (ownGroup) process.kill(-child.pid, signal);
    else child.kill(signal);
  } catch {
    // The process ended a moment ago.
  }
}
