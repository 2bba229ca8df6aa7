/** Check on the review of this commit. */

import type { Signals } from '../../core/model/signals.ts';
import type { Policy } from '../../core/pipeline/policy.ts';
import type { Decision } from '../../domain/decision.ts';
import { investigate } from '../investigate.ts';
import { goRound, retry } from '../verdict.ts';

export function checkReview(signals: Signals, policy: Policy): Decision | undefined {
  const { pullRequest } = signals;
  if (pullRequest === 'none' || pullRequest === 'unknown') return undefined;
  const fact = `review=${pullRequest.review}`;
  switch (pullRequest.review) {
    case 'unknown':
      return retry(signals, 'retry_pr_check', 'review_unknown', fact);
    case 'none':
      return investigate(signals, policy, 'no_review');
    case 'changes_requested':
      return goRound(
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
