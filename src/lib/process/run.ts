/** Runs a program by argument list, bounded in time and output, and ends it if nobody waits for it any more. */
import { type ChildProcess, spawn } from 'node:child_process';

/** After SIGTERM a program removes its lock files, which takes milliseconds; then it gets SIGKILL. */
const TERM_GRACE_MS = 2_000;
/** A grandchild may keep the pipes open after the program has ended; nobody waits for it longer than this. */
const DRAIN_MS = 1_000;
/** More is not held in memory. */
const MAX_OUTPUT_BYTES = 128 * 1024 * 1024;
/** The end of what a program complains about says why. */
const MAX_STDERR_CHARS = 16_384;

export interface RunOptions {
  readonly cwd?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Goes to standard input; without it the program reads nothing. */
  readonly input?: string | undefined;
  /** Beyond this the program is ended. */
  readonly maxOutputBytes?: number | undefined;
  /** Keeps only so many characters of the end of both streams, in order of arrival, as `stdout`. */
  readonly tailChars?: number;
  /** Time from SIGTERM to SIGKILL; with 0 the program is killed at once. */
  readonly graceMs?: number;
  /** Starts a process group, so that ending the program also ends whatever it started. */
  readonly ownGroup?: boolean;
  /** A descriptor that the program inherits as its fourth. */
  readonly inherit?: number | undefined;
}

export interface RunResult {
  /** The exit status, or the name of the signal that ended the program. */
  readonly status: number | string;
  /** Why we ended it; undefined if it ended by itself. */
  readonly stopped: 'timeout' | 'aborted' | 'output too large' | undefined;
  readonly stdout: string;
  /** The end of it. */
  readonly stderr: string;
}

/** Rejects with the system's error if the program cannot be started, and with the signal's reason if it is aborted already. */
export async function run(program: string, args: readonly string[], options: RunOptions): Promise<RunResult> {
  const { timeoutMs, signal, input, tailChars, maxOutputBytes = MAX_OUTPUT_BYTES } = options;
  const { graceMs = TERM_GRACE_MS, ownGroup = false, inherit, cwd, env } = options;
  signal?.throwIfAborted();
  const child = spawn(program, args, {
    cwd,
    env,
    detached: ownGroup,
    stdio: [
      input === undefined ? 'ignore' : 'pipe',
      'pipe',
      'pipe',
      ...(inherit === undefined ? [] : [inherit]),
    ],
  });
  return new Promise((resolve, reject) => {
    const printed: Buffer[] = [];
    let size = 0;
    let tail = '';
    let stderr = '';
    let stopped: RunResult['stopped'];
    let timer: NodeJS.Timeout | undefined;
    let drain: NodeJS.Timeout | undefined;

    const stop = (why: RunResult['stopped']) => {
      if (stopped !== undefined) return;
      stopped = why;
      clearTimeout(timer);
      kill(child, graceMs === 0 ? 'SIGKILL' : 'SIGTERM', ownGroup);
      timer = setTimeout(() => kill(child, 'SIGKILL', ownGroup), graceMs);
    };
    const abort = () => stop('aborted');
    const settle = () => {
      clearTimeout(timer);
      clearTimeout(drain);
      signal?.removeEventListener('abort', abort);
    };
    const keepTail = (text: string) => {
      tail = (tail + text).slice(-(tailChars ?? 0));
    };

    timer = setTimeout(() => stop('timeout'), timeoutMs);
    signal?.addEventListener('abort', abort, { once: true });
    if (tailChars === undefined) {
      child.stdout?.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size <= maxOutputBytes) printed.push(chunk);
        else stop('output too large');
      });
    } else child.stdout?.setEncoding('utf8').on('data', keepTail);
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
      drain = setTimeout(() => {
        child.stdout?.destroy();
        child.stderr?.destroy();
      }, DRAIN_MS);
    });
    child.on('close', (code, by) => {
      settle();
      const stdout = tailChars === undefined ? Buffer.concat(printed).toString() : tail;
      resolve({ status: code ?? by ?? 'unknown', stopped, stdout, stderr });
    });
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
