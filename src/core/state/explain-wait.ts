/**
 * Explains in one sentence why an issue is waiting, what ends the wait, and which worker's output
 * shows more.
 */

import { describeExitStatus } from '../health/evidence.ts';
import type { Decision } from '../model/action.ts';
import { toPlainLine, truncateText } from '../model/format.ts';
import type { IssueId } from '../model/ids.ts';
import type { Mode } from '../model/mode.ts';
import { REASONS, type ReasonCode } from '../pipeline/reasons.ts';
import { isStopping } from './halt.ts';
import { isSameWait } from './issues.ts';
import type { IssueRecord, LegionState, WaitCause, WorkerRecord } from './state.ts';
import { isStopReason, STOP_CAUSES } from './stop-causes.ts';
import { hasExited, listIssueWorkers } from './workers.ts';

export interface WaitExplanation {
  /** One sentence. */
  readonly cause: string;
  /** Command that ends the wait. Absent if no person has to act. */
  readonly next?: string | undefined;
  /** Command that shows what needs approval. */
  readonly read?: string | undefined;
  /** Worker whose last output shows the cause. */
  readonly worker?: { readonly mode: Mode; readonly attempt: number } | undefined;
}

type ExplainableDecision = Pick<Decision, 'reason' | 'mode' | 'evidence'> & Partial<Pick<Decision, 'until'>>;

/** Explains why an issue is waiting, from the decision to wait and the recorded cause of the wait. */
export function explainWait(
  state: LegionState,
  issue: IssueId,
  decision: ExplainableDecision,
): WaitExplanation {
  const { reason, until } = decision;
  const next = (until ?? findEndCondition(reason))?.next?.replaceAll('ISSUE', issue);
  const record = state.issues.get(issue);
  if (reason === 'halted' || reason === 'legion_paused')
    return { cause: describeHold(state, decision), next };
  if (reason === 'worker_live') return { cause: describeLiveWorker(state, issue), next };
  if (reason === 'waits_for_approval' || reason === 'approval_due')
    return { ...explainApproval(state, issue, decision.evidence), next };
  if (reason === 'paused') return { ...explainPause(state, issue, record?.cause), next };
  if (reason === 'waits_for_answer' && isStopCause(record?.cause) && !hasOpenQuestion(record))
    return { ...explainCause(state, issue, record.cause), next };
  return { ...explainCause(state, issue, decision), next };
}

/** If no decision stopped the issue, a person set the label on the board. */
function explainPause(state: LegionState, issue: IssueId, cause: WaitCause | undefined): WaitExplanation {
  if (cause !== undefined && 'by' in cause)
    return { cause: `Paused by ${cause.by}: ${endSentence(cause.why)}` };
  if (!isStopCause(cause)) return { cause: 'Paused: the label legion-paused was added on the board.' };
  return explainCause(state, issue, cause);
}

function explainCause(
  state: LegionState,
  issue: IssueId,
  { reason, mode, evidence }: ExplainableDecision,
): WaitExplanation {
  const facts = evidence.filter((fact) => !/^(?:status|would|label)=/.test(fact));
  if (!isStopReason(reason)) return { cause: describeReason(reason, facts) };
  const worker = findLastWorker(state, issue, reason === 'crash_limit');
  const about = { mode: worker?.mode ?? mode, facts, worker, record: state.issues.get(issue) };
  const cause = endSentence(STOP_CAUSES[reason].describe(about));
  if (worker === undefined || !STOP_CAUSES[reason].isAboutWorker) return { cause };
  return { cause, worker: { mode: worker.mode, attempt: worker.attempt } };
}

/**
 * Adds facts written as text to the sentence. Facts of the form `name=value` are for machines and
 * are left out, except those that the sentence needs.
 */
function describeReason(reason: string, facts: readonly string[]): string {
  const details = facts.flatMap((fact) => describeFact(reason, fact) ?? []);
  const text = getReasonText(reason);
  return details.length === 0 ? text : endSentence(`${text.replace(/\.$/, '')}: ${details.join('; ')}`);
}

function describeFact(reason: string, fact: string): string | undefined {
  const [, name, value = ''] = /^([\w.]+)=(.*)$/s.exec(fact) ?? [];
  if (name === undefined) return /\s/.test(fact) ? fact.replace(/\.$/, '') : undefined;
  if (name === 'waits_for') return getReasonText(value).replace(/\.$/, '');
  if (name === 'blockers') return value.replaceAll(',', ', ');
  return reason === 'budget_zero' ? fact : undefined;
}

function getReasonText(reason: string): string {
  return Object.hasOwn(REASONS, reason) ? REASONS[reason as ReasonCode].says : reason;
}

