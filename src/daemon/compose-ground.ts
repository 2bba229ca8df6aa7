/** Where the code of a repository lies on this machine: a folder that is there, or a clone of our own that follows GitHub. */

import { basename } from 'node:path';
import type { LegionConfig } from '../config/legion/schema.ts';
import { expandHome } from '../config/paths.ts';
import { LegionError } from '../core/model/fault.ts';
import type { Environment } from '../domain/environment.ts';
import { DEMO_MARK } from '../domain/scripted.ts';
import { type Lookup, openLookup } from '../git/lookup.ts';
import { type Git, gitRunner } from '../git/runner.ts';
import { unwrap } from '../lib/result.ts';
import { type BaseOptions, baseOf } from '../workspaces/git-worktree/base.ts';
import { commonFolder } from '../workspaces/git-worktree/repository.ts';

export type RepositoryEntry = LegionConfig['repos'][number];

export interface Ground {
  readonly name: string;
  readonly path: string;
  /** The real path of the folder all its worktrees share. */
  readonly common: string;
  readonly base: string;
  readonly ref: string;
  /** How its base is found, for whoever makes workspaces. */
  readonly baseOptions: BaseOptions;
  readonly git: Git;
  readonly lookup: Lookup;
  /** Marked as a demo's when it was made: scripted work may be merged into it. */
  readonly isDemo: boolean;
  /** Brings here what the forge has; nothing where the forge is this very folder. */
  renew(signal?: AbortSignal): Promise<void>;
}

/** Undefined where `repos` is empty: the folder of `legion.yaml` then. */
export async function folderGround(
  entry: RepositoryEntry | undefined,
  folder: string,
  environment: Environment,
): Promise<Ground> {
  const path = entry?.path === undefined ? folder : homePath(entry.path, environment);
  const baseOptions = { base: entry?.base, remote: { none: true } } as const;
  const name = entry?.repo ?? basename(path);
  return ground({ name, path, baseOptions, environment, renew: async () => undefined });
}

export async function ground(
  given: Pick<Ground, 'name' | 'path' | 'baseOptions' | 'renew'> & { readonly environment: Environment },
): Promise<Ground> {
  const { environment, path, baseOptions, name, renew } = given;
  const git = gitRunner({ environment });
  const common = await found(() => commonFolder(git, path));
  const { name: base, ref } = await baseOf(git, common, baseOptions);
  const isDemo = await isDemoRepository(git, common);
  const lookup = openLookup({ environment }, common);
  return { name, path, common, base, ref, baseOptions, git, lookup, isDemo, renew };
}

/** Only the repository's own configuration counts: nobody marks all repositories of a machine by a slip. */
async function isDemoRepository(git: Git, common: string): Promise<boolean> {
  const mark = await git.ask(common, ['config', '--local', '--type=bool', '--get', DEMO_MARK]);
  return mark?.trim() === 'true';
}

export function homePath(path: string, environment: Environment): string {
  return unwrap(expandHome(path, environment));
}

async function found<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof LegionError && error.code === 'workspace.not_a_repository')
      throw new LegionError('repository.missing', error.message, { cause: error });
    throw error;
  }
}
