/** Backlog: the architect specifies or splits; a person approves unless policy lets it pass. */

import type { Signals } from '../../core/model/signals.ts';
import type { Policy } from '../../core/pipeline/policy.ts';
import type { Decision } from '../../domain/decision.ts';
import { verdict } from '../verdict.ts';

export function decideBacklog(signals: Signals, policy: Policy): Decision {
  if (!signals.labels.has('worker-done')) return verdict(signals, 'dispatch_architect', 'due', 'worker=none');
  return policy.approvals.architect === 'auto'
    ? verdict(signals, 'transition_to_todo', 'finished', 'label=worker-done', 'approvals.architect=auto')
    : verdict(signals, 'add_needs_approval', 'approval_due', 'label=worker-done');
}
