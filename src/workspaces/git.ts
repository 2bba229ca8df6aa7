/** Runs git: by argument list, in an environment of our own making, bounded in time and output. */
import { type ChildProcess, spawn } from 'node:child_process';
import { isAbsolute } from 'node:path';
import { LegionError } from '../domain/fault.ts';
import { gitFault } from './git-words.ts';

/** A checkout of a very large repository on a slow disk takes minutes; what takes longer than this hangs. */
const GIT_TIMEOUT_MS = 300_000;
/** After TERM git takes its lock files away, which needs milliseconds; who is still there after this gets KILL. */
const TERM_GRACE_MS = 2_000;
/** A grandchild may keep the pipes open after git has ended; nobody waits for it longer than this. */
const DRAIN_MS = 1_000;
/** The index of a million files, listed, fits; more is not held in memory. */
const OUTPUT_MAX_BYTES = 128 * 1024 * 1024;
/** The end of what git complains about says why. */
const COMPLAINT_MAX_CHARS = 16_384;

/** Neither the repository's settings nor its hooks may start a program or change what our commands mean. */
const OUR_SETTINGS = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'submodule.recurse=false',
  'protocol.ext.allow=never',
  // A worktree is made in one place and moved to another: its link to the repository must not be relative.
  'worktree.useRelativePaths=false',
].flatMap((setting) => ['-c', setting]);

/** Nearly all of the environment that git sees: no GIT_DIR from outside, no one's personal settings, ignores, attributes. */
const OUR_ENVIRONMENT = {
  LC_ALL: 'C',
  GIT_TERMINAL_PROMPT: '0',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  XDG_CONFIG_HOME: '/dev/null',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_NO_REPLACE_OBJECTS: '1', // a commit is what its SHA says
  GIT_COMMITTER_NAME: 'legion',
  GIT_COMMITTER_EMAIL: 'legion@localhost',
};

export interface Git {
  /** What git printed; any other exit status than 0 is a fault. */
  run(folder: string, args: readonly string[]): Promise<string>;
  /** For commands that say "no" by exit status 1: `undefined` then. */
  ask(folder: string, args: readonly string[]): Promise<string | undefined>;
}

export type Environment = Readonly<Record<string, string | undefined>>;

export interface GitOptions {
  /** Of it git sees `PATH`, by which it is found, and `HOME`, because a repository's settings may say `~`. */
  readonly environment: Environment;
  readonly timeoutMs?: number | undefined;
  /** A descriptor every git inherits, so that it can be seen, even after we were killed, that it still works for us. */
  readonly keepOpen?: number;
}

export function gitRunner(options: GitOptions): Git {
  return {
    async run(folder, args) {
      const { status, printed, complaint } = await ended(folder, args, options);
      if (status !== 0) throw gitFault(args, status, complaint);
      return printed;
    },
    async ask(folder, args) {
      const { status, printed, complaint } = await ended(folder, args, options);
      if (status !== 0 && status !== 1) throw gitFault(args, status, complaint);
      return status === 0 ? printed : undefined;
    },
  };
}

interface Ended {
  readonly status: number | string;
  readonly printed: string;
  readonly complaint: string;
}

function ended(folder: string, args: readonly string[], options: GitOptions): Promise<Ended> {
  const { environment, timeoutMs = GIT_TIMEOUT_MS, keepOpen } = options;
  const { PATH = '', HOME = '/' } = environment;
  // An empty or relative part of the search path would mean the repository's own folder, and a `git` that lies in it.
  const trusted = PATH.split(':').filter(isAbsolute).join(':');
  if (trusted === '')
    return Promise.reject(new LegionError('git.missing', 'there is no absolute folder on the search path'));

  const child = spawn('git', [...OUR_SETTINGS, '--no-optional-locks', '-C', folder, ...args], {
    cwd: '/',
    env: { ...OUR_ENVIRONMENT, HOME, PATH: trusted },
    stdio: ['ignore', 'pipe', 'pipe', ...(keepOpen === undefined ? [] : [keepOpen])],
    detached: true, // a group of its own, so that a time limit ends git together with what it started
  });
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
    const settle = (status: number | string) => {
      clearTimeout(deadline);
      clearTimeout(drain);
      if (refusal !== undefined) reject(refusal);
      else resolve({ status, printed: Buffer.concat(printed).toString(), complaint });
    };

    deadline = setTimeout(() => {
      const words = `git ${args[0]} in ${folder} took longer than ${timeoutMs} ms`;
      stop(new LegionError('git.timeout', words));
    }, timeoutMs);
    child.on('error', (error) => {
      refusal ??= new LegionError('git.missing', `git cannot be started: ${error.message}`, { cause: error });
      settle('not started');
    });
    child.stdout?.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= OUTPUT_MAX_BYTES) printed.push(chunk);
      else
        stop(
          new LegionError(
            'git.output_too_large',
            `git ${args[0]} in ${folder} printed ${size} bytes and more`,
          ),
        );
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      complaint = (complaint + text).slice(-COMPLAINT_MAX_CHARS);
    });
    child.on('exit', () => {
      drain = setTimeout(() => {
        child.stdout?.destroy();
        child.stderr?.destroy();
      }, DRAIN_MS);
    });
    child.on('close', (code, signal) => settle(code ?? signal ?? 'unknown'));
  });
}

function signalGroup(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // It ended a moment ago.
  }
}
