/** One process of git, bounded in time and output, and ended together with all it started. */
import { type ChildProcess, spawn } from 'node:child_process';
import { LegionError } from '../domain/fault.ts';
import { verbIn } from './words.ts';

/** After TERM git takes its lock files away, which needs milliseconds; who is still there after this gets KILL. */
const TERM_GRACE_MS = 2_000;
/** A grandchild may keep the pipes open after git has ended; nobody waits for it longer than this. */
const DRAIN_MS = 1_000;
/** The index of a million files, listed, fits; more is not held in memory. */
const OUTPUT_MAX_BYTES = 128 * 1024 * 1024;
/** The end of what git complains about says why. */
const COMPLAINT_MAX_CHARS = 16_384;

export interface Asked {
  readonly settings: readonly string[];
  readonly folder: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly keepOpen: number | undefined;
  readonly input: string | undefined;
  readonly signal: AbortSignal | undefined;
  /** Bytes of output that are taken in. */
  readonly mostBytes: number | undefined;
}

export interface Ended {
  /** The name of a signal where one has ended it. */
  readonly status: number | string;
  readonly printed: string;
  readonly complaint: string;
}

export function ended(asked: Asked): Promise<Ended> {
  const { timeoutMs, input, signal, mostBytes = OUTPUT_MAX_BYTES } = asked;
  if (signal?.aborted === true) return Promise.reject(fault(asked, 'git.interrupted', 'was not begun'));
  const child = begun(asked);
  return new Promise((resolve, reject) => {
    const printed: Buffer[] = [];
    let size = 0;
    let complaint = '';
    let refusal: LegionError | undefined;
    let deadline: NodeJS.Timeout | undefined;
    let drain: NodeJS.Timeout | undefined;

    const stop = (reason: LegionError) => {
      if (refusal !== undefined) return;
      refusal = reason;
      clearTimeout(deadline);
      signalGroup(child, 'SIGTERM');
      deadline = setTimeout(() => signalGroup(child, 'SIGKILL'), TERM_GRACE_MS);
    };
    const interrupt = () => stop(fault(asked, 'git.interrupted', 'was stopped'));
    const settle = (status: number | string) => {
      clearTimeout(deadline);
      clearTimeout(drain);
      signal?.removeEventListener('abort', interrupt);
      if (refusal !== undefined) reject(refusal);
      else resolve({ status, printed: Buffer.concat(printed).toString(), complaint });
    };

    deadline = setTimeout(
      () => stop(fault(asked, 'git.timeout', `took longer than ${timeoutMs} ms`)),
      timeoutMs,
    );
    signal?.addEventListener('abort', interrupt, { once: true });
    child.on('error', (error) => {
      refusal ??= notStarted(error);
      settle('not started');
    });
    child.stdout?.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= mostBytes) printed.push(chunk);
      else stop(fault(asked, 'git.output_too_large', `printed ${size} bytes and more`));
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      complaint = (complaint + text).slice(-COMPLAINT_MAX_CHARS);
    });
    // Git may end before it has read everything; why it did is in its exit status.
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
    child.on('exit', () => {
      drain = setTimeout(() => {
        child.stdout?.destroy();
        child.stderr?.destroy();
      }, DRAIN_MS);
    });
    child.on('close', (code, by) => settle(code ?? by ?? 'unknown'));
  });
}

function begun({ settings, folder, args, env, keepOpen, input }: Asked): ChildProcess {
  return spawn('git', [...settings, '-C', folder, ...args], {
    cwd: '/',
    env,
    stdio: [
      input === undefined ? 'ignore' : 'pipe',
      'pipe',
      'pipe',
      ...(keepOpen === undefined ? [] : [keepOpen]),
    ],
    detached: true, // a group of its own, so that a time limit ends git together with what it started
  });
}

/** What is not the program's absence (too many processes, too many open files) passes. */
function notStarted(error: NodeJS.ErrnoException): LegionError {
  const code = ['ENOENT', 'EACCES'].includes(error.code ?? '') ? 'git.missing' : 'git.failed';
  return new LegionError(code, `git cannot be started: ${error.message}`, { cause: error });
}

function fault(
  { folder, args }: Asked,
  code: 'git.interrupted' | 'git.timeout' | 'git.output_too_large',
  what: string,
): LegionError {
  const named = args.find((arg) => arg.startsWith('--git-dir='))?.slice('--git-dir='.length);
  return new LegionError(code, `git ${verbIn(args)} in ${named ?? folder} ${what}`);
}

function signalGroup(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // It ended a moment ago.
  }
}
