/** Checks on the pull request itself: is it there, is CI green, does it merge. Each yields the action that mends it. */

import type { Signals } from '../../core/model/signals.ts';
import type { Policy } from '../../core/pipeline/policy.ts';
import type { Decision } from '../../domain/decision.ts';
import { investigate } from '../investigate.ts';
import { goRound, retry, verdict } from '../verdict.ts';

export function checkPullRequest(signals: Signals, policy: Policy): Decision | undefined {
  if (signals.pullRequest === 'none') return investigate(signals, policy, 'no_pr');
  if (signals.pullRequest === 'unknown') {
    return retry(signals, 'retry_pr_check', 'pr_unknown', 'pullRequest=unknown');
  }
  return undefined;
}

/** Before a tester, a reviewer or a retro is paid for: somebody moved the issue here before there was work to judge. */
export function checkWorkToJudge(signals: Signals, policy: Policy): Decision | undefined {
  if (signals.pullRequest !== 'none') return undefined;
  const fact = 'pullRequest=none';
  return (signals.rounds.no_pr ?? 0) === 0
    ? verdict(signals, 'investigate_no_pr', 'nothing_to_judge', fact)
    : goRound(signals, policy, 'sent_back', 'transition_to_in_progress', 'nothing_to_judge', fact);
}

/** No checks at all pass here; whether that is enough to merge is the pre-merge gate's question. */
export function checkCi(signals: Signals, policy: Policy): Decision | undefined {
  const { pullRequest } = signals;
  if (pullRequest === 'none' || pullRequest === 'unknown' || pullRequest.state === 'merged') return undefined;
  const fact = `ci=${pullRequest.ci}`;
  switch (pullRequest.ci) {
    case 'failing':
      return goRound(signals, policy, 'ci_failure', 'resume_implementer_for_ci_failure', 'ci_failing', fact);
    case 'pending':
      return retry(signals, 'retry_ci_check', 'ci_pending', fact);
    case 'unknown':
      return retry(signals, 'retry_pr_check', 'ci_unknown', fact);
    case 'passing':
    case 'none':
      return undefined;
  }
}

/** Always looked at before CI: a conflict can be what makes CI fail. */
export function checkMergeable(signals: Signals, policy: Policy): Decision | undefined {
  const { pullRequest } = signals;
  if (pullRequest === 'none' || pullRequest === 'unknown' || pullRequest.state === 'merged') return undefined;
  const fact = `mergeable=${pullRequest.mergeable}`;
  switch (pullRequest.mergeable) {
    case 'conflicting':
      return goRound(signals, policy, 'conflict', 'resume_implementer_for_changes', 'conflicting', fact);
    case 'unknown':
      return retry(signals, 'retry_pr_check', 'mergeable_unknown', fact);
    case 'mergeable':
      return undefined;
  }
}
