/** Reports: made durable first, then accepted or refused by what the evidence says. */

import { hasEnded, lifecycleOf } from '../../../domain/lifecycle.ts';
import { noteAcceptedReport } from '../../../swarm/evolve/sent-back.ts';
import { setWorker } from '../../../swarm/workers.ts';
import type { EventOf } from '../../model/event.ts';
import { workerId } from '../../model/ids.ts';
import type { Swarm, WorkerRecord, WorkerReport } from '../state.ts';
import { failed } from './attempt.ts';

/** Enough to judge a kill by; older ones are in the journal. */
const LATE_REPORTS_KEPT = 10;

type ReportEvent = EventOf<'attempt.reported' | 'attempt.report_accepted' | 'attempt.report_refused'>;

export function evolveReport(swarm: Swarm, event: ReportEvent): boolean {
  const id = workerId(event.issue, event.mode);
  const worker = swarm.workers.get(id);
  if (worker === undefined) return false;
  const next = event.type === 'attempt.reported' ? reported(worker, event) : judged(worker, event);
  if (next === undefined) return false;
  setWorker(swarm, id, next);
  if (event.type === 'attempt.report_accepted') noteAcceptedReport(swarm, next);
  return true;
}

function reported(worker: WorkerRecord, event: EventOf<'attempt.reported'>): WorkerRecord | undefined {
  const over = event.attempt < worker.attempt || hasEnded(lifecycleOf(worker.facts));
  if (over && event.attempt <= worker.attempt) return late(worker, event);
  const repeated = event.report !== worker.lastReport + 1 || worker.facts.reportedAt !== undefined;
  if (event.attempt !== worker.attempt || repeated) return undefined;
  const { waiting: _, ...facts } = worker.facts;
  const { refusedUnheard: _refusedUnheard, ...present } = worker;
  return {
    ...present,
    facts: { ...facts, reportedAt: event.at },
    lastReport: event.report,
    report: reportOf(event),
  };
}

function reportOf({ outcome, summary, sentBack }: EventOf<'attempt.reported'>): WorkerReport {
  return sentBack === undefined ? { outcome, summary } : { outcome, summary, sentBack };
}

/** A report of a life that is over never moves state; it is kept, once, for whoever judges that life's end. */
function late(worker: WorkerRecord, event: EventOf<'attempt.reported'>): WorkerRecord | undefined {
  const known =
    (event.attempt === worker.attempt && event.report <= worker.lastReport) ||
    worker.heardBefore?.some(({ attempt, report }) => attempt === event.attempt && event.report <= report) ===
      true ||
    worker.lateReports.some(({ attempt, report }) => attempt === event.attempt && report === event.report);
  if (known) return undefined;
  const { attempt, report, outcome, at } = event;
  const lateReports = [...worker.lateReports, { attempt, report, outcome, at }].slice(-LATE_REPORTS_KEPT);
  return { ...worker, lateReports };
}

function judged(
  worker: WorkerRecord,
  event: EventOf<'attempt.report_accepted' | 'attempt.report_refused'>,
): WorkerRecord | undefined {
  const present = event.attempt === worker.attempt && event.report === worker.lastReport;
  if (!present || lifecycleOf(worker.facts) !== 'reporting') return undefined;
  if (event.type === 'attempt.report_refused') {
    const { reportedAt: _, ...facts } = worker.facts;
    const unheard = event.unheard === true ? { refusedUnheard: true } : {};
    return { ...worker, facts, refusal: event.missing, ...unheard };
  }
  // An accepted error ends the attempt, but it is not a finished phase: the next attempt needs the checkpoint.
  if (worker.report?.outcome === 'error') {
    const facts = { ...worker.facts, stoppedAt: event.at };
    return failed({ ...worker, facts }, event.at, worker.report.summary);
  }
  const { refusal: _refusal, checkpoint: _checkpoint, ...finished } = worker;
  return { ...finished, facts: { ...worker.facts, acceptedAt: event.at } };
}
