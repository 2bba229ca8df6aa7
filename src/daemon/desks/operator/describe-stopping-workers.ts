/** Names the workers that are being stopped, of one issue or of all, and how long that may take; empty where there are none. */
import { type IssueId, workerId } from '../../../core/model/ids.ts';
import { describeStopping } from '../../../domain/stopping.ts';
import { stoppingWorkers } from '../../../swarm/stopping.ts';
import { workersOf } from '../../../swarm/workers.ts';
import type { World } from '../../world.ts';

export function describeStoppingWorkers(
  { ledger: { swarm }, settings, clock }: World,
  issue?: IssueId,
): string {
  const workers = issue === undefined ? undefined : workersOf(swarm, issue);
  return stoppingWorkers(swarm, settings().health, workers)
    .map(
      ({ issue: id, mode, stopping }) =>
        `${workerId(id, mode)} is ${describeStopping(stopping, clock.now())}.`,
    )
    .join(' ');
}
