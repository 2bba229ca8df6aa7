/**
 * Enforces an attempt's budget: warns the worker, asks it to finish, and stops it if it does not.
 */

import type { EventBody } from '../../core/model/event.ts';
import { toWorkerId } from '../../core/model/ids.ts';
import type { LegionState, WorkerRecord } from '../../core/state/state.ts';
import { decideAttemptSpending } from '../context/attempt-spending.ts';
import type { StateContext } from '../context/daemon-context.ts';
import { type CommandExecutor, stopWorker } from './stop-process.ts';

/** Resolves to the time of the next check, if time alone may change something. */
export async function enforceBudget(
  context: StateContext,
  worker: WorkerRecord,
  order: CommandExecutor,
): Promise<number | undefined> {
  const { step, why, warning, lookAgainAt } = decideAttemptSpending(context, worker);
  const { clock, ledger } = context;
  const { issue, mode, attempt, crashGeneration: generation } = worker;
  const about = { issue, mode, attempt, generation };
  const record = (event: EventBody) => ledger.append((state) => (isPresent(state, worker) ? [event] : []));
  switch (step) {
    case 'nothing':
    case 'wait':
      return lookAgainAt;
    case 'warn':
      await record({ type: 'attempt.warned', ...about, warning: warning ?? 'budget', why });
      return clock.now();
    case 'ask':
      await record({ type: 'attempt.asked_to_stop', ...about, why });
      return clock.now();
    case 'stop':
      await stopWorker(context, order, toWorkerId(issue, mode), why);
      // After this wake-up, the next decision notifies a person and starts no further worker.
      context.wake(issue);
      return undefined;
  }
}

function isPresent({ workers }: LegionState, { issue, mode, attempt }: WorkerRecord): boolean {
  return workers.get(toWorkerId(issue, mode))?.attempt === attempt;
}
