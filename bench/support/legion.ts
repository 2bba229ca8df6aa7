/**
 * Creates a legion for a benchmark: a repository, a configuration and an environment in a temporary
 * directory.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { killAllIn } from '../../chaos/processes.ts';
import { DEMO_MARK } from '../../src/core/model/environment.ts';
import { waitUntil } from '../bench.ts';

/** Removing one workspace takes milliseconds. Many at once on a busy disk take longer. */
const CLEAN_DEADLINE_MS = 60_000;

export interface BenchLegion {
  readonly folder: string;
  readonly repository: string;
  readonly environment: Readonly<Record<string, string>>;
  /** The legion's state directory. */
  readonly state: string;
  /**
   * Kills every process that has the legion's directory in its environment or command line,
   * including the daemon and the workers. Then removes the directory.
   */
  dispose(): Promise<void>;
}

export const LAUNCHER = [process.execPath, join(import.meta.dirname, '../../bin/legion.js')] as const;

const YAML = `legion: bench
port: 0
agents: { default: { agent: scripted } }
scripted: allowed
limits: { workers: 1000 }
approvals: { architect: auto, merge: auto }
dispatch: { stagger: 0s }
`;

const OWN = `merge: { auto_merge_allowed: true }
commands: { ci: [git, log, HEAD], quality_gate: [git, status] }
`;

interface BenchLegionOptions {
  /** Whether the repository has its own quality gate and CI. */
  readonly commands: boolean;
  /** Replaces the default `legion.yaml`, which allows 1,000 scripted workers. */
  readonly yaml?: string;
}

export function createBenchLegion({ commands, yaml = YAML }: BenchLegionOptions): BenchLegion {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'legion-bench-')));
  const repository = join(folder, 'repository');
  mkdirSync(join(repository, '.legion'), { recursive: true });
  writeFileSync(join(repository, 'legion.yaml'), yaml);
  writeFileSync(join(repository, '.gitignore'), 'legion.yaml\n');
  writeFileSync(
    join(repository, '.legion/config.yml'),
    commands ? OWN : 'merge: { auto_merge_allowed: true }\n',
  );
  runGit(repository, 'init', '--quiet', '--initial-branch=main');
  runGit(repository, 'config', '--local', DEMO_MARK, 'true');
  runGit(repository, 'add', '--all');
  runGit(repository, 'commit', '--quiet', '--message=first');
  const { PATH = '' } = process.env;
  const environment = {
    PATH,
    HOME: folder,
    XDG_STATE_HOME: join(folder, 'state'),
    XDG_DATA_HOME: join(folder, 'data'),
    XDG_CACHE_HOME: join(folder, 'cache'),
  };
  const dispose = async () => {
    await killAllIn(folder);
    rmSync(folder, { recursive: true, force: true });
  };
  const state = join(environment.XDG_STATE_HOME, 'legion/legions/bench');
  return { folder, repository, environment, state, dispose };
}

export function runGit(folder: string, ...args: readonly string[]): string {
  const { PATH = '' } = process.env;
  const env = {
    PATH,
    HOME: folder,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'Bench',
    GIT_AUTHOR_EMAIL: 'bench@localhost',
    GIT_COMMITTER_NAME: 'Bench',
    GIT_COMMITTER_EMAIL: 'bench@localhost',
  };
  return execFileSync('git', ['-C', folder, ...args], { env, stdio: ['ignore', 'pipe', 'ignore'] })
    .toString()
    .trim();
}

export const FEATURE = {
  body: `The library should export a function that greets a person by name.

Acceptance criteria:
- greet("Ada") returns "Hello, Ada"
- an empty name is refused`,
  labels: ['chore'],
  status: 'Triage',
  priority: 0,
  blockedBy: [],
} as const;

/**
 * Waits until finished workspaces are removed, because removing them would slow down the next
 * measurement.
 */
export async function waitForCleanWorkspaces(
  { environment: { XDG_DATA_HOME = '' } }: BenchLegion,
  signal: AbortSignal,
): Promise<void> {
  const root = join(XDG_DATA_HOME, 'legion/workspaces/bench');
  await waitUntil(() => readdirSync(root).every((name) => name.startsWith('.')), {
    what: 'the workspaces to be removed',
    deadlineMs: CLEAN_DEADLINE_MS,
    signal,
  });
}
