/** What a repository is: its common folder, and what is known of it without a process for each question. */
import { access, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { LegionError } from '../../core/model/fault.ts';
import { lately } from '../../git/lately.ts';
import { lookupOnce, type ObjectLookup } from '../../git/lookup.ts';
import type { Git } from '../../git/runner.ts';
import { LIST_WORK_TREES, type WorkTreeFinder, workTreeFinder } from '../../git/work-trees.ts';
import { type Base, type BaseOptions, baseFinder } from './base.ts';
import { unlessAbsent } from './faults.ts';

/** The real path of the folder that all worktrees of the repository share. */
export async function commonFolder(git: Git, repository: string): Promise<string> {
  const folder = await unlessAbsent(realpath(repository));
  // Looked at here, because git would go on looking in the folders above.
  if (folder === undefined || !((await there(folder, '.git')) || (await isBare(folder)))) {
    throw new LegionError('workspace.not_a_repository', `${repository} is not a git repository`);
  }
  const printed = await git.run(folder, ['rev-parse', '--path-format=absolute', '--git-common-dir']);
  return realpath(printed.trimEnd());
}

export interface RepositoryView {
  readonly common: string;
  readonly lookup: ObjectLookup;
  readonly workTreesOn: WorkTreeFinder;
  findBase(): Promise<Base>;
  /** These two follow from the commits alone, by which they are remembered. */
  readonly distances: Remembering<{ readonly ahead: number; readonly behind: number }>;
  readonly conflicts: Remembering<readonly string[]>;
}

type Remembering<T> = (commits: string, ask: () => Promise<T>) => Promise<T>;

export interface RepositoryViewOptions extends BaseOptions {
  readonly common: string;
  readonly lookup?: ObjectLookup | undefined;
}

export function viewRepository(git: Git, options: RepositoryViewOptions): RepositoryView {
  const { common, lookup = lookupOnce(git, common) } = options;
  return {
    common,
    lookup,
    workTreesOn: workTreeFinder(common, () => git.run(common, LIST_WORK_TREES)),
    findBase: baseFinder(git, common, options, lookup),
    distances: lately(),
    conflicts: lately(),
  };
}

async function isBare(folder: string): Promise<boolean> {
  return (await there(folder, 'HEAD')) && (await there(folder, 'objects'));
}

async function there(folder: string, name: string): Promise<boolean> {
  return (await unlessAbsent(access(join(folder, name)).then(() => true))) ?? false;
}
