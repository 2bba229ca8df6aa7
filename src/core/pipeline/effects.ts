/** What carrying out a decision writes: the status, the labels, the worker, the counters. Nothing else is ever written. */

import type { Decision } from '../../domain/decision.ts';
import type { Label } from '../../domain/label.ts';
import type { Mode } from '../../domain/mode.ts';
import type { RoundReason } from '../../domain/rounds.ts';
import type { Purpose } from '../model/command.ts';
import type { Signals } from '../model/signals.ts';
import type { Status } from '../model/status.ts';

export interface Effects {
  readonly moveTo?: Status;
  readonly add: readonly Label[];
  readonly remove: readonly Label[];
  /** A session to continue, or to start afresh if it is gone; always after the writes above. */
  readonly spawn?: { readonly mode: Mode; readonly purpose: Purpose };
  /** The round this uses up. */
  readonly round?: RoundReason;
  readonly resetRounds?: boolean;
  readonly rereadForge?: boolean;
  readonly runQualityGate?: boolean;
  readonly addClosingKeyword?: boolean;
  /** A person has to be told. */
  readonly escalate?: boolean;
}

const PHASE_MARKS = ['worker-active', 'worker-done'] as const satisfies readonly Label[];
const TEST_MARKS = ['test-passed', 'test-failed'] as const satisfies readonly Label[];
const APPROVAL_MARKS = ['needs-approval', 'human-approved'] as const satisfies readonly Label[];
/** What was decided about merging one commit says nothing about the next. */
const MERGE_MARKS = [...APPROVAL_MARKS, 'auto-merged'] as const satisfies readonly Label[];
const PLAN_REVIEW_MARKS = ['arch-review-approved', 'arch-review-changes'] as const satisfies readonly Label[];

const NOTHING: Effects = { add: [], remove: [] };

export function effectsOf(decision: Decision, signals: Signals): Effects {
  const { action, mode } = decision;
  switch (action) {
    case 'skip':
      return NOTHING;
    case 'relay_user_feedback':
      return relay(signals, mode);
    case 'remove_worker_active_and_redispatch':
      return { add: [], remove: ['worker-active'] };

    case 'transition_to_icebox':
      return move('Icebox');
    case 'transition_to_backlog':
      return move('Backlog', ['user-feedback-given']);
    case 'transition_to_todo':
      return move('Todo', APPROVAL_MARKS);
    case 'transition_to_in_progress':
      return moveToInProgress(decision);
    case 'transition_to_testing':
      return move('Testing', [...TEST_MARKS, ...MERGE_MARKS]);
    case 'transition_to_needs_review':
      return move('Needs Review', ['test-failed', ...MERGE_MARKS]);
    case 'transition_to_retro':
      return move('Retro');
    case 'transition_to_done':
      return move('Done', [...TEST_MARKS, ...APPROVAL_MARKS, 'user-feedback-given']);

    case 'dispatch_architect':
    case 'dispatch_planner':
    case 'dispatch_implementer':
    case 'dispatch_reviewer':
      return start(mode, 'start');
    case 'dispatch_tester':
      return start(mode, 'start', TEST_MARKS);
    case 'dispatch_implementer_for_retro':
      return start(mode, 'retro');
    case 'dispatch_merger':
      return startMerger(signals);

    case 'resume_architect_for_plan_review':
      return { ...start(mode, 'plan_review', PLAN_REVIEW_MARKS), round: 'plan_review' };
    case 'resume_planner_for_changes':
      return start(mode, 'plan_changes', PLAN_REVIEW_MARKS);
    case 'resume_implementer_for_ci_failure':
      return sendBack('ci_failure', 'ci_failure');
    case 'resume_implementer_for_test_failure':
      return sendBack('test_failure', 'test_failure');
    case 'resume_implementer_for_quality_gate':
      return sendBack('quality_gate', 'quality_gate');
    case 'resume_implementer_for_changes':
      return changesFor(decision);
    case 'resume_implementer_for_retro':
      return signals.labels.has('worker-done')
        ? { ...start(mode, 'retro'), round: 'retro' }
        : start(mode, 'retro');

    case 'add_needs_approval':
      return { add: ['needs-approval'], remove: [], escalate: true };
    case 'add_user_input_needed':
      return { add: ['user-input-needed'], remove: ['worker-active'], escalate: true };
    case 'add_legion_paused':
      return { add: ['legion-paused'], remove: ['worker-active'], escalate: true };
    case 'add_closing_keyword':
      return { ...NOTHING, addClosingKeyword: true, rereadForge: true, round: 'closing_keyword' };

    case 'retry_ci_check':
    case 'retry_pr_check':
      return decision.reason === 'waited_too_long' ? { ...NOTHING, escalate: true } : NOTHING;
    case 'retry_quality_gate':
      return decision.reason === 'waited_too_long'
        ? { ...NOTHING, escalate: true, runQualityGate: true }
        : { ...NOTHING, runQualityGate: true };

    case 'investigate_no_pr':
      return lookInto(signals, 'no_pr', sendBack('missing_pr', 'no_pr'));
    case 'investigate_no_review':
      return lookInto(signals, 'no_review', { ...start(mode, 'missing_review'), round: 'no_review' });
  }
}

