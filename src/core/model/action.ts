/** Every action the engine can suggest. The prefix of a name says how it is carried out. */
import type { Mode } from '../../domain/mode.ts';

/**
 * `dispatch` spawns a worker · `transition` moves the issue · `resume` prompts an existing session · `relay` forwards a
 * person's answer · `add` and `remove` write something on the issue or its pull request · `retry` waits and looks again ·
 * `investigate` handles an anomaly · `skip` does nothing.
 */
export type ActionKind =
  | 'dispatch'
  | 'transition'
  | 'resume'
  | 'relay'
  | 'add'
  | 'remove'
  | 'retry'
  | 'investigate'
  | 'skip';

/** The mode an action concerns: its own, the one the status calls for, or the one of the worker that asked. */
type ActionMode = Mode | 'of-status' | 'of-asker';

const ACTION_MODES = {
  skip: 'of-status',
  relay_user_feedback: 'of-asker',
  remove_worker_active_and_redispatch: 'of-status',

  transition_to_icebox: 'architect',
  transition_to_backlog: 'architect',
  transition_to_todo: 'plan',
  transition_to_in_progress: 'implement',
  transition_to_testing: 'test',
  transition_to_needs_review: 'review',
  transition_to_retro: 'implement',
  transition_to_done: 'merge',

  dispatch_architect: 'architect',
  dispatch_planner: 'plan',
  dispatch_implementer: 'implement',
  dispatch_tester: 'test',
  dispatch_reviewer: 'review',
  dispatch_implementer_for_retro: 'implement',
  dispatch_merger: 'merge',

  resume_architect_for_plan_review: 'architect',
  resume_planner_for_changes: 'plan',
  resume_implementer_for_ci_failure: 'implement',
  resume_implementer_for_test_failure: 'implement',
  resume_implementer_for_quality_gate: 'implement',
  resume_implementer_for_changes: 'implement',
  resume_implementer_for_retro: 'implement',

  add_needs_approval: 'of-status',
  add_user_input_needed: 'of-status',
  add_legion_paused: 'of-status',
  add_closing_keyword: 'merge',

  retry_ci_check: 'of-status',
  retry_pr_check: 'of-status',
  retry_quality_gate: 'of-status',

  investigate_no_pr: 'implement',
  investigate_no_review: 'review',
} as const satisfies Readonly<Record<string, ActionMode>>;

export type Action = keyof typeof ACTION_MODES;

export const ACTIONS = Object.keys(ACTION_MODES) as readonly Action[];

const KINDS: ReadonlyMap<Action, ActionKind> = new Map(
  ACTIONS.map((action) => [action, action.slice(0, prefixLength(action)) as ActionKind]),
);

export function kindOf(action: Action): ActionKind {
  return KINDS.get(action) ?? 'skip';
}

/** The one mode of an action, given what the situation says where the action itself does not. */
export function modeOf(action: Action, situation: { ofStatus: Mode; ofAsker: Mode }): Mode {
  const mode = ACTION_MODES[action];
  if (mode === 'of-status') return situation.ofStatus;
  if (mode === 'of-asker') return situation.ofAsker;
  return mode;
}

function prefixLength(action: Action): number {
  const end = action.indexOf('_');
  return end === -1 ? action.length : end;
}
