/** Retro: learn from the work, then merge it, once every condition of the pre-merge gate holds at this commit. */

import type { Signals } from '../../core/model/signals.ts';
import type { Policy } from '../../core/pipeline/policy.ts';
import type { Decision } from '../../domain/decision.ts';
import { checkPullRequest, checkWorkToJudge } from '../checks/pull-request.ts';
import { checkSentBack } from '../checks/sent-back.ts';
import { mendBeforeMerge } from '../gates/mend.ts';
import { goRound, retry, verdict } from '../verdict.ts';

export function decideRetro(signals: Signals, policy: Policy): Decision {
  const { labels, pullRequest, evidence } = signals;
  if (pullRequest !== 'none' && pullRequest !== 'unknown' && pullRequest.state === 'merged') {
    return verdict(signals, 'transition_to_done', 'merged', 'pullRequest=merged');
  }
  const sentBack = labels.has('worker-done') ? checkSentBack(signals, policy, 'merge') : undefined;
  if (sentBack !== undefined) return sentBack;
  // A merge worker that ended without merging leaves no worker-done behind; the retro it followed is still done.
  const retroOver = labels.has('worker-done') || evidence.retro === 'passed';
  if (!retroOver) return checkWorkToJudge(signals, policy) ?? startRetro(signals);
  return checkPullRequest(signals, policy) ?? mendBeforeMerge(signals, policy) ?? merge(signals, policy);
}

function startRetro(signals: Signals): Decision {
  return signals.workers.implement === undefined
    ? verdict(signals, 'dispatch_implementer_for_retro', 'retro_due', 'session.implement=none')
    : verdict(signals, 'resume_implementer_for_retro', 'retro_due', 'session.implement=exists');
}

function merge(signals: Signals, policy: Policy): Decision {
  const { labels, autoMerge, workers, checkouts = [] } = signals;
  const approved = labels.has('human-approved');
  if (approved || autoMerge === 'pass') {
    // Before a worker is sent: it could only find that the merge is refused.
    if (checkouts.length > 0) return verdict(signals, 'skip', 'checkout_in_use', ...checkouts);
    const fact = approved ? 'label=human-approved' : 'autoMerge=pass';
    // A merger that says "done" while the pull request is open must not be sent for ever.
    return workers.merge === 'finished'
      ? goRound(signals, policy, 'merge', 'dispatch_merger', 'merge_ready', fact)
      : verdict(signals, 'dispatch_merger', 'merge_ready', fact);
  }
  if (autoMerge === 'unknown') {
    return retry(signals, 'retry_pr_check', 'auto_merge_unknown', 'autoMerge=unknown');
  }
  return labels.has('needs-approval')
    ? verdict(signals, 'skip', 'waits_for_approval', 'label=needs-approval')
    : verdict(signals, 'add_needs_approval', 'approval_due', `autoMerge=${autoMerge}`);
}
