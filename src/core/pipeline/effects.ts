/**
 * The writes that carry out a decision, or a chain of decisions: status, labels, worker and
 * counters. A decision writes nothing else.
 */

import type { Decision } from '../model/action.ts';
import type { SpawnPurpose } from '../model/command.ts';
import type { RejectionSubject } from '../model/issue.ts';
import type { Label } from '../model/label.ts';
import type { Mode, RoundReason } from '../model/mode.ts';
import type { IssueSignals } from '../model/signals.ts';
import type { Status } from '../model/status.ts';
import { REJECTED_WORK } from './rejection.ts';

export interface DecisionEffects {
  readonly moveTo?: Status;
  readonly add: readonly Label[];
  readonly remove: readonly Label[];
  /**
   * The session to continue, or to start again if it no longer exists. The worker starts only after
   * the status and the labels are written.
   */
  readonly spawn?: { readonly mode: Mode; readonly purpose: SpawnPurpose };
  /** Reason for the round that the decision uses up. */
  readonly round?: RoundReason;
  readonly resetRounds?: boolean;
  readonly rereadForge?: boolean;
  readonly runQualityGate?: boolean;
  readonly addClosingKeyword?: boolean;
  /** Notifies a person. */
  readonly escalate?: boolean;
}

const PHASE_MARKS = ['worker-active', 'worker-done'] as const satisfies readonly Label[];
const TEST_MARKS = ['test-passed', 'test-failed'] as const satisfies readonly Label[];
const APPROVAL_MARKS = ['needs-approval', 'human-approved'] as const satisfies readonly Label[];
/** Labels of a merge decision. They apply to one commit and say nothing about the next. */
const MERGE_MARKS = [...APPROVAL_MARKS, 'auto-merged'] as const satisfies readonly Label[];
const PLAN_REVIEW_MARKS = ['arch-review-approved', 'arch-review-changes'] as const satisfies readonly Label[];

const QUESTION_MARKS = ['user-input-needed', 'user-feedback-given'] as const satisfies readonly Label[];

/**
 * Reasons for waits about which a person is notified, because only a person can speed up the
 * awaited check.
 */
const NOTIFYING_WAITS: ReadonlySet<string> = new Set([
  'waited_too_long',
  'ci_interrupted',
  'ci_action_required',
]);

const NO_EFFECTS: DecisionEffects = { add: [], remove: [] };

export function computeEffects(decision: Decision, signals: IssueSignals): DecisionEffects {
  const { action, mode } = decision;
  switch (action) {
    case 'skip':
      return NO_EFFECTS;
    case 'relay_user_feedback':
      return deliverUserFeedback(signals, mode);
    case 'remove_worker_active_and_redispatch':
      return { add: [], remove: ['worker-active'] };

    case 'transition_to_icebox':
      return moveIssue('Icebox');
    case 'transition_to_backlog':
      return moveIssue('Backlog', ['user-feedback-given']);
    case 'transition_to_todo':
      return moveIssue('Todo', APPROVAL_MARKS);
    case 'transition_to_in_progress':
      return moveToInProgress(decision);
    case 'transition_to_testing':
      return moveIssue('Testing', [...TEST_MARKS, ...MERGE_MARKS]);
    case 'transition_to_needs_review':
      return moveIssue('Needs Review', ['test-failed', ...MERGE_MARKS]);
    case 'transition_to_retro':
      return moveIssue('Retro');
    case 'transition_to_done':
      return moveIssue('Done', [...TEST_MARKS, ...APPROVAL_MARKS, 'user-feedback-given']);

    case 'dispatch_architect':
    case 'dispatch_planner':
    case 'dispatch_implementer':
    case 'dispatch_reviewer':
      return startWorker(mode, 'start');
    case 'dispatch_tester':
      return startWorker(mode, 'start', TEST_MARKS);
    case 'dispatch_implementer_for_retro':
      return startWorker(mode, 'retro');
    case 'dispatch_merger':
      return startMerger(signals);

    case 'resume_architect_for_plan_review':
      return { ...startWorker(mode, 'plan_review', PLAN_REVIEW_MARKS), round: 'plan_review' };
    case 'resume_architect_for_changes':
      return returnRejectedWork('specification');
    case 'resume_planner_for_changes':
      if (decision.reason === 'rejected') return returnRejectedWork('plan');
      return startWorker(mode, 'plan_changes', PLAN_REVIEW_MARKS);
    case 'resume_implementer_for_ci_failure':
      return sendBackToImplementer(
        decision.reason === 'ci_timed_out' ? 'ci_timeout' : 'ci_failure',
        'ci_failure',
      );
    case 'resume_implementer_for_test_failure':
      return sendBackToImplementer('test_failure', 'test_failure');
    case 'resume_implementer_for_quality_gate':
      return sendBackToImplementer('quality_gate', 'quality_gate');
    case 'resume_implementer_for_changes':
      return sendBackForChanges(decision);
    case 'resume_implementer_for_retro':
      return signals.labels.has('worker-done')
        ? { ...startWorker(mode, 'retro'), round: 'retro' }
        : startWorker(mode, 'retro');

    case 'add_needs_approval':
      return { add: ['needs-approval'], remove: [], escalate: true };
    case 'add_user_input_needed':
      return { add: ['user-input-needed'], remove: ['worker-active'], escalate: true };
    case 'add_legion_paused':
      return { add: ['legion-paused'], remove: ['worker-active'], escalate: true };
    case 'add_closing_keyword':
      return { ...NO_EFFECTS, addClosingKeyword: true, rereadForge: true, round: 'closing_keyword' };

    case 'retry_ci_check':
    case 'retry_pr_check':
      return NOTIFYING_WAITS.has(decision.reason) ? { ...NO_EFFECTS, escalate: true } : NO_EFFECTS;
    case 'retry_quality_gate':
      return decision.reason === 'waited_too_long'
        ? { ...NO_EFFECTS, escalate: true, runQualityGate: true }
        : { ...NO_EFFECTS, runQualityGate: true };

    case 'investigate_no_pr':
      return inspectAnomaly(signals, 'no_pr', sendBackToImplementer('missing_pr', 'no_pr'));
    case 'investigate_no_review':
      return inspectAnomaly(signals, 'no_review', {
        ...startWorker(mode, 'missing_review'),
        round: 'no_review',
      });
  }
}

