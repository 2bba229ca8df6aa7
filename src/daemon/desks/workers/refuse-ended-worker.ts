/** Refuses a message that is only for a working worker, and says when it can be sent. */
import { LegionError } from '../../../core/model/fault.ts';
import { workerId } from '../../../core/model/ids.ts';
import type { SeenStatus } from '../../../core/model/status.ts';
import type { WorkerRecord } from '../../../core/state/state.ts';
import { lifecycleOf } from '../../../domain/lifecycle.ts';
import { describeStopping } from '../../../domain/stopping.ts';
import { STATUSES_WITHOUT_WORKERS } from '../../../swarm/stop-unwanted.ts';
import { stoppingOf } from '../../../swarm/stopping.ts';
import type { World } from '../../world.ts';
import { workerAt } from './may-start.ts';

/** Also refuses for a crashed worker: its phase may be over. `status`: of its issue. */
export function refuseEndedWorker(world: World, worker: WorkerRecord, status: SeenStatus): void {
  const { issue, mode, facts } = worker;
  const { swarm } = world.ledger;
  const at = workerAt(swarm, issue);
  if (at?.mode === mode) return;
  const stopping = stoppingOf(swarm, worker, world.settings().health);
  const state = stopping === undefined ? lifecycleOf(facts) : describeStopping(stopping, world.clock.now());
  const now = at === undefined ? '' : ` Now ${workerId(issue, at.mode)} is ${lifecycleOf(at.facts)}.`;
  const message = `${workerId(issue, mode)} is ${state}, so the message was not sent.${now}`;
  const startsAgain = stopping !== undefined && at === undefined && !STATUSES_WITHOUT_WORKERS.has(status);
  const next = startsAgain ? describeRestart(world, worker) : describeAlternatives(worker, at);
  throw new LegionError('worker.ended', message, { next });
}

/** A stop that holds the issue is refused before as a pause, so this worker was stopped to start again. */
function describeRestart({ ledger, settings }: World, { issue }: WorkerRecord): string {
  if (ledger.swarm.breaker.open !== undefined)
    return 'No worker starts at present: run `legion resume`, then send the message again when the worker is working.';
  return settings().autoAdvance
    ? 'It starts again by itself when its process has ended; send the message again then.'
    : `Run \`legion advance ${issue}\` when its process has ended, then send the message again.`;
}

function describeAlternatives({ issue, mode }: WorkerRecord, at: WorkerRecord | undefined): string {
  const restart = `\`legion prompt ${issue} --mode ${mode} "…"\``;
  return at === undefined
    ? `Run ${restart} to start it again.`
    : `Run \`legion view ${issue}\` to talk to the worker that is working, or ${restart} to leave a message for this one.`;
}
