/** Tests the complete set of writes for each decision. */
import { describe, expect, test } from 'vitest';
import { ACTIONS } from '../../../src/core/model/action.ts';
import type { ObservedStatus } from '../../../src/core/model/status.ts';
import { decide } from '../../../src/core/pipeline/decide.ts';
import { computeEffects, type DecisionEffects } from '../../../src/core/pipeline/effects.ts';
import { rowsOf, told } from './told.ts';

const READY = 'done test-passed tests=passed retro=passed';
const ANSWERED = 'user-input-needed user-feedback-given';

const MOVES = `
  Triage       | route=Icebox                       | transition_to_icebox       | to Icebox -worker-active -worker-done
  Triage       | route=Backlog                      | transition_to_backlog      | to Backlog -worker-active -worker-done -user-feedback-given
  Icebox       | icebox=due                         | transition_to_backlog      | to Backlog -worker-active -worker-done -user-feedback-given
  Backlog      | done needs-approval human-approved | transition_to_todo         | to Todo -worker-active -worker-done -needs-approval -human-approved
  Todo         | done                               | transition_to_in_progress  | to In Progress -worker-active -worker-done -needs-approval -human-approved -arch-review-approved -arch-review-changes
  In Progress  | done pr=open                       | transition_to_testing      | to Testing -worker-active -worker-done -test-passed -test-failed -needs-approval -human-approved -auto-merged
  Testing      | done test-passed pr=open           | transition_to_needs_review | to Needs Review -worker-active -worker-done -test-failed -needs-approval -human-approved -auto-merged
  Needs Review | done pr=open                       | transition_to_retro        | to Retro -worker-active -worker-done
  Retro        | done pr=merged                     | transition_to_done         | to Done -worker-active -worker-done -test-passed -test-failed -needs-approval -human-approved -user-feedback-given`;

const STARTS = `
  Backlog      | -                                                      | dispatch_architect               | +worker-active -worker-done spawn architect for start
  Todo         | -                                                      | dispatch_planner                 | +worker-active -worker-done spawn plan for start
  In Progress  | -                                                      | dispatch_implementer             | +worker-active -worker-done spawn implement for start
  Testing      | pr=open                                                | dispatch_tester                  | +worker-active -worker-done -test-passed -test-failed spawn test for start
  Needs Review | pr=open                                                | dispatch_reviewer                | +worker-active -worker-done spawn review for start
  Retro        | pr=open                                                | dispatch_implementer_for_retro   | +worker-active -worker-done spawn implement for retro
  Retro        | pr=open worker.implement=finished                      | resume_implementer_for_retro     | +worker-active -worker-done spawn implement for retro
  Retro        | done test-passed tests=passed pr=open                  | resume_implementer_for_retro     | +worker-active -worker-done spawn implement for retro round retro
  Retro        | ${READY} pr=open human-approved                        | dispatch_merger                  | +worker-active -worker-done spawn merge for start
  Retro        | ${READY} pr=open auto-merge=pass                       | dispatch_merger                  | +worker-active +auto-merged -worker-done spawn merge for start
  Retro        | ${READY} pr=open auto-merge=pass worker.merge=finished | dispatch_merger                  | +worker-active +auto-merged -worker-done spawn merge for start round merge
  Todo         | done architect-continuity                              | resume_architect_for_plan_review | +worker-active -worker-done -arch-review-approved -arch-review-changes spawn architect for plan_review round plan_review
  Todo         | done architect-continuity arch-review-changes          | resume_planner_for_changes       | +worker-active -worker-done -arch-review-approved -arch-review-changes spawn plan for plan_changes
  Needs Review | done review=none rounds.no_review=1                    | investigate_no_review            | +worker-active -worker-done spawn review for missing_review round no_review`;

/**
 * Writes made whenever an issue returns to earlier work: it moves to In Progress and loses the
 * labels of later phases.
 */
const BACK =
  'to In Progress +worker-active -worker-done -test-passed -test-failed -needs-approval -human-approved -auto-merged';

const WAYS_BACK = `
  In Progress  | done ci=failing                                  | resume_implementer_for_ci_failure   | ${BACK} spawn implement for ci_failure round ci_failure
  Testing      | done pr=open                                     | resume_implementer_for_test_failure | ${BACK} spawn implement for test_failure round test_failure
  In Progress  | done pr=open gate-command=configured gate=failed | resume_implementer_for_quality_gate | ${BACK} spawn implement for quality_gate round quality_gate
  Needs Review | done review=changes_requested                    | resume_implementer_for_changes      | ${BACK} spawn implement for review_changes round review_changes
  Needs Review | done mergeable=conflicting                       | resume_implementer_for_changes      | ${BACK} spawn implement for conflict round conflict
  Retro        | ${READY} mergeable=conflicting                   | resume_implementer_for_changes      | ${BACK} spawn implement for conflict round conflict
  Needs Review | done rounds.no_pr=1                              | investigate_no_pr                   | ${BACK} spawn implement for missing_pr round no_pr
  Testing      | rounds.no_pr=1                                   | transition_to_in_progress           | to In Progress -worker-active -worker-done -test-passed -test-failed -needs-approval -human-approved -auto-merged round sent_back`;

