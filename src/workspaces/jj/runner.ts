/** Runs jj with an argument list, a controlled environment and limits, and reports failures as faults. */
import { rm } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import type { EnvironmentVariables } from '../../core/model/environment.ts';
import { LegionError } from '../../core/model/fault.ts';
import { toPrintableLine } from '../../git/errors.ts';
import { run } from '../../lib/process/run.ts';

/**
 * Checking out a very large repository on a slow disk takes minutes. A jj command that takes longer
 * than this is stuck.
 */
const JJ_TIMEOUT_MS = 300_000;

/** Without this directory jj cannot store or migrate the configuration of a repository or workspace. */
const UNUSABLE_CONFIG_HOME = '/dev/null/x';

export interface JjRunner {
  version(): Promise<string>;
  /** Creates the store on a bare git repository. */
  initStore(store: string, git: string): Promise<JjOutput>;
  /** Runs jj in a workspace. Records the files of the workspace first. */
  inWorkspace(path: string, args: readonly string[]): Promise<JjOutput>;
  /** Runs jj on the store without reading any workspace. */
  inStore(store: string, args: readonly string[]): Promise<JjOutput>;
  /** Runs a command on the store that creates a workspace. */
  addToStore(store: string, args: readonly string[]): Promise<JjOutput>;
}

interface JjOutput {
  readonly out: string;
  /** jj reports some results, such as the name of an operation, as messages. */
  readonly messages: string;
}

export interface JjRunnerOptions {
  readonly environment: EnvironmentVariables;
  readonly config: string;
  /** The store of the workspaces that jj runs in. */
  readonly store?: string | undefined;
  readonly timeoutMs?: number | undefined;
  /** File descriptor that every process inherits while the repository's lock is held. */
  readonly keepOpen?: number | undefined;
}

/** Author of commits that Legion itself creates. Workers use their own identity. */
const IDENTITY = { JJ_USER: 'legion', JJ_EMAIL: 'legion@localhost' };

export function createJjRunner(options: JjRunnerOptions): JjRunner {
  const { timeoutMs = JJ_TIMEOUT_MS, keepOpen } = options;

  async function runJj(
    folder: string,
    args: readonly string[],
    repository: readonly string[] = ['-R', folder],
  ): Promise<JjOutput> {
    const result = await run('jj', ['--no-pager', '--color', 'never', ...repository, ...args], {
      cwd: '/',
      env: buildJjEnvironment(options),
      timeoutMs,
      ownGroup: true,
      inherit: keepOpen,
    }).catch((error: NodeJS.ErrnoException) => {
      const code = ['ENOENT', 'EACCES'].includes(error.code ?? '') ? 'jj.missing' : 'jj.failed';
      throw new LegionError(code, `jj could not be started: ${error.message}`, { cause: error });
    });
    const { status, stopped, stdout, stderr } = result;
    if (status === 0 && stopped === undefined) return { out: stdout, messages: stderr };
    const why = stopped === undefined ? `ended with ${status}` : `was stopped (${stopped})`;
    throw new LegionError(
      'jj.failed',
      `jj ${findCommand(args)} in ${folder} ${why}: ${toPrintableLine(stderr)}`,
    );
  }

  return {
    version: async () => (await runJj('/', ['--version'], [])).out,
    initStore: (store, git) => runJj(store, ['git', 'init', '--git-repo', git, store], []),
    async inWorkspace(path, args) {
      await discardWorkerConfig(join(path, '.jj'), 'workspace-config');
      if (options.store !== undefined) await discardWorkerConfig(join(options.store, '.jj/repo'), 'config');
      return runJj(path, args);
    },
    async inStore(store, args) {
      await discardWorkerConfig(join(store, '.jj/repo'), 'config');
      return runJj(store, ['--ignore-working-copy', ...args]);
    },
    async addToStore(store, args) {
      await discardWorkerConfig(join(store, '.jj/repo'), 'config');
      return runJj(store, args);
    },
  };
}

/** Returns the name of the command, which follows jj's global options. */
function findCommand(args: readonly string[]): string {
  return args.find((arg, index) => !arg.startsWith('-') && args[index - 1] !== '--at-op') ?? '';
}

/**
 * Deletes configuration that a worker wrote, because it can name programs for jj to run. If a worker
 * writes it again at once, jj fails instead of reading it.
 */
async function discardWorkerConfig(folder: string, name: string): Promise<void> {
  await Promise.all(['.toml', '-id'].map((ending) => rm(join(folder, `${name}${ending}`), { force: true })));
}

function buildJjEnvironment({ environment, config }: JjRunnerOptions): Record<string, string> {
  const { PATH = '', HOME = '/' } = environment;
  // A relative PATH entry would be resolved in a directory that workers can write.
  const trusted = PATH.split(':').filter(isAbsolute).join(':');
  if (trusted === '') throw new LegionError('jj.missing', 'PATH contains no absolute directory');
  return {
    ...IDENTITY,
    PATH: trusted,
    HOME,
    LC_ALL: 'C',
    JJ_CONFIG: config,
    JJ_EDITOR: 'false',
    XDG_CONFIG_HOME: UNUSABLE_CONFIG_HOME,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'core.hooksPath',
    GIT_CONFIG_VALUE_0: '/dev/null',
  };
}
