/** Resets the crash counter of a worker, so that it may start again. */
import type { EventBody } from '../../../core/model/event.ts';
import { LegionError } from '../../../core/model/fault.ts';
import { toWorkerId, type WorkerId } from '../../../core/model/ids.ts';
import { isLive, toLifecycleState } from '../../../core/model/lifecycle.ts';
import { createDispatchEvent } from '../../../core/state/events.ts';
import type { WorkerRecord } from '../../../core/state/state.ts';
import type { ActionAnswer } from '../../../protocol/operator.ts';
import type { WorkerView } from '../../../protocol/workers.ts';
import type { StateContext } from '../../context/daemon-context.ts';
import { toWorkerView } from '../../present/worker.ts';
import { requireWorker } from './known-worker.ts';

export async function resetCrashes(context: StateContext, id: WorkerId, by: string): Promise<ActionAnswer> {
  const appended = await context.ledger.append((state) => buildCrashReset(requireWorker(state, id), by));
  const { issue, mode } = requireWorker(context.ledger.state, id);
  if (appended.length === 0) return { says: `${toWorkerId(issue, mode)} has no crashes to reset.` };
  context.wake(issue);
  return {
    says: `The crash count of ${toWorkerId(issue, mode)} was reset. If the issue is paused, run \`legion resume ${issue}\`.`,
  };
}

/** Returns no event if no crashes are counted. */
function buildCrashReset(worker: WorkerRecord, by: string): EventBody[] {
  const { issue, mode, failedLives, facts, crashGeneration } = worker;
  return failedLives.length === 0 && facts.pausedAt === undefined
    ? []
    : [{ type: 'crashes.reset', issue, mode, generation: crashGeneration + 1, by }];
}

/**
 * Gives a worker a new session version for its next start. Claims an attempt and stops it in the
 * same append, without starting a process. The only purpose of that attempt is to record the
 * version, which thus survives a restart and a pause of the issue.
 */
export async function setSessionVersion(
  context: StateContext,
  id: WorkerId,
  version: number,
): Promise<WorkerView> {
  await context.ledger.append((legion) => {
    const worker = requireWorker(legion, id);
    if (worker.version === version) return [];
    const state = toLifecycleState(worker.facts);
    const { issue, mode, host, agent, model } = worker;
    if (isLive(state)) throw new LegionError('worker.exists', `${toWorkerId(issue, mode)} is ${state}.`);
    const attempt = worker.attempt + 1;
    const order = { kind: 'spawn', issue, mode, attempt, version, purpose: 'start', agent, model } as const;
    return [
      createDispatchEvent(order, context.legionId, host),
      { type: 'attempt.stopped', issue, mode, attempt, why: `its session is now version ${version}` },
    ];
  });
  const worker = requireWorker(context.ledger.state, id);
  context.wake(worker.issue);
  return toWorkerView(context, worker);
}
