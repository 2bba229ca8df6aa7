/** Which workers are being stopped, how long they may take, and what that means for what their issue waits for. */

import type { IssueId } from '../core/model/ids.ts';
import { findStop, isStopping } from '../core/state/halt.ts';
import type { Swarm, WorkerRecord } from '../core/state/state.ts';
import type { Until } from '../domain/decision.ts';
import type { Mode } from '../domain/mode.ts';
import { describeStopping, type Stopping } from '../domain/stopping.ts';
import { type HealthLimits, healthLimits } from '../health/limits.ts';
import { presentWorkers } from './workers.ts';

type StopLimits = Partial<Pick<HealthLimits, 'stopGrace'>>;

/** Undefined for a worker that was not stopped, or whose process has ended. */
export function stoppingOf(swarm: Swarm, worker: WorkerRecord, limits: StopLimits): Stopping | undefined {
  const { stoppedAt: since } = worker.facts;
  if (since === undefined || !isStopping(worker)) return undefined;
  const usual = since + healthLimits(limits).stopGrace;
  const { open } = swarm.breaker;
  // A halt ends every grace period.
  const graceEndsAt = open?.kind === 'halt' ? Math.min(usual, Math.max(since, open.since)) : usual;
  const why = findStop(swarm, worker)?.evidence[0];
  return { since, graceEndsAt, ...(why === undefined ? {} : { why }) };
}

interface StoppingWorker {
  readonly issue: IssueId;
  readonly mode: Mode;
  readonly stopping: Stopping;
}

export function stoppingWorkers(
  swarm: Swarm,
  limits: StopLimits,
  workers: readonly WorkerRecord[] = presentWorkers(swarm).map(([, worker]) => worker),
): readonly StoppingWorker[] {
  return workers.flatMap((worker): StoppingWorker[] => {
    const stopping = stoppingOf(swarm, worker, limits);
    return stopping === undefined ? [] : [{ issue: worker.issue, mode: worker.mode, stopping }];
  });
}

interface ExplainedState {
  readonly reason: string;
  readonly says: string;
  readonly until: Until;
}

/** Nothing starts for an issue before the processes that are being stopped have ended. */
export function explainWhileStopping(
  state: ExplainedState,
  workers: readonly StoppingWorker[],
  now: number,
): Pick<ExplainedState, 'says' | 'until'> {
  const { reason, says, until } = state;
  if (workers.length === 0) return { says, until };
  const plain = workers.map((worker) => describeWorker(worker, now)).join(' ');
  if (until.by === 'person' || reason === 'worker_live') return { says: `${says} ${plain}`, until };
  const reasoned = workers.map((worker) => describeWorker(worker, now, worker.stopping.why)).join(' ');
  const they = workers.length === 1 ? 'that worker has' : 'those workers have';
  if (until.by === 'nothing_more')
    return {
      says: `${says} ${reasoned}`,
      until: { by: 'nothing_more', what: `nothing more will happen once ${they} ended` },
    };
  return { says: reasoned, until: { by: 'event', what: `${they} ended` } };
}

function describeWorker({ mode, stopping }: StoppingWorker, now: number, why?: string): string {
  return `The ${mode} worker is ${describeStopping(stopping, now, why)}.`;
}
