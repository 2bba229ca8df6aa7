/** Actions in words for people, as they follow "decided to". */
import type { Action } from '../core/model/action.ts';

const WORDS: Readonly<Record<Action, string>> = {
  skip: 'do nothing now',
  relay_user_feedback: 'pass on a person’s answer',
  remove_worker_active_and_redispatch: 'start its worker again',

  transition_to_icebox: 'move it to Icebox',
  transition_to_backlog: 'move it to Backlog',
  transition_to_todo: 'move it to Todo',
  transition_to_in_progress: 'move it to In Progress',
  transition_to_testing: 'move it to Testing',
  transition_to_needs_review: 'move it to Needs Review',
  transition_to_retro: 'move it to Retro',
  transition_to_done: 'move it to Done',

  dispatch_architect: 'send an architect',
  dispatch_planner: 'send a planner',
  dispatch_implementer: 'send an implementer',
  dispatch_tester: 'send a tester',
  dispatch_reviewer: 'send a reviewer',
  dispatch_implementer_for_retro: 'send an implementer for the retro',
  dispatch_merger: 'send a merger',

  resume_architect_for_plan_review: 'have the architect review the plan',
  resume_planner_for_changes: 'have the planner change the plan',
  resume_implementer_for_ci_failure: 'have the implementer fix what CI found',
  resume_implementer_for_test_failure: 'have the implementer fix what the tests found',
  resume_implementer_for_quality_gate: 'have the implementer fix what the quality gate found',
  resume_implementer_for_changes: 'have the implementer make the requested changes',
  resume_implementer_for_retro: 'have the implementer write the retro',

  add_needs_approval: 'ask a person to approve',
  add_user_input_needed: 'ask a person',
  add_legion_paused: 'pause it',
  add_closing_keyword: 'name the issue in the pull request',

  retry_ci_check: 'look at CI again',
  retry_pr_check: 'look at the pull request again',
  retry_quality_gate: 'run the quality gate again',

  investigate_no_pr: 'find out why there is no pull request',
  investigate_no_review: 'find out why there is no review',
};

/** The word itself where this version does not know it, as in the journal of another one. */
export function actionInWords(action: string): string {
  return Object.hasOwn(WORDS, action) ? WORDS[action as Action] : action;
}
