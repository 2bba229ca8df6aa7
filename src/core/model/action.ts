/**
 * Every action that the engine can suggest, and the decision that contains one. The prefix of an
 * action's name says how the action is carried out.
 */
import type { Mode } from './mode.ts';

/**
 * `dispatch` starts a worker · `transition` moves the issue · `resume` prompts an existing session
 * · `relay` forwards a person's answer · `add` and `remove` change the issue or its pull request ·
 * `retry` waits and checks again · `investigate` handles an anomaly · `skip` does nothing.
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

/**
 * The mode of an action: fixed, taken from the status, or taken from the worker that asked.
 */
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
  resume_architect_for_changes: 'architect',
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

const ACTION_KINDS: ReadonlyMap<Action, ActionKind> = new Map(
  ACTIONS.map((action) => [action, action.slice(0, computePrefixLength(action)) as ActionKind]),
);

export function getActionKind(action: Action): ActionKind {
  return ACTION_KINDS.get(action) ?? 'skip';
}

/** Returns the action's mode. For actions without a fixed mode, `situation` supplies it. */
export function resolveActionMode(action: Action, situation: { ofStatus: Mode; ofAsker: Mode }): Mode {
  const mode = ACTION_MODES[action];
  if (mode === 'of-status') return situation.ofStatus;
  if (mode === 'of-asker') return situation.ofAsker;
  return mode;
}

function computePrefixLength(action: Action): number {
  const end = action.indexOf('_');
  return end === -1 ? action.length : end;
}

const ACTION_DESCRIPTIONS: Readonly<Record<Action, string>> = {
  skip: 'do nothing for now',
  relay_user_feedback: 'forward a person’s answer',
  remove_worker_active_and_redispatch: 'restart its worker',

  transition_to_icebox: 'move it to Icebox',
  transition_to_backlog: 'move it to Backlog',
  transition_to_todo: 'move it to Todo',
  transition_to_in_progress: 'move it to In Progress',
  transition_to_testing: 'move it to Testing',
  transition_to_needs_review: 'move it to Needs Review',
  transition_to_retro: 'move it to Retro',
  transition_to_done: 'move it to Done',

  dispatch_architect: 'start an architect',
  dispatch_planner: 'start a planner',
  dispatch_implementer: 'start an implementer',
  dispatch_tester: 'start a tester',
  dispatch_reviewer: 'start a reviewer',
  dispatch_implementer_for_retro: 'start an implementer for the retro',
  dispatch_merger: 'start a merger',

  resume_architect_for_plan_review: 'have the architect review the plan',
  resume_architect_for_changes: 'have the architect change the specification',
  resume_planner_for_changes: 'have the planner change the plan',
  resume_implementer_for_ci_failure: 'have the implementer fix the CI failure',
  resume_implementer_for_test_failure: 'have the implementer fix the test failure',
  resume_implementer_for_quality_gate: 'have the implementer fix the quality gate failure',
  resume_implementer_for_changes: 'have the implementer make the requested changes',
  resume_implementer_for_retro: 'have the implementer write the retro',

  add_needs_approval: 'ask a person to approve',
  add_user_input_needed: 'ask a person',
  add_legion_paused: 'pause it',
  add_closing_keyword: 'add the issue’s closing keyword to the pull request',

  retry_ci_check: 'check CI again',
  retry_pr_check: 'check the pull request again',
  retry_quality_gate: 'run the quality gate again',

  investigate_no_pr: 'find out why there is no pull request',
  investigate_no_review: 'find out why there is no review',
};

/**
 * Describes an action for people, as a phrase that can follow "decided to". Returns an unknown
 * action unchanged, because the journal may have been written by another version.
 */
export function describeAction(action: string): string {
  return Object.hasOwn(ACTION_DESCRIPTIONS, action) ? ACTION_DESCRIPTIONS[action as Action] : action;
}

/** The end condition of the state after a decision. Every wait has an end. */
export interface EndCondition {
  readonly by: 'event' | 'time' | 'person' | 'nothing_more';
  readonly what: string;
  /**
   * The command with which a person ends the state, with ISSUE in place of the id. Always
   * set if a person has to act.
   */
  readonly next?: string;
}

/** The engine's suggestion for one issue, with its reasons. */
export interface Decision {
  readonly action: Action;
  readonly mode: Mode;
  /** A stable code for machines, such as `ci_pending`. */
  readonly reason: string;
  /** The facts that led to the decision, as `name=value`. */
  readonly evidence: readonly string[];
  readonly until: EndCondition;
}
