/** Records a report durably before any decision is based on it. */

import type { EventBody } from '../../core/model/event.ts';
import { LegionError } from '../../core/model/fault.ts';
import { describeDuration } from '../../core/model/format.ts';
import type { WorkerIdentity } from '../../core/model/ids.ts';
import { type IssueId, toWorkerId } from '../../core/model/ids.ts';
import { hasEnded, toLifecycleState } from '../../core/model/lifecycle.ts';
import type { WorkerRecord, WorkerReport } from '../../core/state/state.ts';
import type { WorkspaceStatus } from '../../ports/workspace.ts';
import type { VerbAnswer } from '../../protocol/verb.ts';
import type { DaemonContext, GateRun, PortContext, StateContext } from '../context/daemon-context.ts';
import { findHeadWithoutGate } from '../merging/check-merge.ts';
import { judgeByRule, judgeReport, type ReportJudgement } from '../reports/judge-report.ts';
import { requireKnownAttempt } from './attempt-guard.ts';

/**
 * - `reported`: the report is waiting to be judged.
 * - `accepted`: the report has been accepted, now or earlier. Repeating a report has no effect.
 * - `late`: the attempt is over. The report is kept but has no effect.
 */
export type ReportReceipt = 'reported' | 'accepted' | 'late';

export async function recordReport(
  context: StateContext,
  who: WorkerIdentity,
  report: WorkerReport,
): Promise<ReportReceipt> {
  let receipt: ReportReceipt = 'reported';
  await context.ledger.append((state) => {
    const entry = buildReportEntry(requireKnownAttempt(state, who), who, report);
    receipt = entry.receipt;
    return entry.events;
  });
  return receipt;
}

export function buildLateAnswer({ issue, mode, attempt }: WorkerIdentity): VerbAnswer<'done'> {
  const missing = `Nothing is missing, but attempt ${attempt} of ${toWorkerId(issue, mode)} is over, so its report has no effect.`;
  return {
    durable: true,
    accepted: false,
    missing,
    says: `Your report is kept, but your attempt is over. End your turn.`,
  };
}

interface ReportEntry {
  readonly receipt: ReportReceipt;
  readonly events: readonly EventBody[];
}

function buildReportEntry(
  worker: WorkerRecord,
  who: WorkerIdentity,
  workerReport: WorkerReport,
): ReportEntry {
  const { outcome, summary, sentBack } = workerReport;
  const state = toLifecycleState(worker.facts);
  if (who.attempt < worker.attempt || hasEnded(state)) return buildLateEntry(worker, who, workerReport);
  const about = { issue: who.issue, mode: who.mode, attempt: who.attempt };
  const waits =
    state === 'reporting' && worker.report?.outcome === outcome && worker.report.sentBack === sentBack;
  if (waits && outcome === 'done') return { receipt: 'reported', events: [] };
  const report = worker.lastReport + 1;
  return {
    receipt: outcome === 'error' ? 'accepted' : 'reported',
    events: [
      ...(state === 'reporting' ? [buildWithdrawal(worker)] : []),
      { type: 'attempt.reported', ...about, report, outcome, summary, sentBack },
      // An error report makes no claim that needs evidence.
      ...(outcome === 'error' ? [{ type: 'attempt.report_accepted', ...about, report } as const] : []),
    ],
  };
}

/**
 * The later report replaces the earlier one: a worker that says "done" and then "error" is not
 * done.
 */
function buildWithdrawal({ issue, mode, attempt, lastReport: report }: WorkerRecord): EventBody {
  const missing = 'The worker replaced this report with a later one.';
  return { type: 'attempt.report_refused', issue, mode, attempt, report, missing };
}

