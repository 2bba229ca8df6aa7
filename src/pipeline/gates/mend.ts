/** For each condition of the pre-merge gate that does not hold: the action that mends it. */

import type { Signals } from '../../core/model/signals.ts';
import type { Policy } from '../../core/pipeline/policy.ts';
import type { Decision } from '../../domain/decision.ts';
import { checkCi, checkMergeable } from '../checks/pull-request.ts';
import { checkQualityGate } from '../checks/quality-gate.ts';
import { checkReview } from '../checks/review.ts';
import { testFailure } from '../checks/tests.ts';
import { goRound, retry, verdict } from '../verdict.ts';
import { type PreMergeCondition, preMergeCondition } from './pre-merge.ts';

/**
 * First what nothing can mend; then conflicts, because they can cause every other failure; then what is mended by code, from the tests on; the text of
 * the pull request last, because a new commit may bring a new one.
 */
const MENDING_ORDER: readonly PreMergeCondition[] = [
  'no_open_question',
  'real_work',
  'mergeable',
  'ci_green',
  'tests_passed',
  'review_approved',
  'retro_done',
  'names_issue',
];

type Mend = (signals: Signals, policy: Policy, fact: string) => Decision | undefined;

const MENDS: Readonly<Record<PreMergeCondition, Mend>> = {
  no_open_question: (signals, _, fact) => verdict(signals, 'skip', 'waits_for_answer', fact),
  real_work: (signals, _, fact) => verdict(signals, 'skip', 'scripted_work', fact),
  mergeable: (signals, policy) => checkMergeable(signals, policy),
  ci_green: mendCi,
  tests_passed: mendTests,
  review_approved: mendReview,
  retro_done: mendRetro,
  names_issue: (signals, policy, fact) =>
    goRound(signals, policy, 'closing_keyword', 'add_closing_keyword', 'keyword_missing', fact),
};

/** Undefined only where every condition passes. */
export function mendBeforeMerge(signals: Signals, policy: Policy): Decision | undefined {
  for (const name of MENDING_ORDER) {
    const found = preMergeCondition(name, signals, policy);
    if (found.verdict === 'pass') continue;
    return MENDS[name](signals, policy, found.evidence) ?? stillOpen(signals, found.evidence);
  }
  return undefined;
}

/** A condition that fails and has no mend of its own must still never let the merge through. */
function stillOpen(signals: Signals, fact: string): Decision {
  return verdict(signals, 'add_user_input_needed', 'round_limit', fact);
}

function mendCi(signals: Signals, policy: Policy, fact: string): Decision | undefined {
  return (
    checkCi(signals, policy) ??
    checkQualityGate(signals, policy) ??
    verdict(signals, 'add_user_input_needed', 'nothing_checked', fact)
  );
}

function mendTests(signals: Signals, policy: Policy, fact: string): Decision {
  const { labels, evidence } = signals;
  if (labels.has('test-failed') || evidence.test === 'failed') {
    return testFailure(signals, policy, fact);
  }
  return evidence.test === 'unknown' && labels.has('test-passed')
    ? retry(signals, 'retry_pr_check', 'evidence_unknown', fact)
    : verdict(signals, 'transition_to_testing', 'tests_void', fact);
}

function mendReview(signals: Signals, policy: Policy, fact: string): Decision | undefined {
  const { pullRequest } = signals;
  const unreviewed = typeof pullRequest === 'object' && pullRequest.review === 'none';
  return unreviewed
    ? verdict(signals, 'transition_to_needs_review', 'review_void', fact)
    : checkReview(signals, policy);
}

/** "Done" without a proof of the retro: it is asked for again, but not for ever. */
function mendRetro(signals: Signals, policy: Policy, fact: string): Decision {
  return signals.evidence.retro === 'unknown'
    ? retry(signals, 'retry_pr_check', 'evidence_unknown', fact)
    : goRound(signals, policy, 'retro', 'resume_implementer_for_retro', 'retro_due', fact);
}