const REJECTED =
  '+worker-active -worker-done -test-passed -test-failed -needs-approval -human-approved -auto-merged -arch-review-approved -arch-review-changes -user-input-needed -user-feedback-given';

const REJECTIONS = `
  Backlog     | done needs-approval rejected=specification     | resume_architect_for_changes   | to Backlog ${REJECTED} spawn architect for rejected
  Todo        | done rejected=plan                             | resume_planner_for_changes     | to Todo ${REJECTED} spawn plan for rejected
  In Progress | user-input-needed rejected=plan                | resume_planner_for_changes     | to Todo ${REJECTED} spawn plan for rejected
  Retro       | ${READY} pr=open human-approved rejected=merge | resume_implementer_for_changes | to In Progress ${REJECTED} spawn implement for rejected`;

const OTHERS = `
  Done        | -                                                    | skip                                | nothing
  Todo        | worker-active                                        | remove_worker_active_and_redispatch | -worker-active
  Backlog     | done                                                 | add_needs_approval                  | +needs-approval escalate
  Retro       | ${READY} pr=open auto-merge=fail                     | add_needs_approval                  | +needs-approval escalate
  In Progress | done ci=failing rounds.ci_failure=3                  | add_user_input_needed               | +user-input-needed -worker-active escalate
  In Progress | done rounds.no_pr=2                                  | add_legion_paused                   | +legion-paused -worker-active escalate
  Retro       | ${READY} keyword=missing                             | add_closing_keyword                 | addClosingKeyword rereadForge round closing_keyword
  In Progress | done                                                 | investigate_no_pr                   | rereadForge round no_pr
  Testing     | -                                                    | investigate_no_pr                   | rereadForge round no_pr
  In Progress | done ci=pending                                      | retry_ci_check                      | nothing
  In Progress | done ci=pending waited=too-long                      | retry_ci_check                      | escalate
  In Progress | done ci=interrupted                                  | retry_ci_check                      | escalate
  In Progress | done ci=action_required                              | retry_ci_check                      | escalate
  In Progress | done pr=unknown                                      | retry_pr_check                      | nothing
  In Progress | done pr=unknown waited=too-long                      | retry_pr_check                      | escalate
  In Progress | done pr=open gate-command=configured                 | retry_quality_gate                  | runQualityGate
  In Progress | done pr=open gate-command=configured waited=too-long | retry_quality_gate                  | runQualityGate escalate`;

const ANSWERS = `
  In Progress | ${ANSWERED} asked-by=implement               | relay_user_feedback | +worker-active -user-input-needed -user-feedback-given -worker-done spawn implement for feedback
  Testing     | ${ANSWERED} asked-by=architect               | relay_user_feedback | +worker-active -user-input-needed -user-feedback-given -worker-done spawn architect for feedback
  Testing     | ${ANSWERED}                                  | relay_user_feedback | -user-input-needed -user-feedback-given resetRounds
  Backlog     | ${ANSWERED} asked-by=architect children=open | relay_user_feedback | -user-input-needed -user-feedback-given resetRounds
  Icebox      | ${ANSWERED}                                  | relay_user_feedback | -user-input-needed resetRounds`;

const TABLES = {
  'a move removes the labels of its phase': MOVES,
  'a start labels the issue as being worked on': STARTS,
  'sending work back moves the issue to In Progress': WAYS_BACK,
  'rejected work returns to its worker without counting a round': REJECTIONS,
  'an answer goes to the worker that asked, or lets the engine continue': ANSWERS,
  'everything else': OTHERS,
};

describe.each(Object.entries(TABLES))('%s', (_, table) => {
  test.each(rowsOf(table))('%s, %s: %s writes %s', (status, words, action, written) => {
    const { signals, policy } = told(status as ObservedStatus, words ?? '');
    const decision = decide(signals, policy);
    expect([decision.action, inWords(computeEffects(decision, signals))]).toEqual([action, written]);
  });
});

test('the table has a row for every action', () => {
  const rows = Object.values(TABLES).flatMap(rowsOf);
  expect(new Set(rows.map(([, , action]) => action))).toEqual(new Set(ACTIONS));
});

function inWords({ moveTo, add, remove, spawn, round, ...flags }: DecisionEffects): string {
  const words = [
    ...(moveTo === undefined ? [] : [`to ${moveTo}`]),
    ...add.map((label) => `+${label}`),
    ...remove.map((label) => `-${label}`),
    ...(spawn === undefined ? [] : [`spawn ${spawn.mode} for ${spawn.purpose}`]),
    ...FLAGS.filter((flag) => flags[flag] === true),
    ...(round === undefined ? [] : [`round ${round}`]),
  ];
  return words.length === 0 ? 'nothing' : words.join(' ');
}

const FLAGS = ['resetRounds', 'addClosingKeyword', 'rereadForge', 'runQualityGate', 'escalate'] as const;
