/** The rules of each status: the next action for an issue in that column. */
import type { Action, Decision } from '../model/action.ts';
import type { IssueSignals, TriageRoute } from '../model/signals.ts';
import {
  checkCi,
  checkMergeable,
  checkPullRequest,
  checkQualityGate,
  checkReview,
  checkSentBack,
  checkWorkToJudge,
  decideOnTestFailure,
  decideRepairBeforeMerge,
} from './checks.ts';
import type { PipelinePolicy } from './policy.ts';
import { createDecision, decideNextRound, decideRetry, isPlanAwaitingArchitect } from './situation.ts';

const ROUTE_ACTIONS: Readonly<Record<TriageRoute, Action>> = {
  Todo: 'transition_to_todo',
  Backlog: 'transition_to_backlog',
  Icebox: 'transition_to_icebox',
};

/** Triage: the issue's text decides where the issue goes, so no worker is needed. */
export function decideTriage(signals: IssueSignals): Decision {
  return createDecision(signals, ROUTE_ACTIONS[signals.route], 'routed', `route=${signals.route}`);
}

/**
 * Icebox: an issue leaves when a person has clarified it, a slot is free, and no older issue is
 * waiting.
 */
export function decideIcebox(signals: IssueSignals): Decision {
  const fact = `icebox=${signals.icebox}`;
  return signals.icebox === 'due'
    ? createDecision(signals, 'transition_to_backlog', 'clarified', fact)
    : createDecision(signals, 'skip', signals.icebox, fact);
}

/**
 * Backlog: the architect specifies or splits the issue. A person approves, unless policy skips the
 * approval.
 */
export function decideBacklog(signals: IssueSignals, policy: PipelinePolicy): Decision {
  if (!signals.labels.has('worker-done'))
    return createDecision(signals, 'dispatch_architect', 'due', 'worker=none');
  return policy.approvals.architect === 'auto'
    ? createDecision(
        signals,
        'transition_to_todo',
        'finished',
        'label=worker-done',
        'approvals.architect=auto',
      )
    : createDecision(signals, 'add_needs_approval', 'approval_due', 'label=worker-done');
}

/**
 * Todo: the planner writes the plan. If requested, the architect reviews the plan before work
 * starts.
 */
export function decideTodo(signals: IssueSignals, policy: PipelinePolicy): Decision {
  const { labels } = signals;
  // An architect lost during its review leaves no worker-done label, but the plan it reviewed still
  // exists.
  const planned = labels.has('worker-done') || isPlanAwaitingArchitect(signals);
  if (!planned) return createDecision(signals, 'dispatch_planner', 'due', 'worker=none');
  // The label for approval is checked before the label for changes, so that a person can bypass the
  // architect by adding the approval by hand.
  if (!labels.has('architect-continuity') || labels.has('arch-review-approved')) {
    const fact = labels.has('worker-done') ? 'label=worker-done' : 'worker.plan=finished';
    return createDecision(signals, 'transition_to_in_progress', 'finished', fact);
  }
  return labels.has('arch-review-changes')
    ? createDecision(signals, 'resume_planner_for_changes', 'plan_changes', 'label=arch-review-changes')
    : decidePlanReview(signals, policy);
}

/**
 * Each review by the architect counts as a round, so that planner and architect cannot alternate
 * forever.
 */
function decidePlanReview(signals: IssueSignals, policy: PipelinePolicy): Decision {
  return decideNextRound(
    signals,
    policy,
    'plan_review',
    'resume_architect_for_plan_review',
    'plan_review_due',
    'label=architect-continuity',
  );
}

/**
 * In Progress: the implementer works until a mergeable pull request passes CI and the quality gate.
 */
export function decideInProgress(signals: IssueSignals, policy: PipelinePolicy): Decision {
  if (!signals.labels.has('worker-done'))
    return createDecision(signals, 'dispatch_implementer', 'due', 'worker=none');
  return (
    checkPullRequest(signals, policy) ??
    checkMergeable(signals, policy) ??
    checkCi(signals, policy) ??
    checkQualityGate(signals, policy) ??
    createDecision(signals, 'transition_to_testing', 'finished', 'label=worker-done')
  );
}

/** Testing: the tester gives a verdict on exactly this commit. */
export function decideTesting(signals: IssueSignals, policy: PipelinePolicy): Decision {
  const { labels } = signals;
  // No tester starts on a pull request that conflicts: resolving the conflict creates another
  // commit.
  if (!labels.has('worker-done')) {
    return (
      checkWorkToJudge(signals, policy) ??
      checkMergeable(signals, policy) ??
      createDecision(signals, 'dispatch_tester', 'due', 'worker=none')
    );
  }
  const sentBack = checkSentBack(signals, policy, 'test');
  if (sentBack !== undefined) return sentBack;
  // If both verdict labels are set, the safe assumption is that the tests failed.
  if (labels.has('test-failed')) return decideOnTestFailure(signals, policy, 'label=test-failed');
  if (!labels.has('test-passed')) return decideOnTestFailure(signals, policy, 'label=test-passed absent');
  return (
    checkPullRequest(signals, policy) ??
    checkMergeable(signals, policy) ??
    checkCi(signals, policy) ??
    checkTestEvidence(signals, policy) ??
    createDecision(
      signals,
      'transition_to_needs_review',
      'finished',
      'label=worker-done',
      'label=test-passed',
    )
  );
}

