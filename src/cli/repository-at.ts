/** The repository a legion works on, looked at without its daemon. */
import { dirname } from 'node:path';
import { approvalsIn } from '../config/approval.ts';
import { expandHome } from '../config/paths.ts';
import { commandsFingerprint, promptsFingerprint } from '../config/repository/fingerprint.ts';
import { loadRepositoryConfig, readRepositoryConfig } from '../config/repository/load.ts';
import type { RepositoryConfig } from '../config/repository/schema.ts';
import { LegionError, type Result } from '../core/model/fault.ts';
import { type OwnPrompts, promptsAt, promptsIn, promptsTree } from '../daemon/repositories/prompts.ts';
import type { Environment } from '../domain/environment.ts';
import { type Git, gitRunner } from '../git/runner.ts';
import { unwrap } from '../lib/result.ts';
import { baseOf } from '../workspaces/git-worktree/base.ts';
import { commonFolder } from '../workspaces/git-worktree/repository.ts';
import type { Place } from './legion-location.ts';

export const REPOSITORY_FILE = '.legion/config.yml';

/** The forge of one machine has no remote; a name nobody gives one keeps the user's own ones out of it. */
const NO_REMOTE = 'legion.none';

export interface RepositoryAt {
  readonly path: string;
  readonly name: string;
  readonly base: string;
  /** On the base branch, which is the one that counts. */
  readonly inForce: Result<RepositoryConfig>;
  /** In the folder as it lies there now. */
  readonly inFolder: Result<RepositoryConfig>;
  readonly approved: Result<boolean>;
  /** Those that are as they must be, and what is wrong with the others. */
  readonly prompts: { readonly inForce: OwnPrompts; readonly inFolder: OwnPrompts };
  readonly promptsApproved: Result<boolean>;
}

/** Rejects with `repository.missing` where there is none, or one without a commit. */
export async function repositoryAt(
  { resolved, file, state }: Place,
  environment: Environment,
): Promise<RepositoryAt> {
  const [entry] = resolved.config.repos;
  const path = entry?.path === undefined ? dirname(file.path) : unwrap(expandHome(entry.path, environment));
  const git = gitRunner({ environment });
  const base = await baseBranch(git, path, entry?.base);
  const name = entry?.repo ?? path.split('/').at(-1) ?? path;
  const inForce = readRepositoryConfig(await committedText(git, path, base), `${base}:${REPOSITORY_FILE}`);
  const tree = await objectNamed(git, path, promptsTree(base));
  const prompts = { inForce: await promptsAt(git, path, base, tree), inFolder: promptsIn(path) };
  return {
    ...{ path, name, base, inForce, prompts },
    inFolder: loadRepositoryConfig(path),
    approved: inForce.ok ? approval(state, name, inForce.value) : { ok: true, value: false },
    promptsApproved:
      prompts.inForce.templates.size === 0
        ? { ok: true, value: true }
        : approvalsIn(state).approved(name, promptsFingerprint(prompts.inForce.texts)),
  };
}

/** Empty where the branch has no such file. */
async function committedText(git: Git, path: string, base: string): Promise<string> {
  const blob = await objectNamed(git, path, `refs/heads/${base}:${REPOSITORY_FILE}`);
  return blob === undefined ? '' : git.run(path, ['cat-file', 'blob', blob]);
}

async function objectNamed(git: Git, path: string, name: string): Promise<string | undefined> {
  return (await git.ask(path, ['rev-parse', '--verify', '--quiet', name]))?.trim();
}

/** The branch that pull requests go to. */
export async function baseBranch(git: Git, path: string, named?: string | undefined): Promise<string> {
  try {
    return (await baseOf(git, await commonFolder(git, path), { base: named, remote: NO_REMOTE })).name;
  } catch (error) {
    if (!(error instanceof LegionError)) throw error;
    if (error.code === 'workspace.not_a_repository') {
      throw new LegionError('repository.missing', `${path} is not a git repository`, { cause: error });
    }
    if (error.code !== 'workspace.no_commit') throw error;
    const next = 'make a first one: git commit --allow-empty -m "Begin"';
    throw new LegionError('repository.missing', `${path} has no commit yet; ${next}`, { cause: error });
  }
}

function approval(state: string, name: string, config: RepositoryConfig): Result<boolean> {
  const none = Object.values(config.commands).every((command) => command === undefined);
  return none ? { ok: true, value: true } : approvalsIn(state).approved(name, commandsFingerprint(config));
}
