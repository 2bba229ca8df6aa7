/** Lets the work trees that have the base checked out follow a merge, and refuses beforehand where that would endanger anything in them. */

import { LegionError } from '../../../core/model/fault.ts';
import type { Clock } from '../../../domain/clock.ts';
import type { Desk } from '../../../forges/local/desk.ts';
import type { Repository } from '../../forge-support/repository.ts';
import { describeObstacle, findObstacles, isIndexLocked, readTrees } from './obstacles.ts';

/** The user's own git holds its index for a moment; retries after 0.1, 0.2, 0.4, 0.8 and 1.6 s. */
const LOCKED_RETRY_MS: readonly number[] = [100, 200, 400, 800, 1_600];

/**
 * If only the reference moved, the work tree would look as if somebody had staged the opposite of the merge, and the next
 * `git commit -a` there would undo it. So a merge takes every work tree on the base along. It keeps uncommitted changes to
 * other files; changes to files that the merge changes refuse it before anything lands.
 */
export async function refuseUnsafeWorkTrees(
  desk: Desk,
  from: string,
  to: string,
): Promise<readonly string[]> {
  const { repository, clock } = desk;
  const folders = await repository.workTreesOn(repository.base);
  for (const folder of folders) await untilUnlocked(clock, folder);
  const obstacles = await findObstacles(desk, from, to);
  if (obstacles.length > 0) {
    const each = obstacles.map((obstacle) => `${obstacle.folder}: ${describeObstacle(obstacle)}`);
    throw new LegionError('forge.base_in_use', each.join('; '));
  }
  return folders;
}

/** For work trees that were found safe a moment ago: git itself still refuses to overwrite what has been changed since. */
export function takeAlong(
  { repository, clock }: Desk,
  folders: readonly string[],
  from: string,
  to: string,
): Promise<string | undefined> {
  return noted(folders, async (folder) => {
    await untilUnlocked(clock, folder);
    await follow(repository, folder, from, to);
    return undefined;
  });
}

/** Some time after the merge. Returns what a person should know: which work tree stayed behind after all, and why. */
export async function followMerge(desk: Desk, from: string, to: string): Promise<string | undefined> {
  const { repository } = desk;
  const obstacles = await findObstacles(desk, from, to);
  return noted(await repository.workTreesOn(repository.base), async (folder) => {
    if (await hasFollowed(repository, folder, from, to)) return undefined;
    const obstacle = obstacles.find((each) => each.folder === folder);
    if (obstacle === undefined) await follow(repository, folder, from, to);
    return obstacle === undefined ? undefined : describeObstacle(obstacle);
  });
}

function follow(repository: Repository, folder: string, from: string, to: string): Promise<void> {
  return readTrees(repository, folder, ['-m', '-u', from, to]);
}

/** Every path that the merge changes is in the index as the merge left it. */
async function hasFollowed(
  { run, runIn }: Repository,
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

/** Gives up quietly: whoever asked finds the lock among the obstacles, or git refuses by itself. */
async function untilUnlocked(clock: Pick<Clock, 'sleep'>, folder: string): Promise<void> {
  for (const pause of LOCKED_RETRY_MS) {
    if (!(await isIndexLocked(folder))) return;
    await clock.sleep(pause);
  }
}

/** The merge has landed by now: whatever keeps a work tree from following it is a note and not a failure. */
async function noted(
  folders: readonly string[],
  work: (folder: string) => Promise<string | undefined>,
): Promise<string | undefined> {
  const notes: string[] = [];
  for (const folder of folders) {
    const why = await work(folder).catch((error: unknown) =>
      error instanceof Error ? error.message : String(error),
    );
    if (why !== undefined) notes.push(`${folder} was left as it is: ${why}`);
  }
  return notes.length === 0 ? undefined : notes.join('; ');
}
