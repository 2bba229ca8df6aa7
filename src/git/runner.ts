/**
 * Runs git with an argument list, a controlled environment and limits, and reports git's error text
 * in faults.
 */

import { isAbsolute } from 'node:path';
import type { EnvironmentVariables } from '../core/model/environment.ts';
import { LegionError } from '../core/model/fault.ts';
import { type RunResult, run } from '../lib/process/run.ts';
import { createGitFault, findGitCommand } from './errors.ts';

/** Checking out a very large repository on a slow disk takes minutes. Beyond this, git is stuck. */
const GIT_TIMEOUT_MS = 300_000;

export interface GitRunner {
  /** Returns git's output. Rejects if the exit status is not 0. */
  run(folder: string, args: readonly string[]): Promise<string>;
  /** Returns undefined if the exit status is 1, for commands that answer "no" this way. */
  ask(folder: string, args: readonly string[]): Promise<string | undefined>;
  /** Runs git with any option of `GitCall`, and returns its exit status too. */
  answer(folder: string, args: readonly string[], call?: GitCall): Promise<GitAnswer>;
}

export interface GitCall {
  /** Exit statuses besides 0 that are accepted as an answer. The call rejects for all others. */
  readonly answers?: readonly number[];
  /** Standard input. Empty if absent. */
  readonly input?: string;
  /** If aborted, git is ended and the call rejects with `git.interrupted`. */
  readonly signal?: AbortSignal | undefined;
  readonly env?: Readonly<Record<string, string>>;
  /**
   * Rejects with `git.output_too_large` beyond this size. If absent, the output is limited only by
   * memory.
   */
  readonly maxOutputBytes?: number;
}

export interface GitAnswer {
  readonly code: number;
  readonly out: string;
}

export interface GitOptions extends GitEnvironmentOptions {
  readonly timeoutMs?: number | undefined;
  /**
   * File descriptor that every git process inherits. While a process has it open, git is still
   * running for us, even if this process was killed.
   */
  readonly keepOpen?: number;
}

export function createGitRunner(options: GitOptions): GitRunner {
  const { timeoutMs = GIT_TIMEOUT_MS, keepOpen } = options;

  async function answer(folder: string, args: readonly string[], call: GitCall = {}): Promise<GitAnswer> {
    const { answers = [], input, signal, maxOutputBytes } = call;
    const { settings, env } = buildGitStart(options);
    const { status, stdout, stderr } = await runGitProcess({
      settings,
      folder,
      args,
      timeoutMs,
      keepOpen,
      input,
      signal,
      maxOutputBytes,
      env: { ...env, ...call.env },
    });
    if (typeof status === 'number' && [0, ...answers].includes(status)) return { code: status, out: stdout };
    throw createGitFault(args, status, stderr);
  }

  return {
    answer,
    run: async (folder, args) => (await answer(folder, args)).out,
    async ask(folder, args) {
      const { code, out } = await answer(folder, args, { answers: [1] });
      return code === 0 ? out : undefined;
    },
  };
}

interface GitProcessRequest {
  readonly settings: readonly string[];
  readonly folder: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly keepOpen: number | undefined;
  readonly input: string | undefined;
  readonly signal: AbortSignal | undefined;
  /** Maximum size of the output, in bytes. */
  readonly maxOutputBytes: number | undefined;
}

/**
 * Runs one git process with limits on time and output, and ends it together with its children.
 * Rejects with `git.interrupted`, `git.timeout`, `git.output_too_large` or `git.missing`.
 */
