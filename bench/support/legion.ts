/** A legion for a bench: a repository, a configuration and an environment in a temporary folder. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endAllOf } from '../../chaos/processes.ts';
import { DEMO_MARK } from '../../src/domain/scripted.ts';
import { waitUntil } from '../bench.ts';

/** Removing one takes milliseconds; many at once on a busy disk take longer. */
const CLEAN_DEADLINE_MS = 60_000;

export interface BenchLegion {
  readonly folder: string;
  readonly repository: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Where the legion keeps its state. */
  readonly state: string;
  /** Kills every process that was started with the folder, daemon and workers alike, and removes it. */
  dispose(): Promise<void>;
}

export const LAUNCHER = [process.execPath, join(import.meta.dirname, '../bin/legion.js')] as const;

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
  /** Whether the repository has a quality gate and CI of its own. */
  readonly commands: boolean;
  /** The `legion.yaml`, in place of one that allows 1,000 scripted workers. */
  readonly yaml?: string;
}

export function benchLegion({ commands, yaml = YAML }: BenchLegionOptions): BenchLegion {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'legion-bench-')));
  const repository = join(folder, 'repository');
  mkdirSync(join(repository, '.legion'), { recursive: true });
  writeFileSync(join(repository, 'legion.yaml'), yaml);
  writeFileSync(join(repository, '.gitignore'), 'legion.yaml\n');
  writeFileSync(
    join(repository, '.legion/config.yml'),
    commands ? OWN : 'merge: { auto_merge_allowed: true }\n',
  );
  git(repository, 'init', '--quiet', '--initial-branch=main');
  git(repository, 'config', '--local', DEMO_MARK, 'true');
  git(repository, 'add', '--all');
  git(repository, 'commit', '--quiet', '--message=first');
  const { PATH = '' } = process.env;
  const environment = {
    PATH,
    HOME: folder,
    XDG_STATE_HOME: join(folder, 'state'),
    XDG_DATA_HOME: join(folder, 'data'),
    XDG_CACHE_HOME: join(folder, 'cache'),
  };
  const dispose = async () => {
    await endAllOf(folder);
    rmSync(folder, { recursive: true, force: true });
  };
  const state = join(environment.XDG_STATE_HOME, 'legion/legions/bench');
  return { folder, repository, environment, state, dispose };
}

export function git(folder: string, ...args: readonly string[]): string {
  const { PATH = '' } = process.env;
  const env = {
    ...{ PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: '1' },
    ...{ GIT_AUTHOR_NAME: 'Bench', GIT_AUTHOR_EMAIL: 'bench@localhost' },
    ...{ GIT_COMMITTER_NAME: 'Bench', GIT_COMMITTER_EMAIL: 'bench@localhost' },
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

/** Removing workspaces must not slow down what is measured next. */
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
