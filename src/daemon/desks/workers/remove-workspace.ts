/** Removes the workspace of an issue that is over, unless something in it would be lost. */

import { LegionError } from '../../../core/model/fault.ts';
import { type IssueId, type WorkerId, workerId } from '../../../core/model/ids.ts';
import { isFinished, readStatus } from '../../../core/model/status.ts';
import { lifecycleOf } from '../../../domain/lifecycle.ts';
import type { Said } from '../../../protocol/operator.ts';
import type { Control } from '../../control.ts';
import type { World } from '../../world.ts';
import { reading } from '../read-outside.ts';
import { knownWorker } from './known-worker.ts';
import { workerAt } from './may-start.ts';

export async function removeWorkspace(world: World, control: Control, id: WorkerId): Promise<Said> {
  const { issue } = knownWorker(world.ledger.swarm, id);
  const needed = await neededBy(world, issue);
  if (needed !== undefined) throw new LegionError('workspace.in_use', `${issue}: ${needed}`);
  if ((await world.workspaces.find(issue)) === undefined) return { says: `${issue} has no workspace.` };
  const removal = await control.cleanWorkspace(issue);
  if (!removal.removed)
    throw new LegionError('workspace.holds_work', `${issue}: ${removal.holds.join('; ')}`);
  return { says: `The workspace of ${issue} is removed.` };
}

async function neededBy(world: World, issue: IssueId): Promise<string | undefined> {
  const at = workerAt(world.ledger.swarm, issue);
  if (at !== undefined) return `${workerId(issue, at.mode)} is ${lifecycleOf(at.facts)}`;
  const onBoard = await reading((signal) => world.tracker.read(issue, signal));
  if (onBoard === undefined) return undefined;
  const status = readStatus(onBoard.column, world.settings().columns);
  return isFinished(status) ? undefined : `it is in ${onBoard.column}`;
}
