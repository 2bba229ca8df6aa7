/**
 * Applies reports, which are recorded first and then accepted or refused based on the evidence, and
 * tracks the work that they send back.
 */
import type { EventOf } from '../../model/event.ts';
import { type IssueId, toWorkerId } from '../../model/ids.ts';
import { hasEnded, toLifecycleState } from '../../model/lifecycle.ts';
import type { Mode } from '../../model/mode.ts';
import {
  createIssueRecord,
  type LegionState,
  type SentBack,
  type WorkerRecord,
  type WorkerReport,
} from '../state.ts';
import { setWorker } from '../workers.ts';
import { recordFailedAttempt } from './attempt.ts';
import { recordRejectionDispatch, recordRejectionReport } from './rejection.ts';

type ReportEvent = EventOf<'attempt.reported' | 'attempt.report_accepted' | 'attempt.report_refused'>;

export function evolveReport(state: LegionState, event: ReportEvent): boolean {
  const id = toWorkerId(event.issue, event.mode);
  const worker = state.workers.get(id);
  if (worker === undefined) return false;
  const next =
    event.type === 'attempt.reported' ? applyReport(worker, event) : applyReportVerdict(worker, event);
  if (next === undefined) return false;
  setWorker(state, id, next);
  if (event.type === 'attempt.report_accepted') recordAcceptedReport(state, next);
  return true;
}

function applyReport(worker: WorkerRecord, event: EventOf<'attempt.reported'>): WorkerRecord | undefined {
  const over = event.attempt < worker.attempt || hasEnded(toLifecycleState(worker.facts));
  if (over && event.attempt <= worker.attempt) return applyLateReport(worker, event);
  const repeated = event.report !== worker.lastReport + 1 || worker.facts.reportedAt !== undefined;
  if (event.attempt !== worker.attempt || repeated) return undefined;
  const { waiting: _, ...facts } = worker.facts;
  const { refusedUnheard: _refusedUnheard, ...present } = worker;
  return {
    ...present,
    facts: { ...facts, reportedAt: event.at },
    lastReport: event.report,
    report: toWorkerReport(event),
  };
}

function toWorkerReport({ outcome, summary, sentBack }: EventOf<'attempt.reported'>): WorkerReport {
  return sentBack === undefined ? { outcome, summary } : { outcome, summary, sentBack };
}

/** Number of late reports kept, enough to judge a kill. Older ones are in the journal. */
const LATE_REPORTS_KEPT = 10;

/**
 * Keeps a report that arrives after its attempt has ended, to judge how the attempt ended. Repeats
 * are ignored, and the report never changes state.
 */
function applyLateReport(worker: WorkerRecord, event: EventOf<'attempt.reported'>): WorkerRecord | undefined {
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

function applyReportVerdict(
  worker: WorkerRecord,
  event: EventOf<'attempt.report_accepted' | 'attempt.report_refused'>,
): WorkerRecord | undefined {
  const present = event.attempt === worker.attempt && event.report === worker.lastReport;
  if (!present || toLifecycleState(worker.facts) !== 'reporting') return undefined;
  if (event.type === 'attempt.report_refused') {
    const { reportedAt: _, ...facts } = worker.facts;
    const unheard = event.unheard === true ? { refusedUnheard: true } : {};
    return { ...worker, facts, refusal: event.missing, ...unheard };
  }
  // An accepted error ends the attempt but not the phase, so the next attempt needs the checkpoint.
  if (worker.report?.outcome === 'error') {
    const facts = { ...worker.facts, stoppedAt: event.at };
    return recordFailedAttempt({ ...worker, facts }, event.at, worker.report.summary);
  }
  const { refusal: _refusal, checkpoint: _checkpoint, ...finished } = worker;
  return { ...finished, facts: { ...worker.facts, acceptedAt: event.at } };
}

/**
 * Records work that a tester or merger sent back, and clears it when an implementer hands in a fix.
 */
function recordAcceptedReport(state: LegionState, { issue, mode, report }: WorkerRecord): void {
  if (report?.outcome === 'done') recordRejectionReport(state, issue, mode);
  if (report?.sentBack !== undefined) {
    setSentBack(state, issue, { by: mode, why: report.sentBack, ordered: false });
  } else if (mode === 'implement' && report?.outcome === 'done') {
    setSentBack(state, issue, undefined);
  }
}

/**
 * Marks sent-back work as ordered when an implementer starts. Clears it when any other worker
 * starts, because a person has then chosen a different approach.
 */
export function recordDispatchedMode(state: LegionState, issue: IssueId, mode: Mode): void {
  recordRejectionDispatch(state, issue, mode);
  const sentBack = state.issues.get(issue)?.sentBack;
  if (sentBack === undefined) return;
  setSentBack(state, issue, mode === 'implement' ? { ...sentBack, ordered: true } : undefined);
}

function setSentBack(state: LegionState, issue: IssueId, sentBack: SentBack | undefined): void {
  const { sentBack: before, ...record } = state.issues.get(issue) ?? createIssueRecord(issue);
  if (before === undefined && sentBack === undefined) return;
  state.issues.set(issue, sentBack === undefined ? record : { ...record, sentBack });
}
