/** Holds an attempt to its budget: warns it, asks it to come to an end, and stops it if it does not. */
import type { EventBody } from '../../core/model/event.ts';
import { workerId } from '../../core/model/ids.ts';
import type { Swarm, WorkerRecord } from '../../core/state/state.ts';
import { type Order, stopWorker } from '../stop-worker.ts';
import type { World } from '../world.ts';
import { spendingStep } from './spending-step.ts';

/** Resolves to when to look again, if time alone may change something. */
export async function holdToBudget(
  world: World,
  worker: WorkerRecord,
  order: Order,
): Promise<number | undefined> {
  const { step, why, warning, lookAgainAt } = spendingStep(world, worker);
  const { clock, ledger } = world;
  const { issue, mode, attempt, crashGeneration: generation } = worker;
  const about = { issue, mode, attempt, generation };
  const tell = (event: EventBody) => ledger.append((swarm) => (isPresent(swarm, worker) ? [event] : []));
  switch (step) {
    case 'nothing':
    case 'wait':
      return lookAgainAt;
    case 'warn':
      await tell({ type: 'attempt.warned', ...about, warning: warning ?? 'budget', why });
      return clock.now();
    case 'ask':
      await tell({ type: 'attempt.asked_to_stop', ...about, why });
      return clock.now();
    case 'stop':
      await stopWorker(world, order, workerId(issue, mode), why);
      // What now is the next decision's business: it starts nobody, and tells a person.
      world.wake(issue);
      return undefined;
  }
}

function isPresent({ workers }: Swarm, { issue, mode, attempt }: WorkerRecord): boolean {
  return workers.get(workerId(issue, mode))?.attempt === attempt;
}
