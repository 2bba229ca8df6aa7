/** Forgets what is kept of issues that are over and cleaned up. */
import type { IssueId } from '../../../core/model/ids.ts';
import { isFinished, readStatus } from '../../../core/model/status.ts';
import { pruneEvents } from '../../../swarm/retention.ts';
import type { World } from '../../world.ts';
import { reading } from '../read-outside.ts';

export async function prune(world: World): Promise<{ readonly pruned: readonly IssueId[] }> {
  const { columns } = world.settings();
  const board = await reading((signal) => world.tracker.list(signal));
  const kept = new Set((await world.workspaces.list()).map(({ issue }) => issue));
  const over = board.filter(({ id, column }) => {
    const status = readStatus(column, columns);
    return isFinished(status) && !kept.has(id);
  });
  const pruned = await world.ledger.append((swarm) => over.flatMap(({ id }) => pruneEvents(swarm, id)));
  return { pruned: pruned.flatMap((event) => (event.type === 'issue.pruned' ? [event.issue] : [])) };
}