/** Leaving a phase removes its labels. */
function moveIssue(moveTo: Status, marks: readonly Label[] = []): DecisionEffects {
  return { moveTo, add: [], remove: [...PHASE_MARKS, ...marks] };
}

/** Moving back because a later phase has no pull request to judge counts as a round. */
function moveToInProgress({ reason }: Decision): DecisionEffects {
  if (reason !== 'nothing_to_judge')
    return moveIssue('In Progress', [...APPROVAL_MARKS, ...PLAN_REVIEW_MARKS]);
  return { ...moveIssue('In Progress', [...TEST_MARKS, ...MERGE_MARKS]), round: 'sent_back' };
}

function startWorker(mode: Mode, purpose: SpawnPurpose, marks: readonly Label[] = []): DecisionEffects {
  return { add: ['worker-active'], remove: ['worker-done', ...marks], spawn: { mode, purpose } };
}

/**
 * Moves the issue back to In Progress first and removes the labels of later phases; otherwise the
 * next pass would suggest the same action forever. Also removes an approval, because it was for the
 * commit that is about to change.
 */
function sendBackToImplementer(purpose: SpawnPurpose, round: RoundReason): DecisionEffects {
  const resumed = startWorker('implement', purpose, [...TEST_MARKS, ...MERGE_MARKS]);
  return { ...resumed, moveTo: 'In Progress', round };
}

/** The reason for the changes selects the prompt and the round that is used up. */
function sendBackForChanges({ reason }: Decision): DecisionEffects {
  if (reason === 'rejected') return returnRejectedWork('merge');
  if (reason === 'conflicting') return sendBackToImplementer('conflict', 'conflict');
  if (reason === 'sent_back') return sendBackToImplementer('sent_back', 'sent_back');
  return sendBackToImplementer('review_changes', 'review_changes');
}

/**
 * Moves the issue back to the phase whose result was rejected and removes the labels of later
 * phases. Counts no round, because a person asked for the change.
 */
function returnRejectedWork(subject: RejectionSubject): DecisionEffects {
  const { mode, moveTo } = REJECTED_WORK[subject];
  const marks = [...TEST_MARKS, ...MERGE_MARKS, ...PLAN_REVIEW_MARKS, ...QUESTION_MARKS];
  return { ...startWorker(mode, 'rejected', marks), moveTo };
}

/** Approval labels stay until the merge: a merger that crashes must not need a second approval. */
function startMerger(signals: IssueSignals): DecisionEffects {
  const started = startWorker('merge', 'start');
  const add: Label[] = signals.labels.has('human-approved')
    ? [...started.add]
    : [...started.add, 'auto-merged'];
  return signals.workers.merge === 'finished' ? { ...started, add, round: 'merge' } : { ...started, add };
}

/**
 * Sends the answer to the worker that asked. If the engine itself asked, or the issue has been
 * split since, there is no worker to prompt: the counters are reset and the next pass continues
 * from there. If the issue is in the Icebox, the answer label is kept, because that label moves the
 * issue out.
 */
function deliverUserFeedback(signals: IssueSignals, mode: Mode): DecisionEffects {
  const remove: Label[] =
    signals.status === 'Icebox' ? ['user-input-needed'] : ['user-input-needed', 'user-feedback-given'];
  return signals.askedBy === undefined || signals.children !== 'none'
    ? { add: [], remove, resetRounds: true }
    : { add: ['worker-active'], remove: [...remove, 'worker-done'], spawn: { mode, purpose: 'feedback' } };
}

/**
 * The first step only re-reads the forge. If that changes nothing, the next step prompts the
 * worker.
 */
function inspectAnomaly(
  signals: IssueSignals,
  anomaly: 'no_pr' | 'no_review',
  prompt: DecisionEffects,
): DecisionEffects {
  return (signals.rounds[anomaly] ?? 0) === 0 ? { ...NO_EFFECTS, rereadForge: true, round: anomaly } : prompt;
}

export interface DecisionLink {
  readonly decision: Decision;
  readonly effects: DecisionEffects;
  /** Mode of the worker that was due but may not start. */
  readonly refused?: Mode;
}

export interface DecisionChain {
  readonly links: readonly [DecisionLink, ...DecisionLink[]];
  /** Signals of the issue once every effect is written. */
  readonly after: IssueSignals;
}