/**
 * A label set by hand has no evidence in the journal: it passes here, but not at the pre-merge
 * gate.
 */
function checkTestEvidence(signals: IssueSignals, policy: PipelinePolicy): Decision | undefined {
  const { test } = signals.evidence;
  const fact = `evidence.test=${test}`;
  switch (test) {
    case 'passed':
    case 'none':
      return undefined;
    case 'failed':
      return decideOnTestFailure(signals, policy, fact);
    case 'void':
      return createDecision(signals, 'dispatch_tester', 'tests_void', fact);
    case 'could_not_run':
      return createDecision(signals, 'add_legion_paused', 'tests_could_not_run', fact);
    case 'unknown':
      return decideRetry(signals, 'retry_pr_check', 'evidence_unknown', fact);
  }
}

/** Needs Review: a reviewer judges exactly this commit of a mergeable, green pull request. */
export function decideNeedsReview(signals: IssueSignals, policy: PipelinePolicy): Decision {
  return signals.labels.has('worker-done')
    ? decideAfterReview(signals, policy)
    : decideBeforeReview(signals, policy);
}

function decideAfterReview(signals: IssueSignals, policy: PipelinePolicy): Decision {
  return (
    checkPullRequest(signals, policy) ??
    checkReview(signals, policy) ??
    checkMergeable(signals, policy) ??
    checkCi(signals, policy) ??
    createDecision(signals, 'transition_to_retro', 'finished', 'label=worker-done', 'review=approved')
  );
}

/**
 * No reviewer starts on a pull request that is known to conflict, to be red, or to have CI still
 * running.
 */
function decideBeforeReview(signals: IssueSignals, policy: PipelinePolicy): Decision {
  const missing = checkWorkToJudge(signals, policy);
  if (missing !== undefined) return missing;
  const { pullRequest } = signals;
  const readable = pullRequest !== 'none' && pullRequest !== 'unknown' && pullRequest.state === 'open';
  if (readable && pullRequest.mergeable === 'conflicting') {
    const conflict = checkMergeable(signals, policy);
    if (conflict !== undefined) return conflict;
  }
  if (readable && pullRequest.ci !== 'unknown') {
    const red = checkCi(signals, policy);
    if (red !== undefined) return red;
  }
  return createDecision(signals, 'dispatch_reviewer', 'due', 'worker=none');
}

/**
 * Retro: learn from the work, then merge it once every condition of the pre-merge gate holds at
 * this commit.
 */
export function decideRetro(signals: IssueSignals, policy: PipelinePolicy): Decision {
  const { labels, pullRequest, evidence } = signals;
  if (pullRequest !== 'none' && pullRequest !== 'unknown' && pullRequest.state === 'merged') {
    return createDecision(signals, 'transition_to_done', 'merged', 'pullRequest=merged');
  }
  const sentBack = labels.has('worker-done') ? checkSentBack(signals, policy, 'merge') : undefined;
  if (sentBack !== undefined) return sentBack;
  // A merge worker that ended without merging leaves no worker-done label, but the retro that
  // preceded it is still complete.
  const retroOver = labels.has('worker-done') || evidence.retro === 'passed';
  if (!retroOver) return checkWorkToJudge(signals, policy) ?? decideRetroStart(signals);
  return (
    checkPullRequest(signals, policy) ??
    decideRepairBeforeMerge(signals, policy) ??
    decideMerge(signals, policy)
  );
}

function decideRetroStart(signals: IssueSignals): Decision {
  return signals.workers.implement === undefined
    ? createDecision(signals, 'dispatch_implementer_for_retro', 'retro_due', 'session.implement=none')
    : createDecision(signals, 'resume_implementer_for_retro', 'retro_due', 'session.implement=exists');
}

function decideMerge(signals: IssueSignals, policy: PipelinePolicy): Decision {
  const { labels, autoMerge, workers, checkouts = [] } = signals;
  const approved = labels.has('human-approved');
  if (approved && signals.approval === 'unknown' && autoMerge !== 'pass')
    return decideRetry(signals, 'retry_pr_check', 'evidence_unknown', 'approval=unknown');
  if (approved || autoMerge === 'pass') {
    // Checked before a merge worker starts, because the worker would only find that the merge is
    // refused.
    if (checkouts.length > 0) return createDecision(signals, 'skip', 'checkout_in_use', ...checkouts);
    const fact = approved ? 'label=human-approved' : 'autoMerge=pass';
    // A merger that reports "done" while the pull request is open must not be dispatched again and
    // again.
    return workers.merge === 'finished'
      ? decideNextRound(signals, policy, 'merge', 'dispatch_merger', 'merge_ready', fact)
      : createDecision(signals, 'dispatch_merger', 'merge_ready', fact);
  }
  if (autoMerge === 'unknown') {
    return decideRetry(signals, 'retry_pr_check', 'auto_merge_unknown', 'autoMerge=unknown');
  }
  return labels.has('needs-approval')
    ? createDecision(signals, 'skip', 'waits_for_approval', 'label=needs-approval')
    : createDecision(signals, 'add_needs_approval', 'approval_due', `autoMerge=${autoMerge}`);
}