async function runGitProcess(request: GitProcessRequest): Promise<RunResult> {
  const { settings, folder, args, env, timeoutMs, keepOpen, input, signal, maxOutputBytes } = request;
  if (signal?.aborted === true) throw createProcessFault(request, 'git.interrupted', 'was not started');
  const result = await run('git', [...settings, '-C', folder, ...args], {
    cwd: '/',
    env,
    timeoutMs,
    signal,
    input,
    maxOutputBytes,
    ownGroup: true,
    inherit: keepOpen,
  }).catch((error: NodeJS.ErrnoException) => {
    throw toStartFault(error);
  });
  switch (result.stopped) {
    case 'aborted':
      throw createProcessFault(request, 'git.interrupted', 'was stopped');
    case 'timeout':
      throw createProcessFault(request, 'git.timeout', `took longer than ${timeoutMs} ms`);
    case 'output too large':
      throw createProcessFault(request, 'git.output_too_large', 'printed too much output');
    case undefined:
      return result;
  }
}

/** Other start failures (too many processes, too many open files) are temporary. */
function toStartFault(error: NodeJS.ErrnoException): LegionError {
  const code = ['ENOENT', 'EACCES'].includes(error.code ?? '') ? 'git.missing' : 'git.failed';
  return new LegionError(code, `git could not be started: ${error.message}`, { cause: error });
}

function createProcessFault(
  { folder, args }: GitProcessRequest,
  code: 'git.interrupted' | 'git.timeout' | 'git.output_too_large',
  problem: string,
): LegionError {
  const gitDir = args.find((arg) => arg.startsWith('--git-dir='))?.slice('--git-dir='.length);
  return new LegionError(code, `git ${findGitCommand(args)} in ${gitDir ?? folder} ${problem}`);
}

export interface GitEnvironmentOptions {
  /**
   * git gets `PATH`, which locates it, and `HOME`, because settings may contain `~`. Other variables are
   * selected by name.
   */
  readonly environment: EnvironmentVariables;
  /**
   * True if git works in a folder that a person also uses. Git must then treat the folder as the
   * person's own git does, with the same line endings and filters. If false, personal settings,
   * ignore rules and attributes do not apply.
   */
  readonly personal?: boolean | undefined;
}

export interface GitStart {
  readonly settings: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Keeps a repository's settings and hooks from starting programs or changing what our commands
 * mean.
 */
const OUR_SETTINGS: readonly string[] = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.fsync=committed', // an acknowledged merge survives a power cut
  'gc.auto=0',
  'maintenance.auto=false',
  'submodule.recurse=false',
  'protocol.ext.allow=never',
  // A worktree is created in one directory and then moved, so its link to the repository must not
  // be relative.
  'worktree.useRelativePaths=false',
].flatMap((setting) => ['-c', setting]);

const ALWAYS = {
  LC_ALL: 'C',
  GIT_TERMINAL_PROMPT: '0',
  GIT_OPTIONAL_LOCKS: '0', // reading a person's work tree must not block their own git
  GIT_NO_REPLACE_OBJECTS: '1', // a SHA always means its original commit
};

const IMPERSONAL_ENVIRONMENT = {
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  XDG_CONFIG_HOME: '/dev/null',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_COMMITTER_NAME: 'legion',
  GIT_COMMITTER_EMAIL: 'legion@localhost',
};

/** Variables that personal settings and their filters need. No GIT_* and no secrets. */
const PERSONAL: readonly string[] = ['XDG_CONFIG_HOME', 'TMPDIR', 'USER', 'LOGNAME'];

export function buildGitStart({ environment, personal = false }: GitEnvironmentOptions): GitStart {
  const { PATH = '', HOME = '/' } = environment;
  // An empty or relative entry in the search path would be resolved in the repository's own folder,
  // which may contain a program named `git`.
  const trusted = PATH.split(':').filter(isAbsolute).join(':');
  if (trusted === '') throw new LegionError('git.missing', 'PATH contains no absolute directory');
  const variables = personal ? pickPersonal(environment) : IMPERSONAL_ENVIRONMENT;
  return { settings: OUR_SETTINGS, env: { ...ALWAYS, ...variables, HOME, PATH: trusted } };
}

function pickPersonal(environment: EnvironmentVariables): Record<string, string> {
  return Object.fromEntries(
    PERSONAL.flatMap((name) => {
      const value = environment[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