function buildLateEntry(worker: WorkerRecord, who: WorkerIdentity, workerReport: WorkerReport): ReportEntry {
  const { outcome, summary, sentBack } = workerReport;
  if (who.attempt === worker.attempt && isReportAccepted(worker, outcome))
    return { receipt: 'accepted', events: [] };
  const earlier = worker.lateReports.filter(({ attempt }) => attempt === who.attempt);
  if (earlier.some((late) => late.outcome === outcome)) return { receipt: 'late', events: [] };
  const numbers = earlier.map(({ report }) => report);
  const known = who.attempt === worker.attempt ? worker.lastReport : 0;
  const report = Math.max(known, ...numbers) + 1;
  const { issue, mode, attempt } = who;
  return {
    receipt: 'late',
    events: [{ type: 'attempt.reported', issue, mode, attempt, report, outcome, summary, sentBack }],
  };
}

/**
 * Returns whether a report with this outcome was accepted. An accepted error report stops its
 * attempt, but an attempt can also be stopped for another reason and then has no accepted report.
 */
function isReportAccepted({ facts, report }: WorkerRecord, outcome: WorkerReport['outcome']): boolean {
  if (outcome === 'done') return facts.acceptedAt !== undefined;
  return report?.outcome === 'error' && facts.reportedAt !== undefined && facts.stoppedAt !== undefined;
}

/**
 * Shorter than the limits of all callers: agents abort a tool call after one or two minutes, and
 * the worker client gives up after 55 s.
 */
const MAX_WAIT_MS = 25_000;

/**
 * Judges an implementer's report after the quality gate has run, and waits for the gate for as long
 * as a call may take. Rejects with `worker.gate_running` if the gate takes longer. Repeating the
 * call attaches to the same run. `known` is the state of the workspace when the report arrived.
 */
export async function judgeWithGate(
  context: DaemonContext,
  who: WorkerIdentity,
  known?: WorkspaceStatus,
): Promise<ReportJudgement> {
  const { clock, gates } = context;
  const id = toWorkerId(who.issue, who.mode);
  const deadline = clock.monotonic() + MAX_WAIT_MS;
  let seen = known;
  for (;;) {
    const judged = await judgeByRule(context, id, 'run_gate', 'heard', seen);
    if (judged.verdict !== 'gate_due') return judged;
    const run = gates.run(who.issue, judged.sha, judged.workspaceStatus);
    if (await hasEndedWithin(context, run, deadline - clock.monotonic())) {
      const result = await run.ended;
      seen = result.recorded ? result.workspaceStatus : undefined;
      continue;
    }
    // The report is durable. It is judged when the run ends, even if its worker does not call
    // again.
    if (run.isNew) void run.ended.then(() => judgeReport(context, id)).catch(() => undefined);
    throw createGateRunningError(context, who.issue);
  }
}

/**
 * Runs the quality gate at a head commit where it has not run yet, for example after a rebase.
 * Without CI, only the gate can vouch for that commit, and running it here saves another round.
 * Rejects with `worker.gate_running` like `judgeWithGate`.
 */
export async function runGateBeforeMerge(context: DaemonContext, { issue }: WorkerIdentity): Promise<void> {
  const sha = await findHeadWithoutGate(context, issue);
  if (sha === undefined) return;
  const isOver = await hasEndedWithin(context, context.gates.run(issue, sha), MAX_WAIT_MS);
  if (!isOver) throw createGateRunningError(context, issue);
}

async function hasEndedWithin({ clock }: StateContext, { ended }: GateRun, ms: number): Promise<boolean> {
  if (ms <= 0) return false;
  const stop = new AbortController();
  const late = clock.sleep(ms, stop.signal).then(
    () => false,
    () => false,
  );
  try {
    return await Promise.race([ended.then(() => true), late]);
  } finally {
    stop.abort();
  }
}

function createGateRunningError({ gates, clock }: StateContext & PortContext, issue: IssueId): LegionError {
  const since = gates.runningSince(issue);
  const how = since === undefined ? '' : ` after ${describeDuration(clock.now() - since)}`;
  return new LegionError('worker.gate_running', `The quality gate of ${issue} is still running${how}.`);
}
