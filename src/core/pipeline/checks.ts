/**
 * Checks that several statuses share: the pull request, CI, the quality gate, the review and
 * rejected work. Each returns the action that fixes the problem, or undefined if there is none.
 */
import type { Decision } from '../model/action.ts';
import type { Mode } from '../model/mode.ts';
import type { IssueSignals } from '../model/signals.ts';
import type { PipelinePolicy } from './policy.ts';
import { checkPreMergeCondition, type PreMergeCondition } from './pre-merge.ts';
import { createDecision, decideInvestigation, decideNextRound, decideRetry } from './situation.ts';

export function checkPullRequest(signals: IssueSignals, policy: PipelinePolicy): Decision | undefined {
  if (signals.pullRequest === 'none') return decideInvestigation(signals, policy, 'no_pr');
  if (signals.pullRequest === 'unknown') {
    return decideRetry(signals, 'retry_pr_check', 'pr_unknown', 'pullRequest=unknown');
  }
  return undefined;
}

/**
 * Runs before a tester, reviewer or retro costs anything: the issue may have been moved here
 * without any work to judge.
 */
export function checkWorkToJudge(signals: IssueSignals, policy: PipelinePolicy): Decision | undefined {
  if (signals.pullRequest !== 'none') return undefined;
  const fact = 'pullRequest=none';
  return (signals.rounds.no_pr ?? 0) === 0
    ? createDecision(signals, 'investigate_no_pr', 'nothing_to_judge', fact)
    : decideNextRound(signals, policy, 'sent_back', 'transition_to_in_progress', 'nothing_to_judge', fact);
}

/**
 * A pull request without checks passes here. The pre-merge gate decides whether that is enough to
 * merge.
 */
export function checkCi(signals: IssueSignals, policy: PipelinePolicy): Decision | undefined {
  const { pullRequest } = signals;
  if (pullRequest === 'none' || pullRequest === 'unknown' || pullRequest.state === 'merged') return undefined;
  const fact = `ci=${pullRequest.ci}`;
  switch (pullRequest.ci) {
    case 'failing':
      return decideNextRound(
        signals,
        policy,
        'ci_failure',
        'resume_implementer_for_ci_failure',
        'ci_failing',
        fact,
      );
    case 'timed_out':
      return decideNextRound(
        signals,
        policy,
        'ci_failure',
        'resume_implementer_for_ci_failure',
        'ci_timed_out',
        fact,
      );
    // A person is notified, and Legion continues by itself once the checks have run again.
    case 'interrupted':
      return createDecision(signals, 'retry_ci_check', 'ci_interrupted', fact);
    case 'action_required':
      return createDecision(signals, 'retry_ci_check', 'ci_action_required', fact);
    case 'pending':
      return decideRetry(signals, 'retry_ci_check', 'ci_pending', fact);
    case 'unknown':
      return decideRetry(signals, 'retry_pr_check', 'ci_unknown', fact);
    case 'passing':
    case 'none':
      return undefined;
  }
}

/** Always runs before the CI check, because a conflict can make CI fail. */
export function checkMergeable(signals: IssueSignals, policy: PipelinePolicy): Decision | undefined {
  const { pullRequest } = signals;
  if (pullRequest === 'none' || pullRequest === 'unknown' || pullRequest.state === 'merged') return undefined;
  const fact = `mergeable=${pullRequest.mergeable}`;
  switch (pullRequest.mergeable) {
    case 'conflicting':
      return decideNextRound(
        signals,
        policy,
        'conflict',
        'resume_implementer_for_changes',
        'conflicting',
        fact,
      );
    case 'unknown':
      return decideRetry(signals, 'retry_pr_check', 'mergeable_unknown', fact);
    case 'mergeable':
      return undefined;
  }
}

/**
 * Checks the repository's own quality gate, which the host runs at this commit. "Could not run" is
 * not red: it says nothing about the code, so the work is not sent back to the implementer.
 */
export function checkQualityGate(signals: IssueSignals, policy: PipelinePolicy): Decision | undefined {
  if (policy.qualityGate === 'none') return undefined;
  const { qualityGate } = signals.evidence;
  const fact = `evidence.qualityGate=${qualityGate}`;
  switch (qualityGate) {
    case 'passed':
      return undefined;
    case 'failed':
      return decideNextRound(
        signals,
        policy,
        'quality_gate',
        'resume_implementer_for_quality_gate',
        'quality_gate_red',
        fact,
      );
    case 'could_not_run':
      return createDecision(signals, 'add_legion_paused', 'quality_gate_could_not_run', fact);
    case 'void':
    case 'none':
      return decideRetry(signals, 'retry_quality_gate', 'quality_gate_due', fact);
    case 'unknown':
      return decideRetry(signals, 'retry_pr_check', 'evidence_unknown', fact);
  }
}

/** Handles work that did not pass testing. */
export function decideOnTestFailure(signals: IssueSignals, policy: PipelinePolicy, fact: string): Decision {
  return decideNextRound(
    signals,
    policy,
    'test_failure',
    'resume_implementer_for_test_failure',
    'tests_failed',
    fact,
  );
}

