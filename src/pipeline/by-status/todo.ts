/** Todo: the planner plans; where asked for, the architect reviews the plan before work begins. */

import type { Signals } from '../../core/model/signals.ts';
import type { Policy } from '../../core/pipeline/policy.ts';
import type { Decision } from '../../domain/decision.ts';
import { planAwaitsArchitect } from '../situation.ts';
import { goRound, verdict } from '../verdict.ts';

export function decideTodo(signals: Signals, policy: Policy): Decision {
  const { labels } = signals;
  // An architect that was lost while it reviewed leaves no worker-done behind; the plan it reviewed is still there.
  const planned = labels.has('worker-done') || planAwaitsArchitect(signals);
  if (!planned) return verdict(signals, 'dispatch_planner', 'due', 'worker=none');
  // Approval is looked at before changes: adding it by hand is a person's way past the architect.
  if (!labels.has('architect-continuity') || labels.has('arch-review-approved')) {
    const fact = labels.has('worker-done') ? 'label=worker-done' : 'worker.plan=finished';
    return verdict(signals, 'transition_to_in_progress', 'finished', fact);
  }
  return labels.has('arch-review-changes')
    ? verdict(signals, 'resume_planner_for_changes', 'plan_changes', 'label=arch-review-changes')
    : reviewPlan(signals, policy);
}

/** Each look of the architect's is a round: planner and architect must not go to and fro for ever. */
function reviewPlan(signals: Signals, policy: Policy): Decision {
  return goRound(
    signals,
    policy,
    'plan_review',
    'resume_architect_for_plan_review',
    'plan_review_due',
    'label=architect-continuity',
  );
}
