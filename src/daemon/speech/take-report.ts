/** Makes a report durable before anything is concluded from it. */
import type { EventBody } from '../../core/model/event.ts';
import { workerId } from '../../core/model/ids.ts';
import type { WorkerRecord, WorkerReport } from '../../core/state/state.ts';
import { hasEnded, lifecycleOf } from '../../domain/lifecycle.ts';
import type { VerbAnswer } from '../../protocol/verb-answer.ts';
import type { WorkerIdentity } from '../daemon.ts';
import type { World } from '../world.ts';
import { knownWorker } from './fence.ts';

/**
 * - `reported`  it waits to be judged.
 * - `accepted`  it counts, or counted before: the same report again is no second one.
 * - `late`      its attempt is over; it is kept, and moves nothing.
 */
export type Taken = 'reported' | 'accepted' | 'late';

export async function takeReport(world: World, who: WorkerIdentity, report: WorkerReport): Promise<Taken> {
  let taken: Taken = 'reported';
  await world.ledger.append((swarm) => {
    const entry = entryOf(knownWorker(swarm, who), who, report);
    taken = entry.taken;
    return entry.events;
  });
  return taken;
}

export function lateAnswer({ issue, mode, attempt }: WorkerIdentity): VerbAnswer<'done'> {
  const missing = `Nothing: attempt ${attempt} of ${workerId(issue, mode)} is over, and its report moves nothing by itself.`;
  return {
    durable: true,
    accepted: false,
    missing,
    says: `Your report is kept, but your attempt is over. End your turn.`,
  };
}

interface Entry {
  readonly taken: Taken;
  readonly events: readonly EventBody[];
}

function entryOf(worker: WorkerRecord, who: WorkerIdentity, given: WorkerReport): Entry {
  const { outcome, summary, sentBack } = given;
  const state = lifecycleOf(worker.facts);
  if (who.attempt < worker.attempt || hasEnded(state)) return afterTheEnd(worker, who, given);
  const about = { issue: who.issue, mode: who.mode, attempt: who.attempt };
  const waits =
    state === 'reporting' && worker.report?.outcome === outcome && worker.report.sentBack === sentBack;
  if (waits && outcome === 'done') return { taken: 'reported', events: [] };
  const report = worker.lastReport + 1;
  return {
    taken: outcome === 'error' ? 'accepted' : 'reported',
    events: [
      ...(state === 'reporting' ? [withdrawn(worker)] : []),
      { type: 'attempt.reported', ...about, report, outcome, summary, sentBack },
      // An error claims nothing that would have to be proven.
      ...(outcome === 'error' ? [{ type: 'attempt.report_accepted', ...about, report } as const] : []),
    ],
  };
}

/** The later word counts: a worker that says "done" and then "error" is not done. */
function withdrawn({ issue, mode, attempt, lastReport: report }: WorkerRecord): EventBody {
  const missing = 'The worker itself took the report back with another one.';
  return { type: 'attempt.report_refused', issue, mode, attempt, report, missing };
}

function afterTheEnd(worker: WorkerRecord, who: WorkerIdentity, given: WorkerReport): Entry {
  const { outcome, summary, sentBack } = given;
  if (who.attempt === worker.attempt && wasAccepted(worker, outcome))
    return { taken: 'accepted', events: [] };
  const earlier = worker.lateReports.filter(({ attempt }) => attempt === who.attempt);
  if (earlier.some((late) => late.outcome === outcome)) return { taken: 'late', events: [] };
  const numbers = earlier.map(({ report }) => report);
  const known = who.attempt === worker.attempt ? worker.lastReport : 0;
  const report = Math.max(known, ...numbers) + 1;
  const { issue, mode, attempt } = who;
  return {
    taken: 'late',
    events: [{ type: 'attempt.reported', issue, mode, attempt, report, outcome, summary, sentBack }],
  };
}

/** An accepted error stops its attempt; one that was stopped otherwise has no accepted report. */
function wasAccepted({ facts, report }: WorkerRecord, outcome: WorkerReport['outcome']): boolean {
  if (outcome === 'done') return facts.acceptedAt !== undefined;
  return report?.outcome === 'error' && facts.reportedAt !== undefined && facts.stoppedAt !== undefined;
}
