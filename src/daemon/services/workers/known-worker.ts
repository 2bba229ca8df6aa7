/** Finds a worker by its id. */
import { LegionError, quoteText } from '../../../core/model/fault.ts';
import { toWorkerId, type WorkerId } from '../../../core/model/ids.ts';
import { computeWorkerSpending } from '../../../core/state/spending.ts';
import type { LegionState, WorkerRecord } from '../../../core/state/state.ts';
import type { WorkerStatusView } from '../../../protocol/workers.ts';
import { decideAttemptSpending } from '../../context/attempt-spending.ts';
import type { StateContext } from '../../context/daemon-context.ts';
import type { LoopControl } from '../../loop/control.ts';
import { toSpendingView, toWorkerStatusView } from '../../present/worker.ts';

/** Throws if no worker has this id. Ids are in lower case; other spellings are accepted. */
export function requireWorker(state: LegionState, worker: WorkerId): WorkerRecord {
  const found = state.workers.get(worker.toLowerCase());
  if (found === undefined) throw new LegionError('worker.unknown', `Unknown worker ${quoteText(worker)}.`);
  return found;
}

/** Describes one worker with its current health and usage. */
export async function readWorkerStatus(
  context: StateContext,
  control: Pick<LoopControl, 'judgeHealth'>,
  worker: WorkerRecord,
  workspace: string | undefined,
): Promise<WorkerStatusView> {
  const judgement = await control.judgeHealth(toWorkerId(worker.issue, worker.mode));
  const spent = computeWorkerSpending(worker, context.clock.now());
  return toWorkerStatusView(
    context,
    worker,
    workspace,
    judgement,
    toSpendingView(spent, decideAttemptSpending(context, worker)),
  );
}
