/** The decision table: the next action for one issue, and why. The first match wins. */
import { type Decision, getActionKind } from '../model/action.ts';
import type { IssueSignals, LegionHold } from '../model/signals.ts';
import type { ObservedStatus } from '../model/status.ts';
import {
  decideBacklog,
  decideIcebox,
  decideInProgress,
  decideNeedsReview,
  decideRetro,
  decideTesting,
  decideTodo,
  decideTriage,
} from './by-status.ts';
import type { PipelinePolicy } from './policy.ts';
import { decideOnRejection } from './rejection.ts';
import { createDecision, getWorkerEngagement } from './situation.ts';

export function decide(signals: IssueSignals, policy: PipelinePolicy): Decision {
  switch (signals.status) {
    case 'terminal':
      return createDecision(signals, 'skip', 'terminal');
    case 'unknown':
      // The worker that asked still waits, whatever column a person chose in the meantime.
      return signals.labels.has('user-input-needed') && signals.labels.has('user-feedback-given')
        ? decideOnAnswer(signals)
        : createDecision(signals, 'skip', 'unknown_status');
    case 'Done':
      return createDecision(signals, 'skip', 'done');
    default:
      return decideActive(signals, signals.status, policy);
  }
}

type ActiveStatus = Exclude<ObservedStatus, 'terminal' | 'unknown' | 'Done'>;

function decideActive(signals: IssueSignals, status: ActiveStatus, policy: PipelinePolicy): Decision {
  const decision = applyRevertHold(
    signals,
    status,
    decideBeforeStatus(signals, status) ?? decideByStatus(signals, status, policy),
  );
  // Checked last: a blocked issue may still move, wait or be cleaned up, but must not start work.
  if (getActionKind(decision.action) !== 'dispatch') return decision;
  const { blockers, heldBy = [] } = signals;
  // Checked before `blocked`, because only a person can end this wait.
  if (heldBy.length > 0) {
    return createDecision(
      signals,
      'skip',
      'reference_unreadable',
      `problems=${heldBy.length}`,
      `would=${decision.action}`,
    );
  }
  return blockers.length > 0
    ? createDecision(signals, 'skip', 'blocked', `blockers=${blockers.join(',')}`, `would=${decision.action}`)
    : decision;
}

/**
 * While an issue's revert is open, new work on the issue would build on the change that is being
 * reverted.
 */
function applyRevertHold(signals: IssueSignals, status: ActiveStatus, decision: Decision): Decision {
  const { revert } = signals;
  if (revert !== 'open' && revert !== 'unknown') return decision;
  const kind = getActionKind(decision.action);
  if (status === 'Triage' || status === 'Icebox' || kind === 'skip' || kind === 'relay') return decision;
  const reason = revert === 'open' ? 'revert_open' : 'revert_unknown';
  return createDecision(signals, 'skip', reason, `revert=${revert}`, `would=${decision.action}`);
}

/** Rules that apply in every status, in the order of the specification's table. */
function decideBeforeStatus(signals: IssueSignals, status: ActiveStatus): Decision | undefined {
  const { labels } = signals;
  const rejection = decideOnRejection(signals);
  if (rejection !== undefined) return rejection;
  if (labels.has('user-input-needed')) return decideOnAnswer(signals);
  if (labels.has('legion-paused')) return createDecision(signals, 'skip', 'paused', 'label=legion-paused');
  if (signals.held !== undefined) return decideOnHold(signals, signals.held);
  if (signals.children !== 'none') return decideOnChildren(signals);
  if ((status === 'Backlog' || status === 'Todo') && labels.has('needs-approval'))
    return decideOnApproval(signals);
  return labels.has('worker-done') ? undefined : decideOnWorker(signals);
}

function decideOnAnswer(signals: IssueSignals): Decision {
  if (!signals.labels.has('user-feedback-given')) {
    return createDecision(signals, 'skip', 'waits_for_answer', 'label=user-input-needed');
  }
  const reason = signals.askedBy === undefined ? 'answered_us' : 'answered';
  return createDecision(signals, 'relay_user_feedback', reason, 'label=user-feedback-given');
}

function decideOnHold(signals: IssueSignals, { kind, by, why }: LegionHold): Decision {
  return createDecision(
    signals,
    'skip',
    kind === 'halt' ? 'halted' : 'legion_paused',
    `by=${by}`,
    `why=${why}`,
  );
}

function decideOnChildren(signals: IssueSignals): Decision {
  return signals.children === 'all_done'
    ? createDecision(signals, 'transition_to_done', 'split_done', 'children=all_done')
    : createDecision(signals, 'skip', 'split_waits', 'children=open');
}

function decideOnApproval(signals: IssueSignals): Decision {
  if (!signals.labels.has('human-approved')) {
    return createDecision(signals, 'skip', 'waits_for_approval', 'label=needs-approval');
  }
  // If the issue moved while a worker was live, the worker's report would be mistaken for a report
  // on the next phase.
  return getWorkerEngagement(signals) === 'live' && !signals.labels.has('worker-done')
    ? createDecision(signals, 'skip', 'worker_live', 'worker=live')
    : createDecision(signals, 'transition_to_todo', 'approved', 'label=human-approved');
}

/**
 * A waiting worker keeps its slot. The label `worker-active` without a worker means that the worker
 * was lost.
 */
function decideOnWorker(signals: IssueSignals): Decision | undefined {
  switch (getWorkerEngagement(signals)) {
    case 'live':
      return createDecision(signals, 'skip', 'worker_live', 'worker=live');
    case 'waiting-user':
      return createDecision(signals, 'skip', 'waits_for_answer', 'worker=waiting-user');
    case 'waiting-quota':
      return createDecision(signals, 'skip', 'waits_for_quota', 'worker=waiting-quota');
    case 'none':
      return signals.labels.has('worker-active')
        ? createDecision(
            signals,
            'remove_worker_active_and_redispatch',
            'worker_lost',
            'label=worker-active',
            'worker=none',
          )
        : undefined;
  }
}

function decideByStatus(signals: IssueSignals, status: ActiveStatus, policy: PipelinePolicy): Decision {
  switch (status) {
    case 'Triage':
      return decideTriage(signals);
    case 'Icebox':
      return decideIcebox(signals);
    case 'Backlog':
      return decideBacklog(signals, policy);
    case 'Todo':
      return decideTodo(signals, policy);
    case 'In Progress':
      return decideInProgress(signals, policy);
    case 'Testing':
      return decideTesting(signals, policy);
    case 'Needs Review':
      return decideNeedsReview(signals, policy);
    case 'Retro':
      return decideRetro(signals, policy);
  }
}
