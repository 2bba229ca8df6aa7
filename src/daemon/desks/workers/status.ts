/** One worker with everything that is known of it now: its health, and what it has used up. */
import { workerId } from '../../../core/model/ids.ts';
import type { WorkerRecord } from '../../../core/state/state.ts';
import type { WorkerStatusView } from '../../../protocol/operator.ts';
import { spentBy } from '../../../swarm/spending.ts';
import type { Control } from '../../control.ts';
import { spendingView, workerStatusView } from '../../present/worker.ts';
import { spendingStep } from '../../supervise/spending-step.ts';
import type { World } from '../../world.ts';

export async function statusOf(
  world: World,
  control: Pick<Control, 'healthOf'>,
  worker: WorkerRecord,
  workspace: string | undefined,
): Promise<WorkerStatusView> {
  const judgement = await control.healthOf(workerId(worker.issue, worker.mode));
  const spent = spentBy(worker, world.clock.now());
  return workerStatusView(
    world,
    worker,
    workspace,
    judgement,
    spendingView(spent, spendingStep(world, worker)),
  );
}
