/** The decision table: what should happen to one issue, and why. The first match wins. */
import { kindOf } from '../core/model/action.ts';
import type { LegionHold, Signals } from '../core/model/signals.ts';
import type { SeenStatus } from '../core/model/status.ts';
import type { Policy } from '../core/pipeline/policy.ts';
import type { Decision } from '../domain/decision.ts';
import { decideBacklog } from './by-status/backlog.ts';
import { decideIcebox } from './by-status/icebox.ts';
import { decideInProgress } from './by-status/in-progress.ts';
import { decideNeedsReview } from './by-status/needs-review.ts';
import { decideRetro } from './by-status/retro.ts';
import { decideTesting } from './by-status/testing.ts';
import { decideTodo } from './by-status/todo.ts';
import { decideTriage } from './by-status/triage.ts';
import { engagementOf } from './situation.ts';
import { verdict } from './verdict.ts';

export function decide(signals: Signals, policy: Policy): Decision {
  switch (signals.status) {
    case 'terminal':
      return verdict(signals, 'skip', 'terminal');
    case 'unknown':
      return verdict(signals, 'skip', 'unknown_status');
    case 'Done':
      return verdict(signals, 'skip', 'done');
    default:
      return decideActive(signals, signals.status, policy);
  }
}

type ActiveStatus = Exclude<SeenStatus, 'terminal' | 'unknown' | 'Done'>;

function decideActive(signals: Signals, status: ActiveStatus, policy: Policy): Decision {
  const found = behindRevert(
    signals,
    status,
    beforeStatus(signals, status) ?? byStatus(signals, status, policy),
  );
  // Last, because a blocked issue may still move, wait or be cleaned up; it only may not start work.
  if (kindOf(found.action) !== 'dispatch') return found;
  const { blockers, heldBy = [] } = signals;
  // Before `blocked`: only a person can end this wait.
  if (heldBy.length > 0) {
    return verdict(
      signals,
      'skip',
      'reference_unreadable',
      `problems=${heldBy.length}`,
      `would=${found.action}`,
    );
  }
  return blockers.length > 0
    ? verdict(signals, 'skip', 'blocked', `blockers=${blockers.join(',')}`, `would=${found.action}`)
    : found;
}

/** Work on an issue whose revert is open would build on the change that is to be reverted. */
function behindRevert(signals: Signals, status: ActiveStatus, found: Decision): Decision {
  const { revert } = signals;
  if (revert !== 'open' && revert !== 'unknown') return found;
  const kind = kindOf(found.action);
  if (status === 'Triage' || status === 'Icebox' || kind === 'skip' || kind === 'relay') return found;
  const reason = revert === 'open' ? 'revert_open' : 'revert_unknown';
  return verdict(signals, 'skip', reason, `revert=${revert}`, `would=${found.action}`);
}

/** The rules that hold whatever the status is, in the order of the specification's table. */
function beforeStatus(signals: Signals, status: ActiveStatus): Decision | undefined {
  const { labels } = signals;
  if (labels.has('user-input-needed')) return aboutAnswer(signals);
  if (labels.has('legion-paused')) return verdict(signals, 'skip', 'paused', 'label=legion-paused');
  if (signals.held !== undefined) return aboutHold(signals, signals.held);
  if (signals.children !== 'none') return aboutChildren(signals);
  if ((status === 'Backlog' || status === 'Todo') && labels.has('needs-approval'))
    return aboutApproval(signals);
  return labels.has('worker-done') ? undefined : aboutWorker(signals);
}

function aboutAnswer(signals: Signals): Decision {
  if (!signals.labels.has('user-feedback-given')) {
    return verdict(signals, 'skip', 'waits_for_answer', 'label=user-input-needed');
  }
  const reason = signals.askedBy === undefined ? 'answered_us' : 'answered';
  return verdict(signals, 'relay_user_feedback', reason, 'label=user-feedback-given');
}

function aboutHold(signals: Signals, { kind, by, why }: LegionHold): Decision {
  return verdict(signals, 'skip', kind === 'halt' ? 'halted' : 'legion_paused', `by=${by}`, `why=${why}`);
}

function aboutChildren(signals: Signals): Decision {
  return signals.children === 'all_done'
    ? verdict(signals, 'transition_to_done', 'split_done', 'children=all_done')
    : verdict(signals, 'skip', 'split_waits', 'children=open');
}

function aboutApproval(signals: Signals): Decision {
  if (!signals.labels.has('human-approved')) {
    return verdict(signals, 'skip', 'waits_for_approval', 'label=needs-approval');
  }
  // Moving on under a live worker would make its report count for the next phase.
  return engagementOf(signals) === 'live' && !signals.labels.has('worker-done')
    ? verdict(signals, 'skip', 'worker_live', 'worker=live')
    : verdict(signals, 'transition_to_todo', 'approved', 'label=human-approved');
}

/** A waiting worker keeps its place; a mark without a worker is a worker that was lost. */
function aboutWorker(signals: Signals): Decision | undefined {
  switch (engagementOf(signals)) {
    case 'live':
      return verdict(signals, 'skip', 'worker_live', 'worker=live');
    case 'waiting-user':
      return verdict(signals, 'skip', 'waits_for_answer', 'worker=waiting-user');
    case 'waiting-quota':
      return verdict(signals, 'skip', 'waits_for_quota', 'worker=waiting-quota');
    case 'none':
      return signals.labels.has('worker-active')
        ? verdict(
            signals,
            'remove_worker_active_and_redispatch',
            'worker_lost',
            'label=worker-active',
            'worker=none',
          )
        : undefined;
  }
}

function byStatus(signals: Signals, status: ActiveStatus, policy: Policy): Decision {
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
