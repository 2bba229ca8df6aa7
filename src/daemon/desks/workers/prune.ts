/** Forgets what is kept of issues that are over and cleaned up. */
import type { EventBody } from '../../../domain/event.ts';
import type { IssueId } from '../../../domain/ids.ts';
import { readStatus } from '../../../domain/status.ts';
import type { IssueRecord, Swarm } from '../../../swarm/state.ts';
import { workersOf } from '../../present/worker.ts';
import type { World } from '../../world.ts';
import { reading } from '../read-outside.ts';
import { workerAt } from './may-start.ts';

export async function prune(world: World): Promise<{ readonly pruned: readonly IssueId[] }> {
  const { columns } = world.settings();
  const board = await reading((signal) => world.tracker.list(signal));
  const kept = new Set((await world.workspaces.list()).map(({ issue }) => issue));
  const over = board.filter(({ id, column }) => {
    const status = readStatus(column, columns);
    return (status === 'Done' || status === 'terminal') && !kept.has(id);
  });
  const pruned = await world.ledger.append((swarm) => over.flatMap(({ id }) => forgotten(swarm, id)));
  return { pruned: pruned.flatMap((event) => (event.type === 'issue.pruned' ? [event.issue] : [])) };
}

function forgotten(swarm: Swarm, issue: IssueId): EventBody[] {
  const record = swarm.issues.get(issue);
  if (record === undefined || record.openIntents > 0 || workerAt(swarm, issue) !== undefined) return [];
  return record.lastPrune > 0 && !hasGrown(swarm, record)
    ? []
    : [{ type: 'issue.pruned', issue, prune: record.lastPrune + 1 }];
}

/** A decision alone is no reason: the next look at an issue that is over makes one again. */
function hasGrown(
  swarm: Swarm,
  { issue, evidence, owed, rounds, questions, handoffs, children }: IssueRecord,
) {
  const kept = [evidence, owed, rounds, questions, handoffs, children];
  const checkpoints = workersOf(swarm, issue).some(({ checkpoint }) => checkpoint !== undefined);
  return checkpoints || kept.some((part) => Object.keys(part).length > 0);
}
