/** Needs Review: a reviewer's verdict on this very commit, of a pull request that merges and is green. */

import type { Signals } from '../../core/model/signals.ts';
import type { Policy } from '../../core/pipeline/policy.ts';
import type { Decision } from '../../domain/decision.ts';
import { checkCi, checkMergeable, checkPullRequest, checkWorkToJudge } from '../checks/pull-request.ts';
import { checkReview } from '../checks/review.ts';
import { verdict } from '../verdict.ts';

export function decideNeedsReview(signals: Signals, policy: Policy): Decision {
  return signals.labels.has('worker-done') ? afterReview(signals, policy) : beforeReview(signals, policy);
}

function afterReview(signals: Signals, policy: Policy): Decision {
  return (
    checkPullRequest(signals, policy) ??
    checkReview(signals, policy) ??
    checkMergeable(signals, policy) ??
    checkCi(signals, policy) ??
    verdict(signals, 'transition_to_retro', 'finished', 'label=worker-done', 'review=approved')
  );
}

/** No reviewer is sent to a pull request that is known to conflict, to be red, or to be still running. */
function beforeReview(signals: Signals, policy: Policy): Decision {
  const missing = checkWorkToJudge(signals, policy);
  if (missing !== undefined) return missing;
  const { pullRequest } = signals;
  const readable = pullRequest !== 'none' && pullRequest !== 'unknown' && pullRequest.state === 'open';
  if (readable && pullRequest.mergeable === 'conflicting') {
    const conflict = checkMergeable(signals, policy);
    if (conflict !== undefined) return conflict;
  }
  if (readable && (pullRequest.ci === 'failing' || pullRequest.ci === 'pending')) {
    const red = checkCi(signals, policy);
    if (red !== undefined) return red;
  }
  return verdict(signals, 'dispatch_reviewer', 'due', 'worker=none');
}