/** Mentions a worker whose process has exited although its attempt is not over. */
function describeLiveWorker(state: LegionState, issue: IssueId): string {
  const exited = listIssueWorkers(state, issue).find(hasExited);
  if (exited?.exit === undefined) return REASONS.worker_live.says;
  const process = `The process of the ${exited.mode} worker ${describeExitStatus(exited.exit)}`;
  return `${process} without an accepted report. Legion decides next what to do; after a daemon start, it first waits for the time set by health.grace.`;
}

function describeHold({ breaker }: LegionState, { reason, evidence }: ExplainableDecision): string {
  const { why = readFact(evidence, 'why') } = breaker.open ?? {};
  const what =
    reason === 'halted'
      ? 'The legion is halted: every worker was stopped, and no worker starts'
      : 'The legion is paused: no worker starts';
  return endSentence(why === undefined ? what : `${what} (${why})`);
}

function readFact(evidence: readonly string[], name: string): string | undefined {
  return evidence.find((fact) => fact.startsWith(`${name}=`))?.slice(name.length + 1);
}

export function isStopCause(cause: WaitCause | undefined): cause is Exclude<WaitCause, { by: string }> {
  return cause !== undefined && 'reason' in cause && isStopReason(cause.reason);
}

function hasOpenQuestion(record: IssueRecord | undefined): boolean {
  return Object.values(record?.questions ?? {}).some(({ answer }) => answer === undefined);
}

/** Returns the worker that failed last, or if `failed` is false, the one that started last. */
function findLastWorker(state: LegionState, issue: IssueId, failed: boolean): WorkerRecord | undefined {
  const getLastTime = ({ failedLives, facts }: WorkerRecord) =>
    failed ? (failedLives.at(-1)?.crashedAt ?? 0) : facts.dispatchedAt;
  return listIssueWorkers(state, issue).toSorted((a, b) => getLastTime(b) - getLastTime(a))[0];
}

function findEndCondition(reason: string): Decision['until'] | undefined {
  return Object.hasOwn(REASONS, reason) ? REASONS[reason as ReasonCode].until : undefined;
}

function endSentence(sentence: string): string {
  return /[.!?…]$/.test(sentence) ? sentence : `${sentence}.`;
}

interface ApprovalExplanation {
  readonly cause: string;
  /** Command that shows what needs approval. */
  readonly read?: string | undefined;
}

/**
 * Maximum length of the quoted summary: enough for one sentence. A command shows the full
 * specification.
 */
const MAX_SUMMARY_LENGTH = 200;

/**
 * Explains what needs a person's approval, and how to read it before approving. `evidence` belongs
 * to the decision to wait; the status in it tells whether a merge or a specification needs
 * approval.
 */
function explainApproval(
  state: LegionState,
  issue: string,
  evidence: readonly string[],
): ApprovalExplanation {
  const record = state.issues.get(issue);
  if (evidence.includes('status=Retro'))
    return {
      cause: 'The merge is waiting for your approval: the pull request is finished.',
      read: `legion diff ${issue}`,
    };
  const undone = record?.merged?.undone;
  if (undone !== undefined) {
    const { revert, landed } = undone;
    return {
      cause: landed
        ? 'The change was rolled back: approve to start the work again.'
        : `A rollback was requested: pull request ${revert} reverts the change. Approve a new start when it is merged.`,
    };
  }
  const summary = readSpecificationSummary(record);
  if (summary === undefined) return { cause: REASONS.waits_for_approval.says };
  return {
    cause: `The specification is waiting for your approval: ${summary}`,
    read: `legion issue show ${issue}`,
  };
}

function readSpecificationSummary(record: IssueRecord | undefined): string | undefined {
  const handoff = record?.handoffs.architect;
  if (typeof handoff !== 'object' || handoff === null || !('summary' in handoff)) return undefined;
  const summary = truncateText(toPlainLine(String(handoff.summary)), MAX_SUMMARY_LENGTH);
  return /[.!?…]$/.test(summary) ? summary : `${summary}.`;
}

/**
 * Returns the time at which an issue entered the state that a decision shows, or undefined if the
 * journal does not contain that state yet.
 */
export function findWaitStart(
  state: LegionState,
  issue: IssueId,
  decision: Pick<Decision, 'action' | 'reason'>,
): number | undefined {
  const { decision: made, cause } = state.issues.get(issue) ?? {};
  if (decision.reason === 'paused' && cause !== undefined && 'by' in cause) return cause.at;
  if (isSameWait(made, decision)) return made.since;
  // While a worker is being stopped, the loop makes no new decision, so the wait began with the
  // stop.
  const stops = listIssueWorkers(state, issue).flatMap((worker) =>
    isStopping(worker) ? (worker.facts.stoppedAt ?? []) : [],
  );
  return stops.length === 0 ? undefined : Math.max(...stops);
}
