/**
 * Converts issues to their wire formats: one for operators, with what is due and why, and one for
 * workers.
 */

import type { HealthLimits } from '../../core/health/limits.ts';
import type { Decision } from '../../core/model/action.ts';
import { computeSessionIdIn } from '../../core/model/ids.ts';
import type { Issue } from '../../core/model/issue.ts';
import {
  type AttemptFacts,
  isLive,
  isWaiting,
  type LifecycleState,
  toLifecycleState,
} from '../../core/model/lifecycle.ts';
import type { ObservedIssue } from '../../core/model/observed-issue.ts';
import type { IssueSignals } from '../../core/model/signals.ts';
import { readStatus } from '../../core/model/status.ts';
import { computeEffectiveLabels } from '../../core/state/effective-labels.ts';
import { explainWait } from '../../core/state/explain-wait.ts';
import { isStopping } from '../../core/state/halt.ts';
import { listOpenQuestions } from '../../core/state/issues.ts';
import { buildStashCommand } from '../../core/state/observation.ts';
import type { LegionState, WorkerRecord } from '../../core/state/state.ts';
import { explainWhileStopping, findPendingStop, listStoppingWorkers } from '../../core/state/stopping.ts';
import { hasExited, listIssueWorkers } from '../../core/state/workers.ts';
import type { IssueView } from '../../protocol/board.ts';
import type { IssueState } from '../../protocol/board-state.ts';
import type { IssueSummary } from '../../protocol/status.ts';
import type { StateContext } from '../context/daemon-context.ts';
import { listProblemTexts } from './reason.ts';

/** Times that are needed to show the grace period of a worker that is being stopped, in seconds. */
export interface StopTimes {
  readonly now: number;
  readonly limits: Partial<HealthLimits>;
}

/** `namespace` is the namespace of the legion's session ids. */
export function presentIssueState(
  namespace: string,
  state: LegionState,
  observed: ObservedIssue,
  signals: IssueSignals,
  decision: Decision,
  times: StopTimes,
): IssueState {
  const { issue } = observed;
  const workers = listIssueWorkers(state, issue.id);
  const worker = choosePresentWorker(workers);
  const mode = worker?.mode ?? decision.mode;
  const {
    says: text,
    until,
    next: usualNext,
    read,
  } = explainState(state, observed, decision, workers, times);
  const stash =
    decision.reason === 'checkout_in_use' ? buildStashCommand(observed.checkouts ?? []) : undefined;
  const next = stash ?? usualNext;
  return {
    ...buildSummary(state, observed, worker, text, times),
    labels: [...signals.labels].sort(),
    ...toPullRequestFields(signals.pullRequest),
    ...toForgeFields(observed.pullRequest),
    blockedQuestion: listOpenQuestions(state, issue.id, signals.labels).at(-1)?.text ?? null,
    suggestedAction: decision.action,
    sessionId: computeSessionIdIn(namespace, issue.id, mode, worker?.version),
    hasUserFeedback: signals.labels.has('user-feedback-given'),
    blockedByIds: [...signals.blockers],
    isBlocked: signals.blockers.length > 0,
    problems: listProblemTexts(issue),
    source: { ...issue.source },
    reason: decision.reason,
    evidence: [...decision.evidence],
    until: {
      ...until,
      ...(next === undefined ? {} : { next }),
      ...(read === undefined ? {} : { read }),
    },
  };
}

export function presentIssueSummary(
  state: LegionState,
  observed: ObservedIssue,
  decision: Decision,
  times: StopTimes,
): IssueSummary {
  const workers = listIssueWorkers(state, observed.issue.id);
  const { says: text } = explainState(state, observed, decision, workers, times);
  return buildSummary(state, observed, choosePresentWorker(workers), text, times);
}

function explainState(
  state: LegionState,
  { issue: { id } }: ObservedIssue,
  decision: Decision,
  workers: readonly WorkerRecord[],
  { now, limits }: StopTimes,
) {
  const { cause, next, read } = explainWait(state, id, decision);
  const general = resolveUntil(decision, choosePresentWorker(workers));
  const until = { ...general, what: general.what.replaceAll('ISSUE', id) };
  const explained = { reason: decision.reason, says: cause, until };
  return { ...explainWhileStopping(explained, listStoppingWorkers(state, limits, workers), now), next, read };
}

