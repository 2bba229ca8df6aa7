/** Testing: the tester gives a verdict on this very commit. */

import type { Signals } from '../../core/model/signals.ts';
import type { Policy } from '../../core/pipeline/policy.ts';
import type { Decision } from '../../domain/decision.ts';
import { checkCi, checkMergeable, checkPullRequest, checkWorkToJudge } from '../checks/pull-request.ts';
import { checkSentBack } from '../checks/sent-back.ts';
import { testFailure } from '../checks/tests.ts';
import { retry, verdict } from '../verdict.ts';

export function decideTesting(signals: Signals, policy: Policy): Decision {
  const { labels } = signals;
  // A tester is not sent to a pull request that conflicts: solving the conflict makes another commit.
  if (!labels.has('worker-done')) {
    return (
      checkWorkToJudge(signals, policy) ??
      checkMergeable(signals, policy) ??
      verdict(signals, 'dispatch_tester', 'due', 'worker=none')
    );
  }
  const sentBack = checkSentBack(signals, policy, 'test');
  if (sentBack !== undefined) return sentBack;
  // Both verdicts at once is a contradiction: the safe reading is that it did not pass.
  if (labels.has('test-failed')) return testFailure(signals, policy, 'label=test-failed');
  if (!labels.has('test-passed')) return testFailure(signals, policy, 'label=test-passed absent');
  return (
    checkPullRequest(signals, policy) ??
    checkMergeable(signals, policy) ??
    checkCi(signals, policy) ??
    checkTestEvidence(signals, policy) ??
    verdict(signals, 'transition_to_needs_review', 'finished', 'label=worker-done', 'label=test-passed')
  );
}

/** A label set by hand has no proof in the journal: it may pass here, but not the gate before the merge. */
function checkTestEvidence(signals: Signals, policy: Policy): Decision | undefined {
  const { test } = signals.evidence;
  const fact = `evidence.test=${test}`;
  switch (test) {
    case 'passed':
    case 'none':
      return undefined;
    case 'failed':
      return testFailure(signals, policy, fact);
    case 'void':
      return verdict(signals, 'dispatch_tester', 'tests_void', fact);
    case 'could_not_run':
      return verdict(signals, 'add_legion_paused', 'tests_could_not_run', fact);
    case 'unknown':
      return retry(signals, 'retry_pr_check', 'evidence_unknown', fact);
  }
}
