/** What an attempt uses up, what it was told about that, and whether its turns lead anywhere. */

import { hasEnded, isLive, lifecycleOf } from '../../../domain/lifecycle.ts';
import { NOTHING_SPENT } from '../../../health/spending.ts';
import { recordSpending } from '../../../swarm/day-spending.ts';
import { spentBy } from '../../../swarm/spending.ts';
import { presentWorkers, setWorker } from '../../../swarm/workers.ts';
import type { EventOf } from '../../model/event.ts';
import { workerId } from '../../model/ids.ts';
import type { Swarm, WorkerRecord } from '../state.ts';

type SpendingEvent = EventOf<'attempt.spent' | 'attempt.warned' | 'attempt.asked_to_stop'>;

export function evolveSpending(swarm: Swarm, event: SpendingEvent): boolean {
  const id = workerId(event.issue, event.mode);
  const worker = swarm.workers.get(id);
  if (worker === undefined || event.attempt !== worker.attempt) return false;
  const next = event.type === 'attempt.spent' ? spent(worker, event) : told(worker, event);
  if (next === undefined) return false;
  if (event.type === 'attempt.spent') recordSpending(swarm, event.at, worker.spent.now, next.spent.now);
  setWorker(swarm, id, next);
  return true;
}

/** Amounts only grow, so whatever is not more than is known came twice or late. */
function spent(worker: WorkerRecord, event: EventOf<'attempt.spent'>): WorkerRecord | undefined {
  const { now } = worker.spent;
  const { turns, tokens, usd } = event;
  if (turns <= now.turns && tokens <= now.tokens && usd <= now.usd) return undefined;
  const most = {
    turns: Math.max(turns, now.turns),
    tokens: Math.max(tokens, now.tokens),
    usd: Math.max(usd, now.usd),
  };
  const progress = turns > now.turns ? counted(worker, event, turns - now.turns) : worker.spent.progress;
  return { ...worker, spent: { ...worker.spent, now: most, progress } };
}

/** Turns are idle where nothing was left behind since they were last counted; what could not be read proves nothing. */
function counted(worker: WorkerRecord, event: EventOf<'attempt.spent'>, turns: number): Progress {
  const { progress } = worker.spent;
  const { lastCheckpoint: checkpoint, lastReport: report, lastWait: wait } = worker;
  const spoke = checkpoint !== progress.checkpoint || report !== progress.report || wait !== progress.wait;
  const changed = event.changedAt === undefined || event.changedAt >= progress.since;
  const idleTurns = spoke || changed ? 0 : progress.idleTurns + turns;
  return { idleTurns, since: event.at, checkpoint, report, wait };
}

type Progress = WorkerRecord['spent']['progress'];

function told(
  worker: WorkerRecord,
  event: EventOf<'attempt.warned' | 'attempt.asked_to_stop'>,
): WorkerRecord | undefined {
  if (hasEnded(lifecycleOf(worker.facts))) return undefined;
  // A person has let it continue since: the event is a repeated one.
  if (event.generation !== undefined && event.generation !== worker.crashGeneration) return undefined;
  if (event.type === 'attempt.asked_to_stop')
    return worker.askedToStop === undefined
      ? { ...worker, askedToStop: { at: event.at, why: event.why } }
      : undefined;
  if (worker.warnings.includes(event.warning)) return undefined;
  return { ...worker, warnings: [...worker.warnings, event.warning] };
}

/** What the next attempt of a worker begins with. */
export function spentBefore(before: WorkerRecord | undefined, at: number): WorkerRecord['spent'] {
  return {
    earlier: before === undefined ? NOTHING_SPENT : spentBy(before, at),
    now: { turns: 0, tokens: 0, usd: 0 },
    skewMs: 0,
    granted: before?.spent.granted ?? NOTHING_SPENT,
    progress: { idleTurns: 0, since: at, checkpoint: 0, report: 0, wait: 0 },
  };
}

/**
 * A person lets it go on: what was used up until now no longer counts against its budget, and what it was told about
 * that is past. One that is still alive is warned and asked anew before it is stopped.
 */
export function granted({ askedToStop: _, ...worker }: WorkerRecord, at: number): WorkerRecord {
  const progress = { ...worker.spent.progress, idleTurns: 0 };
  return { ...worker, warnings: [], spent: { ...worker.spent, granted: spentBy(worker, at), progress } };
}

/** Of those at work: whoever has ended or waits has its times already. */
export function evolveJump(swarm: Swarm, { jump, byMs }: EventOf<'clock.jumped'>): boolean {
  if (jump !== swarm.lastJump + 1) return false;
  swarm.lastJump = jump;
  for (const [id, worker] of presentWorkers(swarm)) {
    if (!isLive(lifecycleOf(worker.facts))) continue;
    const { spent } = worker;
    // By a clock that was set back, changes of its workspace would all lie before its last turn.
    const progress = { ...spent.progress, since: spent.progress.since + Math.min(0, byMs) };
    setWorker(swarm, id, { ...worker, spent: { ...spent, skewMs: spent.skewMs + byMs, progress } });
  }
  return true;
}