function buildSummary(
  state: LegionState,
  { issue: { id, title }, status }: ObservedIssue,
  worker: WorkerRecord | undefined,
  text: string,
  { limits }: StopTimes,
): IssueSummary {
  const workerStatus = worker === undefined ? null : toLifecycleState(worker.facts);
  return {
    id,
    title,
    status,
    hasLiveWorker: workerStatus !== null && isLive(workerStatus),
    workerMode: worker?.mode ?? null,
    workerStatus,
    workerStopping: worker && findPendingStop(state, worker, limits),
    ...(worker !== undefined && hasExited(worker) ? { hasWorkerExited: true } : {}),
    says: text,
  };
}

/**
 * Returns what the issue is waiting for. If the worker's process has exited, the worker can report
 * nothing more, so the issue waits for Legion's judgement instead.
 */
function resolveUntil({ reason, until }: Decision, worker: WorkerRecord | undefined): Decision['until'] {
  if (reason !== 'worker_live' || worker === undefined || !hasExited(worker)) return until;
  return { by: 'time', what: 'Legion has judged how the worker exited' };
}

/**
 * Returns the worker to show: the live one if there is one, otherwise one that is waiting,
 * otherwise one whose process is being stopped, otherwise the last one.
 */
export function choosePresentWorker(workers: readonly WorkerRecord[]): WorkerRecord | undefined {
  let found: { readonly worker: WorkerRecord; readonly rank: number } | undefined;
  for (const worker of workers) {
    const rank = computeWorkerRank(worker);
    const order = found && (rank - found.rank || worker.facts.dispatchedAt - found.worker.facts.dispatchedAt);
    if (order === undefined || order > 0) found = { worker, rank };
  }
  return found?.worker;
}

function computeWorkerRank(worker: WorkerRecord): number {
  const state = toLifecycleState(worker.facts);
  if (isLive(state)) return 3;
  return isWaiting(state) ? 2 : isStopping(worker) ? 1 : 0;
}

function toForgeFields(pullRequest: ObservedIssue['pullRequest']) {
  if (typeof pullRequest !== 'object') return { prIsDraft: null, prLabels: null };
  return { prIsDraft: pullRequest.draft, prLabels: [...pullRequest.labels] };
}

/** Builds the pull request fields. Null means unknown or not applicable. */
function toPullRequestFields(pullRequest: IssueSignals['pullRequest']) {
  const none = { prReviewState: null, ciStatus: null, mergeableStatus: null };
  if (pullRequest === 'unknown') return { hasPr: null, ...none };
  if (pullRequest === 'none') return { hasPr: false, ...none };
  const { review, ci, mergeable } = pullRequest;
  return { hasPr: true, prReviewState: review, ciStatus: ci, mergeableStatus: mergeable };
}

/**
 * Returns the time at which the worker entered its current state. A worker that was woken, or whose
 * report was refused, is treated as executing since its first event.
 */
export function findStateSince(worker: WorkerRecord): number {
  const { facts, exit } = worker;
  if (exit !== undefined && hasExited(worker)) return exit.at;
  return findStateTime(toLifecycleState(facts), facts) ?? facts.dispatchedAt;
}

function findStateTime(state: LifecycleState, facts: AttemptFacts): number | undefined {
  switch (state) {
    case 'spawned':
      return facts.dispatchedAt;
    case 'executing':
      return facts.firstEventAt;
    case 'reporting':
      return facts.reportedAt;
    case 'finished':
      return facts.acceptedAt;
    case 'waiting-user':
    case 'waiting-quota':
      return facts.waiting?.since;
    case 'crashed':
      return facts.crashedAt;
    case 'paused':
      return facts.pausedAt;
    case 'stopped':
      return facts.stoppedAt;
  }
}

/**
 * Includes labels that are not on the tracker yet, in the order in which the tracker will show
 * them.
 */
export function toIssueView({ ledger, settings }: StateContext, issue: Issue): IssueView {
  const { id, title, body, column, labels, priority, createdAt, openBlockers, parent, writtenBy } = issue;
  const { assignee } = issue;
  return {
    id,
    title,
    body,
    status: readStatus(column, settings().columns),
    column,
    labels: [...computeEffectiveLabels(labels, ledger.state, id)].sort(),
    priority,
    createdAt,
    blockedBy: [...openBlockers],
    problems: listProblemTexts(issue),
    ...(parent === undefined ? {} : { parent }),
    ...(assignee === undefined ? {} : { assignee }),
    ...(writtenBy === undefined ? {} : { writtenBy: { ...writtenBy } }),
  };
}
