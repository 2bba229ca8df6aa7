/** What is due for an issue and on which facts, in the fields the first documents name. */

import { sessionIdIn } from '../../core/model/ids.ts';
import type { Signals } from '../../core/model/signals.ts';
import { isStopping } from '../../core/state/halt.ts';
import { type SeenIssue, stashCommand } from '../../core/state/observation.ts';
import type { Swarm, WorkerRecord } from '../../core/state/state.ts';
import type { Decision } from '../../domain/decision.ts';
import { isLive, isWaiting, lifecycleOf } from '../../domain/lifecycle.ts';
import type { HealthLimits } from '../../health/limits.ts';
import type { IssueState } from '../../protocol/board-state.ts';
import type { IssueSummary } from '../../protocol/status.ts';
import { explainWait } from '../../swarm/explain-wait.ts';
import { explainWhileStopping, stoppingOf, stoppingWorkers } from '../../swarm/stopping.ts';
import { hasExited, workersOf } from '../../swarm/workers.ts';
import { problemTexts } from './problem-texts.ts';

/** The grace period of a stop is told in seconds, so what is said of it depends on the time. */
export interface StopTimes {
  readonly now: number;
  readonly limits: Partial<HealthLimits>;
}

/** `namespace`: of the legion's sessions. */
export function issueState(
  namespace: string,
  swarm: Swarm,
  seen: SeenIssue,
  signals: Signals,
  decision: Decision,
  times: StopTimes,
): IssueState {
  const { issue } = seen;
  const workers = workersOf(swarm, issue.id);
  const worker = presentWorker(workers);
  const mode = worker?.mode ?? decision.mode;
  const { says, until, next: usualNext, read } = explainState(swarm, seen, decision, workers, times);
  const stash = decision.reason === 'checkout_in_use' ? stashCommand(seen.checkouts ?? []) : undefined;
  const next = stash ?? usualNext;
  return {
    ...summarize(swarm, seen, worker, says, times),
    labels: [...signals.labels].sort(),
    ...pullRequestFields(signals.pullRequest),
    suggestedAction: decision.action,
    sessionId: sessionIdIn(namespace, issue.id, mode, worker?.version),
    hasUserFeedback: signals.labels.has('user-feedback-given'),
    blockedByIds: [...signals.blockers],
    isBlocked: signals.blockers.length > 0,
    problems: problemTexts(issue),
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

export function issueSummary(
  swarm: Swarm,
  seen: SeenIssue,
  decision: Decision,
  times: StopTimes,
): IssueSummary {
  const workers = workersOf(swarm, seen.issue.id);
  const { says } = explainState(swarm, seen, decision, workers, times);
  return summarize(swarm, seen, presentWorker(workers), says, times);
}

function explainState(
  swarm: Swarm,
  { issue: { id } }: SeenIssue,
  decision: Decision,
  workers: readonly WorkerRecord[],
  { now, limits }: StopTimes,
) {
  const { cause, next, read } = explainWait(swarm, id, decision);
  const general = untilOf(decision, presentWorker(workers));
  const until = { ...general, what: general.what.replaceAll('ISSUE', id) };
  const explained = { reason: decision.reason, says: cause, until };
  return { ...explainWhileStopping(explained, stoppingWorkers(swarm, limits, workers), now), next, read };
}

function summarize(
  swarm: Swarm,
  { issue: { id, title }, status }: SeenIssue,
  worker: WorkerRecord | undefined,
  says: string,
  { limits }: StopTimes,
): IssueSummary {
  const workerStatus = worker === undefined ? null : lifecycleOf(worker.facts);
  return {
    id,
    title,
    status,
    hasLiveWorker: workerStatus !== null && isLive(workerStatus),
    workerMode: worker?.mode ?? null,
    workerStatus,
    workerStopping: worker && stoppingOf(swarm, worker, limits),
    ...(worker !== undefined && hasExited(worker) ? { hasWorkerExited: true } : {}),
    says,
  };
}

/** A worker whose process has ended reports nothing any more. */
function untilOf({ reason, until }: Decision, worker: WorkerRecord | undefined): Decision['until'] {
  if (reason !== 'worker_live' || worker === undefined || !hasExited(worker)) return until;
  return { by: 'time', what: 'Legion has judged how the worker ended' };
}

/** The live one, else one that waits, else one whose process is being stopped, else the last one. */
export function presentWorker(workers: readonly WorkerRecord[]): WorkerRecord | undefined {
  let found: { readonly worker: WorkerRecord; readonly rank: number } | undefined;
  for (const worker of workers) {
    const rank = rankOf(worker);
    const order = found && (rank - found.rank || worker.facts.dispatchedAt - found.worker.facts.dispatchedAt);
    if (order === undefined || order > 0) found = { worker, rank };
  }
  return found?.worker;
}

function rankOf(worker: WorkerRecord): number {
  const state = lifecycleOf(worker.facts);
  if (isLive(state)) return 3;
  return isWaiting(state) ? 2 : isStopping(worker) ? 1 : 0;
}

/** Null is "not known", or nothing there to know of. */
function pullRequestFields(pullRequest: Signals['pullRequest']) {
  const none = { prReviewState: null, ciStatus: null, mergeableStatus: null };
  if (pullRequest === 'unknown') return { hasPr: null, ...none };
  if (pullRequest === 'none') return { hasPr: false, ...none };
  const { review, ci, mergeable } = pullRequest;
  return { hasPr: true, prReviewState: review, ciStatus: ci, mergeableStatus: mergeable };
}