/** Leaving a phase takes its marks along. */
function move(moveTo: Status, marks: readonly Label[] = []): Effects {
  return { moveTo, add: [], remove: [...PHASE_MARKS, ...marks] };
}

/** Without a pull request a later phase has nothing to judge; going back for that is a round like any other. */
function moveToInProgress({ reason }: Decision): Effects {
  if (reason !== 'nothing_to_judge') return move('In Progress', [...APPROVAL_MARKS, ...PLAN_REVIEW_MARKS]);
  return { ...move('In Progress', [...TEST_MARKS, ...MERGE_MARKS]), round: 'sent_back' };
}

function start(mode: Mode, purpose: Purpose, marks: readonly Label[] = []): Effects {
  return { add: ['worker-active'], remove: ['worker-done', ...marks], spawn: { mode, purpose } };
}

/**
 * Back to In Progress first, and without the marks of later phases; otherwise the next look would suggest the same again for
 * ever. An approval was for the commit that is now about to change.
 */
function sendBack(purpose: Purpose, round: RoundReason): Effects {
  const resumed = start('implement', purpose, [...TEST_MARKS, ...MERGE_MARKS]);
  return { ...resumed, moveTo: 'In Progress', round };
}

/** Why the implementer has to change what it handed in decides what it is told and which rounds it uses up. */
function changesFor({ reason }: Decision): Effects {
  if (reason === 'conflicting') return sendBack('conflict', 'conflict');
  if (reason === 'sent_back') return sendBack('sent_back', 'sent_back');
  return sendBack('review_changes', 'review_changes');
}

/** Approval marks stay until the merge: a merger that crashes must not need a second approval. */
function startMerger(signals: Signals): Effects {
  const started = start('merge', 'start');
  const add: Label[] = signals.labels.has('human-approved')
    ? [...started.add]
    : [...started.add, 'auto-merged'];
  return signals.workers.merge === 'finished' ? { ...started, add, round: 'merge' } : { ...started, add };
}

/**
 * The answer goes to the worker that asked. Where the engine itself had asked, or the issue has been split since, there is
 * none to prompt: the counters begin anew and the next look goes on from there. In the Icebox the answer is what lets the
 * issue out, so its mark stays.
 */
function relay(signals: Signals, mode: Mode): Effects {
  const remove: Label[] =
    signals.status === 'Icebox' ? ['user-input-needed'] : ['user-input-needed', 'user-feedback-given'];
  return signals.askedBy === undefined || signals.children !== 'none'
    ? { add: [], remove, resetRounds: true }
    : { add: ['worker-active'], remove: [...remove, 'worker-done'], spawn: { mode, purpose: 'feedback' } };
}

/** The first look costs a re-read; only if that shows nothing is the worker told. */
function lookInto(signals: Signals, anomaly: 'no_pr' | 'no_review', tell: Effects): Effects {
  return (signals.rounds[anomaly] ?? 0) === 0 ? { ...NOTHING, rereadForge: true, round: anomaly } : tell;
}
