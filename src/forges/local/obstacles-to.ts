/** What stands in the way of merging a branch now, before anybody is sent to merge it. */

import { findObstacles } from '../../integrations/local/forge/obstacles.ts';
import type { CheckoutObstacle } from '../../ports/forge.ts';
import type { Desk } from './desk.ts';

/** None where the branch is gone or conflicts: then others say what is wrong. */
export async function obstaclesTo(
  desk: Desk,
  branch: string,
  signal: AbortSignal,
): Promise<readonly CheckoutObstacle[]> {
  const { repository, comparison } = desk;
  const heads = await repository.heads([branch]);
  const head = heads.get(branch);
  const base = heads.get(repository.base);
  if (head === undefined || base === undefined) return [];
  const merged = await comparison.merge(base, head, signal);
  return 'tree' in merged ? findObstacles(desk, base, merged.tree) : [];
}
