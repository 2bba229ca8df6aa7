/**
 * Applies events about an attempt's spending, its warnings and the progress of its turns, and about
 * clock jumps.
 */

import { NO_SPENDING } from '../../health/budget.ts';
import type { EventOf } from '../../model/event.ts';
import { toWorkerId } from '../../model/ids.ts';
import { hasEnded, isLive, toLifecycleState } from '../../model/lifecycle.ts';
import { computeWorkerSpending, recordSpending } from '../spending.ts';
import type { LegionState, WorkerRecord } from '../state.ts';
import { listPresentWorkers, setWorker } from '../workers.ts';

type SpendingEvent = EventOf<'attempt.spent' | 'attempt.warned' | 'attempt.asked_to_stop'>;

export function evolveSpending(state: LegionState, event: SpendingEvent): boolean {
  const id = toWorkerId(event.issue, event.mode);
  const worker = state.workers.get(id);
  if (worker === undefined || event.attempt !== worker.attempt) return false;
  const next =
    event.type === 'attempt.spent' ? applySpending(worker, event) : applyBudgetNotice(worker, event);
  if (next === undefined) return false;
  if (event.type === 'attempt.spent') recordSpending(state, event.at, worker.spent.now, next.spent.now);
  setWorker(state, id, next);
  return true;
}

/** Amounts only grow, so an amount that is not higher is repeated or late. */
function applySpending(worker: WorkerRecord, event: EventOf<'attempt.spent'>): WorkerRecord | undefined {
  const { now } = worker.spent;
  const { turns, tokens, usd } = event;
  if (turns <= now.turns && tokens <= now.tokens && usd <= now.usd) return undefined;
  const most = {
    turns: Math.max(turns, now.turns),
    tokens: Math.max(tokens, now.tokens),
    usd: Math.max(usd, now.usd),
  };
  const progress =
    turns > now.turns ? countIdleTurns(worker, event, turns - now.turns) : worker.spent.progress;
  return { ...worker, spent: { ...worker.spent, now: most, progress } };
}

/**
 * Counts turns as idle if nothing changed since the last count. An unreadable workspace counts as
 * changed.
 */
function countIdleTurns(worker: WorkerRecord, event: EventOf<'attempt.spent'>, turns: number): TurnProgress {
  const { progress } = worker.spent;
  const { lastCheckpoint: checkpoint, lastReport: report, lastWait: wait } = worker;
  const spoke = checkpoint !== progress.checkpoint || report !== progress.report || wait !== progress.wait;
  const changed = event.changedAt === undefined || event.changedAt >= progress.since;
  const idleTurns = spoke || changed ? 0 : progress.idleTurns + turns;
  return { idleTurns, since: event.at, checkpoint, report, wait };
}

type TurnProgress = WorkerRecord['spent']['progress'];

function applyBudgetNotice(
  worker: WorkerRecord,
  event: EventOf<'attempt.warned' | 'attempt.asked_to_stop'>,
): WorkerRecord | undefined {
  if (hasEnded(toLifecycleState(worker.facts))) return undefined;
  // A person has let the worker continue since this event was created, so the event no longer
  // applies.
  if (event.generation !== undefined && event.generation !== worker.crashGeneration) return undefined;
  if (event.type === 'attempt.asked_to_stop')
    return worker.askedToStop === undefined
      ? { ...worker, askedToStop: { at: event.at, why: event.why } }
      : undefined;
  if (worker.warnings.includes(event.warning)) return undefined;
  return { ...worker, warnings: [...worker.warnings, event.warning] };
}

/** Returns the initial spending record of a worker's next attempt. */
export function createSpendingRecord(before: WorkerRecord | undefined, at: number): WorkerRecord['spent'] {
  return {
    earlier: before === undefined ? NO_SPENDING : computeWorkerSpending(before, at),
    now: { turns: 0, tokens: 0, usd: 0 },
    skewMs: 0,
    granted: before?.spent.granted ?? NO_SPENDING,
    progress: { idleTurns: 0, since: at, checkpoint: 0, report: 0, wait: 0 },
  };
}

/**
 * Restarts the budgets after a person lets the worker continue: previous spending is no longer
 * charged, and earlier warnings are cleared. A running worker is warned again, and asked again to
 * end by itself, before it is stopped.
 */
export function resetBudget({ askedToStop: _, ...worker }: WorkerRecord, at: number): WorkerRecord {
  const progress = { ...worker.spent.progress, idleTurns: 0 };
  return {
    ...worker,
    warnings: [],
    spent: { ...worker.spent, granted: computeWorkerSpending(worker, at), progress },
  };
}

/** Adjusts live workers only. The working times of ended and waiting workers are already fixed. */
export function evolveJump(state: LegionState, { jump, byMs }: EventOf<'clock.jumped'>): boolean {
  if (jump !== state.lastJump + 1) return false;
  state.lastJump = jump;
  for (const [id, worker] of listPresentWorkers(state)) {
    if (!isLive(toLifecycleState(worker.facts))) continue;
    const { spent } = worker;
    // If the clock was set back, `since` moves back too. Otherwise all new workspace changes would
    // appear older than the last turn.
    const progress = { ...spent.progress, since: spent.progress.since + Math.min(0, byMs) };
    setWorker(state, id, { ...worker, spent: { ...spent, skewMs: spent.skewMs + byMs, progress } });
  }
  return true;
}
