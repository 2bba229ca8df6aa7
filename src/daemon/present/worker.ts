/** Converts workers to their wire format. Each worker is shown with its current attempt. */

import type { Spending } from '../../core/health/budget.ts';
import type { HealthJudgement } from '../../core/health/judgement.ts';
import type { SpendingStep } from '../../core/health/overspending.ts';
import { toWorkerId } from '../../core/model/ids.ts';
import { hasEnded, toLifecycleState } from '../../core/model/lifecycle.ts';
import type { LegionState, WorkerRecord } from '../../core/state/state.ts';
import { findPendingStop } from '../../core/state/stopping.ts';
import { hasExited } from '../../core/state/workers.ts';
import type { WorkerStatusView, WorkerView } from '../../protocol/workers.ts';
import type { DaemonContext } from '../context/daemon-context.ts';
import { findStateSince } from './issue-state.ts';

export function toWorkerView(
  { ledger, settings }: Pick<DaemonContext, 'ledger' | 'settings'>,
  worker: WorkerRecord,
  workspace?: string,
): WorkerView {
  const { issue, mode, attempt, session, version, host, facts, process, exit, report, checkpoint } = worker;
  return {
    id: toWorkerId(issue, mode),
    issue,
    mode,
    attempt,
    sessionId: session,
    version,
    host,
    ...pickAgent(worker),
    status: toLifecycleState(facts),
    stopping: findPendingStop(ledger.state, worker, settings().health),
    ...(hasExited(worker) ? { hasExited: true } : {}),
    ...(process === undefined ? {} : { pid: process.pid }),
    startedAt: facts.dispatchedAt,
    since: findStateSince(worker),
    spentUsd: worker.spent.earlier.usd + worker.spent.now.usd,
    ...(exit === undefined ? {} : { exit }),
    crashes: worker.failedLives.length,
    crashCount: worker.failedLives.length,
    ...(report === undefined ? {} : { report }),
    ...(checkpoint === undefined ? {} : { checkpoint: copyCheckpoint(checkpoint) }),
    ...(workspace === undefined ? {} : { workspace }),
  };
}

export function toWorkerStatusView(
  context: Pick<DaemonContext, 'ledger' | 'settings'>,
  worker: WorkerRecord,
  workspace: string | undefined,
  { verdict, state, next, why, wouldChange, evidence }: HealthJudgement,
  spending: WorkerStatusView['spending'],
): WorkerStatusView {
  const health = { verdict, state, next, why, wouldChange, evidence: [...evidence] };
  return { ...toWorkerView(context, worker, workspace), health, spending };
}

export function toSpendingView(spent: Spending, step: SpendingStep): WorkerStatusView['spending'] {
  const { step: next, why, wouldChange, evidence } = step;
  return { ...spent, next, why, wouldChange, evidence: [...evidence] };
}

/**
 * Returns whether the issue's state was pruned. The worker is hidden in that case, because nothing
 * remains of it except its last attempt number, which is kept so that it is not reused.
 */
export function isForgotten(state: LegionState, { issue, facts }: WorkerRecord): boolean {
  const record = state.issues.get(issue);
  if (record === undefined || record.lastPrune === 0 || !hasEnded(toLifecycleState(facts))) return false;
  const reason = record.decision?.reason;
  return reason === undefined || reason === 'done' || reason === 'terminal';
}

function copyCheckpoint({
  stage,
  completed,
  remaining,
  lastAction,
  at,
}: NonNullable<WorkerRecord['checkpoint']>) {
  return { stage, completed: [...completed], remaining: [...remaining], lastAction, at };
}

function pickAgent({ agent, model }: WorkerRecord): Pick<WorkerView, 'agent' | 'model'> {
  return { ...(agent === undefined ? {} : { agent }), ...(model === undefined ? {} : { model }) };
}
