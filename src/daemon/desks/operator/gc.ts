/** Removes workspaces of issues that are over, and what dead processes left in the repository. */

import { type IssueId, workerId } from '../../../core/model/ids.ts';
import { isFinished, readStatus } from '../../../core/model/status.ts';
import { lifecycleOf } from '../../../domain/lifecycle.ts';
import type { GcAnswer } from '../../../protocol/upkeep.ts';
import type { Control } from '../../control.ts';
import { faultOf } from '../../troubles.ts';
import type { World } from '../../world.ts';
import { reading } from '../read-outside.ts';
import { workerAt } from '../workers/may-start.ts';

export async function gc(world: World, control: Control): Promise<GcAnswer> {
  const { columns } = world.settings();
  // Complete or an error: an issue that is not in it is really gone from the board.
  const board = await reading((signal) => world.tracker.list(signal));
  const statuses = new Map(board.map(({ id, column }) => [id, readStatus(column, columns)]));
  const answer: GcAnswer = { removed: [], kept: [], pruned: [] };
  for (const { issue } of await world.workspaces.list()) {
    const status = statuses.get(issue);
    if (status !== undefined && !isFinished(status)) continue;
    const why = await keptBecause(world, control, issue);
    if (why === undefined) answer.removed.push(issue);
    else answer.kept.push({ issue, why });
  }
  for (const { path } of world.repositories.all) answer.pruned.push(...(await world.workspaces.prune(path)));
  return answer;
}

/** One that cannot be removed is said to be, and the others go on. */
async function keptBecause(world: World, control: Control, issue: IssueId): Promise<string | undefined> {
  const at = workerAt(world.ledger.swarm, issue);
  if (at !== undefined) return `${workerId(issue, at.mode)} is ${lifecycleOf(at.facts)}`;
  try {
    const removal = await control.cleanWorkspace(issue);
    return removal.removed ? undefined : `it holds ${removal.holds.join('; ')}`;
  } catch (error) {
    return faultOf(error).message;
  }
}
