/** What is due for an issue and on which facts, in the fields the first documents name. */
import type { Decision } from '../../domain/decision.ts';
import { sessionId } from '../../domain/ids.ts';
import { isLive, isWaiting, lifecycleOf } from '../../domain/lifecycle.ts';
import type { Signals } from '../../domain/signals.ts';
import type { IssueState } from '../../protocol/board-state.ts';
import type { IssueSummary } from '../../protocol/status.ts';
import { explainWait } from '../../swarm/explain-wait.ts';
import { isStopping } from '../../swarm/halt.ts';
import { type SeenIssue, stashCommand } from '../../swarm/observation.ts';
import type { Swarm, WorkerRecord } from '../../swarm/state.ts';
import { hasExited, workersOf } from '../../swarm/workers.ts';
import { problemTexts } from './problem-texts.ts';

export function issueState(
  legionId: string,
  swarm: Swarm,
  seen: SeenIssue,
  signals: Signals,
  decision: Decision,
): IssueState {
  const { issue } = seen;
  const worker = presentWorker(workersOf(swarm, issue.id));
  const mode = worker?.mode ?? decision.mode;
  const { cause, next: usualNext, read } = explainWait(swarm, issue.id, decision);
  const stash = decision.reason === 'checkout_in_use' ? stashCommand(seen.checkouts ?? []) : undefined;
  const next = stash ?? usualNext;
  return {
    ...summarize(seen, worker, cause),
    labels: [...signals.labels].sort(),
    ...pullRequestFields(signals.pullRequest),
    suggestedAction: decision.action,
    sessionId: sessionId(legionId, issue.id, mode, worker?.version),
    hasUserFeedback: signals.labels.has('user-feedback-given'),
    blockedByIds: [...signals.blockers],
    isBlocked: signals.blockers.length > 0,
    problems: problemTexts(issue),
    source: { ...issue.source },
    reason: decision.reason,
    evidence: [...decision.evidence],
    until: {
      ...untilOf(decision, worker),
      ...(next === undefined ? {} : { next }),
      ...(read === undefined ? {} : { read }),
    },
  };
}

export function issueSummary(swarm: Swarm, seen: SeenIssue, decision: Decision): IssueSummary {
  const { id } = seen.issue;
  return summarize(seen, presentWorker(workersOf(swarm, id)), explainWait(swarm, id, decision).cause);
}

function summarize(
  { issue: { id, title }, status }: SeenIssue,
  worker: WorkerRecord | undefined,
  says: string,
): IssueSummary {
  const workerStatus = worker === undefined ? null : lifecycleOf(worker.facts);
  return {
    id,
    title,
    status,
    hasLiveWorker: workerStatus !== null && isLive(workerStatus),
    workerMode: worker?.mode ?? null,
    workerStatus,
    ...(worker !== undefined && isStopping(worker) ? { isWorkerStopping: true } : {}),
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
