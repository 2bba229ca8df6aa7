/** Workers as they go over the wire: the present attempt of each. */

import type { SpendingStep } from '../../core/health/overspending.ts';
import { workerId } from '../../core/model/ids.ts';
import type { Swarm, WorkerRecord } from '../../core/state/state.ts';
import { hasEnded, lifecycleOf } from '../../domain/lifecycle.ts';
import type { Judgement } from '../../health/judgement.ts';
import type { Spending } from '../../health/spending.ts';
import type { WorkerStatusView, WorkerView } from '../../protocol/operator.ts';
import { stoppingOf } from '../../swarm/stopping.ts';
import { hasExited } from '../../swarm/workers.ts';
import type { World } from '../world.ts';
import { stateSince } from './state-since.ts';

export function workerView(
  { ledger, settings }: Pick<World, 'ledger' | 'settings'>,
  worker: WorkerRecord,
  workspace?: string,
): WorkerView {
  const { issue, mode, attempt, session, version, host, facts, process, exit, report, checkpoint } = worker;
  return {
    id: workerId(issue, mode),
    issue,
    mode,
    attempt,
    sessionId: session,
    version,
    host,
    ...whoWorks(worker),
    status: lifecycleOf(facts),
    stopping: stoppingOf(ledger.swarm, worker, settings().health),
    ...(hasExited(worker) ? { hasExited: true } : {}),
    ...(process === undefined ? {} : { pid: process.pid }),
    startedAt: facts.dispatchedAt,
    since: stateSince(worker),
    spentUsd: worker.spent.earlier.usd + worker.spent.now.usd,
    ...(exit === undefined ? {} : { exit }),
    crashes: worker.failedLives.length,
    ...(report === undefined ? {} : { report }),
    ...(checkpoint === undefined ? {} : { checkpoint: copied(checkpoint) }),
    ...(workspace === undefined ? {} : { workspace }),
  };
}

export function listWorkers(world: Pick<World, 'ledger' | 'settings'>): WorkerView[] {
  const { swarm } = world.ledger;
  const all = [...swarm.workers.values()].filter((worker) => !isForgotten(swarm, worker));
  return all.map((worker) => workerView(world, worker));
}

export function workerStatusView(
  world: Pick<World, 'ledger' | 'settings'>,
  worker: WorkerRecord,
  workspace: string | undefined,
  { verdict, state, next, why, wouldChange, evidence }: Judgement,
  spending: WorkerStatusView['spending'],
): WorkerStatusView {
  const health = { verdict, state, next, why, wouldChange, evidence: [...evidence] };
  return { ...workerView(world, worker, workspace), health, spending };
}

export function spendingView(spent: Spending, step: SpendingStep): WorkerStatusView['spending'] {
  const { step: next, why, wouldChange, evidence } = step;
  return { ...spent, next, why, wouldChange, evidence: [...evidence] };
}

/** What is left of a pruned issue's worker is a number that must not repeat; nobody needs to see it. */
export function isForgotten(swarm: Swarm, { issue, facts }: WorkerRecord): boolean {
  const record = swarm.issues.get(issue);
  if (record === undefined || record.lastPrune === 0 || !hasEnded(lifecycleOf(facts))) return false;
  const reason = record.decision?.reason;
  return reason === undefined || reason === 'done' || reason === 'terminal';
}

function copied({ stage, completed, remaining, lastAction, at }: NonNullable<WorkerRecord['checkpoint']>) {
  return { stage, completed: [...completed], remaining: [...remaining], lastAction, at };
}

function whoWorks({ agent, model }: WorkerRecord): Pick<WorkerView, 'agent' | 'model'> {
  return { ...(agent === undefined ? {} : { agent }), ...(model === undefined ? {} : { model }) };
}
