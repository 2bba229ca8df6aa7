/**
 * After a merge, updates the work trees that have the base checked out. Refuses a merge if the
 * update would lose changes.
 */
import type { Clock } from '../../../core/model/clock.ts';
import { LegionError } from '../../../core/model/fault.ts';
import type { GitRepository } from '../../forge-support/repository.ts';
import type { LocalForgeContext } from './context.ts';
import { describeObstacle, findObstacles, isIndexLocked, readTrees } from './obstacles.ts';

/**
 * Waits for the user's own git, which locks its index only briefly. Retries after 0.1, 0.2, 0.4,
 * 0.8 and 1.6 s.
 */
const LOCKED_RETRY_MS: readonly number[] = [100, 200, 400, 800, 1_600];

/**
 * Throws if a work tree on the base has uncommitted changes to files that the merge changes. Moving
 * only the reference would make the work tree look as if the opposite of the merge were staged, and
 * the next `git commit -a` would undo the merge. So a merge updates every work tree on the base and
 * keeps uncommitted changes to other files.
 */
export async function refuseUnsafeWorkTrees(
  context: LocalForgeContext,
  from: string,
  to: string,
): Promise<readonly string[]> {
  const { repository, clock } = context;
  const folders = await repository.workTreesOn(repository.base);
  for (const folder of folders) await waitUntilUnlocked(clock, folder);
  const obstacles = await findObstacles(context, from, to);
  if (obstacles.length > 0) {
    const each = obstacles.map((obstacle) => `${obstacle.folder}: ${describeObstacle(obstacle)}`);
    throw new LegionError('forge.base_in_use', each.join('; '));
  }
  return folders;
}

/**
 * Updates work trees that were just found to be safe. git itself refuses to overwrite changes made
 * since then.
 */
export function updateWorkTrees(
  { repository, clock }: LocalForgeContext,
  folders: readonly string[],
  from: string,
  to: string,
): Promise<string | undefined> {
  return collectNotes(folders, async (folder) => {
    await waitUntilUnlocked(clock, folder);
    await updateWorkTree(repository, folder, from, to);
    return undefined;
  });
}

/**
 * Updates work trees some time after the merge. Returns a note about those that could not be
 * updated, with the reason.
 */
export async function recoverWorkTrees(
  context: LocalForgeContext,
  from: string,
  to: string,
): Promise<string | undefined> {
  const { repository } = context;
  const obstacles = await findObstacles(context, from, to);
  return collectNotes(await repository.workTreesOn(repository.base), async (folder) => {
    if (await hasFollowed(repository, folder, from, to)) return undefined;
    const obstacle = obstacles.find((each) => each.folder === folder);
    if (obstacle === undefined) await updateWorkTree(repository, folder, from, to);
    return obstacle === undefined ? undefined : describeObstacle(obstacle);
  });
}

function updateWorkTree(repository: GitRepository, folder: string, from: string, to: string): Promise<void> {
  return readTrees(repository, folder, ['-m', '-u', from, to]);
}

/**
 * Returns whether the index already contains the merged version of every path that the merge
 * changes.
 */
async function hasFollowed(
  { run, runIn }: GitRepository,
  folder: string,
  from: string,
  to: string,
): Promise<boolean> {
  const names = ['-r', '-z', '--name-only', '--no-renames'];
  const incoming = await run(['diff-tree', ...names, from, to]);
  const open = await runIn(folder, ['diff-index', '--cached', '-z', '--name-only', '--no-renames', to, '--']);
  const differing = new Set(open.out.split('\0'));
  return !incoming.out.split('\0').some((path) => path !== '' && differing.has(path));
}

/**
 * Waits for a limited time and then returns even if the index is still locked. The lock is then
 * reported as an obstacle, or git itself refuses.
 */
async function waitUntilUnlocked(clock: Pick<Clock, 'sleep'>, folder: string): Promise<void> {
  for (const pause of LOCKED_RETRY_MS) {
    if (!(await isIndexLocked(folder))) return;
    await clock.sleep(pause);
  }
}

/** Collects notes instead of failing, because the merge has already landed. */
async function collectNotes(
  folders: readonly string[],
  work: (folder: string) => Promise<string | undefined>,
): Promise<string | undefined> {
  const notes: string[] = [];
  for (const folder of folders) {
    const why = await work(folder).catch((error: unknown) =>
      error instanceof Error ? error.message : String(error),
    );
    if (why !== undefined) notes.push(`${folder} was not updated: ${why}`);
  }
  return notes.length === 0 ? undefined : notes.join('; ');
}