/** Checks the review of this commit. */
export function checkReview(signals: IssueSignals, policy: PipelinePolicy): Decision | undefined {
  const { pullRequest } = signals;
  if (pullRequest === 'none' || pullRequest === 'unknown') return undefined;
  const fact = `review=${pullRequest.review}`;
  switch (pullRequest.review) {
    case 'unknown':
      return decideRetry(signals, 'retry_pr_check', 'review_unknown', fact);
    case 'none':
      return decideInvestigation(signals, policy, 'no_review');
    case 'changes_requested':
      return decideNextRound(
        signals,
        policy,
        'review_changes',
        'resume_implementer_for_changes',
        'changes_requested',
        fact,
      );
    case 'approved':
      return undefined;
  }
}

/** Handles work that a tester or merger rejected: the implementer gets the reason as its task. */
export function checkSentBack(signals: IssueSignals, policy: PipelinePolicy, by: Mode): Decision | undefined {
  if (signals.sentBack !== by) return undefined;
  return decideNextRound(
    signals,
    policy,
    'sent_back',
    'resume_implementer_for_changes',
    'sent_back',
    `sentBack=${by}`,
  );
}

/**
 * The first two conditions cannot be fixed by a worker. Conflicts come next, because they can cause
 * every other failure. The pull request's text is last, because a new commit may change it.
 */
const REPAIR_ORDER: readonly PreMergeCondition[] = [
  'no_open_question',
  'real_work',
  'mergeable',
  'ci_green',
  'tests_passed',
  'review_approved',
  'retro_done',
  'names_issue',
];

type DecideRepair = (signals: IssueSignals, policy: PipelinePolicy, fact: string) => Decision | undefined;

const REPAIRS: Readonly<Record<PreMergeCondition, DecideRepair>> = {
  no_open_question: (signals, _, fact) => createDecision(signals, 'skip', 'waits_for_answer', fact),
  real_work: (signals, _, fact) => createDecision(signals, 'skip', 'scripted_work', fact),
  mergeable: (signals, policy) => checkMergeable(signals, policy),
  ci_green: decideCiRepair,
  tests_passed: decideTestRepair,
  review_approved: decideReviewRepair,
  retro_done: decideRetroRepair,
  names_issue: (signals, policy, fact) =>
    decideNextRound(signals, policy, 'closing_keyword', 'add_closing_keyword', 'keyword_missing', fact),
};

/**
 * Chooses the action that fixes the first failing condition of the pre-merge gate. Returns
 * undefined only if every condition passes.
 */
export function decideRepairBeforeMerge(signals: IssueSignals, policy: PipelinePolicy): Decision | undefined {
  for (const name of REPAIR_ORDER) {
    const condition = checkPreMergeCondition(name, signals, policy);
    if (condition.verdict === 'pass') continue;
    return (
      REPAIRS[name](signals, policy, condition.evidence) ?? askAboutOpenCondition(signals, condition.evidence)
    );
  }
  return undefined;
}

/** A failing condition without a fix of its own must still block the merge. */
function askAboutOpenCondition(signals: IssueSignals, fact: string): Decision {
  return createDecision(signals, 'add_user_input_needed', 'round_limit', fact);
}

function decideCiRepair(signals: IssueSignals, policy: PipelinePolicy, fact: string): Decision | undefined {
  return (
    checkCi(signals, policy) ??
    checkQualityGate(signals, policy) ??
    createDecision(signals, 'add_user_input_needed', 'nothing_checked', fact)
  );
}

function decideTestRepair(signals: IssueSignals, policy: PipelinePolicy, fact: string): Decision {
  const { labels, evidence } = signals;
  if (labels.has('test-failed') || evidence.test === 'failed') {
    return decideOnTestFailure(signals, policy, fact);
  }
  return evidence.test === 'unknown' && labels.has('test-passed')
    ? decideRetry(signals, 'retry_pr_check', 'evidence_unknown', fact)
    : createDecision(signals, 'transition_to_testing', 'tests_void', fact);
}

function decideReviewRepair(
  signals: IssueSignals,
  policy: PipelinePolicy,
  fact: string,
): Decision | undefined {
  const { pullRequest } = signals;
  const unreviewed = typeof pullRequest === 'object' && pullRequest.review === 'none';
  return unreviewed
    ? createDecision(signals, 'transition_to_needs_review', 'review_void', fact)
    : checkReview(signals, policy);
}

/**
 * Handles a "done" report without evidence of the retro: requests the retro again, within the round
 * limit.
 */
function decideRetroRepair(signals: IssueSignals, policy: PipelinePolicy, fact: string): Decision {
  return signals.evidence.retro === 'unknown'
    ? decideRetry(signals, 'retry_pr_check', 'evidence_unknown', fact)
    : decideNextRound(signals, policy, 'retro', 'resume_implementer_for_retro', 'retro_due', fact);
}
