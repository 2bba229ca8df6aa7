/** Gives a worker a new version of its session; its next start begins there. */
import { LegionError } from '../../../core/model/fault.ts';
import { type WorkerId, workerId } from '../../../core/model/ids.ts';
import { dispatched } from '../../../core/state/events.ts';
import { isLive, lifecycleOf } from '../../../domain/lifecycle.ts';
import type { WorkerView } from '../../../protocol/operator.ts';
import { workerView } from '../../present/worker.ts';
import type { World } from '../../world.ts';
import { knownWorker } from './known-worker.ts';

/**
 * An attempt that is claimed and stopped in one append, without a process: it carries the version, so that it is known
 * after a restart and also while the issue is paused, and starts nothing by itself.
 */
export async function reversion(world: World, id: WorkerId, version: number): Promise<WorkerView> {
  await world.ledger.append((swarm) => {
    const worker = knownWorker(swarm, id);
    if (worker.version === version) return [];
    const state = lifecycleOf(worker.facts);
    const { issue, mode, host, agent, model } = worker;
    if (isLive(state)) throw new LegionError('worker.exists', `${workerId(issue, mode)} is ${state}`);
    const attempt = worker.attempt + 1;
    const order = { kind: 'spawn', issue, mode, attempt, version, purpose: 'start', agent, model } as const;
    return [
      dispatched(order, world.legionId, host),
      { type: 'attempt.stopped', issue, mode, attempt, why: `its session is version ${version} now` },
    ];
  });
  const worker = knownWorker(world.ledger.swarm, id);
  world.wake(worker.issue);
  return workerView(world, worker);
}
