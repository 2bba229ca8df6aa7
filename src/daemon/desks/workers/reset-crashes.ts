/** Forgets the crashes of a worker, so that it may start again. */
import type { EventBody } from '../../../core/model/event.ts';
import { type WorkerId, workerId } from '../../../core/model/ids.ts';
import type { WorkerRecord } from '../../../core/state/state.ts';
import type { Said } from '../../../protocol/operator.ts';
import type { World } from '../../world.ts';
import { knownWorker } from './known-worker.ts';

export async function resetCrashes(world: World, id: WorkerId, by: string): Promise<Said> {
  const appended = await world.ledger.append((swarm) => crashesForgotten(knownWorker(swarm, id), by));
  const { issue, mode } = knownWorker(world.ledger.swarm, id);
  if (appended.length === 0) return { says: `${workerId(issue, mode)} has no crash that counts.` };
  world.wake(issue);
  return {
    says: `The crashes of ${workerId(issue, mode)} are forgotten. A paused issue goes on with \`legion resume ${issue}\`.`,
  };
}

/** Nothing where nothing is counted. */
function crashesForgotten(worker: WorkerRecord, by: string): EventBody[] {
  const { issue, mode, failedLives, facts, crashGeneration } = worker;
  return failedLives.length === 0 && facts.pausedAt === undefined
    ? []
    : [{ type: 'crashes.reset', issue, mode, generation: crashGeneration + 1, by }];
}
