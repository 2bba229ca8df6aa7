/** Tests the architect's review of the plan, for issues labelled architect-continuity. */
import { describe, expect, test } from 'vitest';
import { decide } from '../../../../src/core/pipeline/decide.ts';
import { computeEffects } from '../../../../src/core/pipeline/effects.ts';
import { rowsOf, told } from '../told.ts';

const CASES = `
  done                                                                | transition_to_in_progress        | implement | finished
  done arch-review-changes                                            | transition_to_in_progress        | implement | finished
  architect-continuity                                                | dispatch_planner                 | plan      | due
  architect-continuity arch-review-approved                           | dispatch_planner                 | plan      | due
  architect-continuity worker-active worker.plan=executing            | skip                             | plan      | worker_live
  done architect-continuity                                           | resume_architect_for_plan_review | architect | plan_review_due
  done architect-continuity worker.architect=finished                 | resume_architect_for_plan_review | architect | plan_review_due
  architect-continuity worker.plan=finished worker.architect=spawned  | skip                             | architect | worker_live
  architect-continuity worker.plan=finished worker.architect=crashed  | resume_architect_for_plan_review | architect | plan_review_due
  architect-continuity worker.plan=crashed                            | dispatch_planner                 | plan      | due
  done architect-continuity arch-review-changes                       | resume_planner_for_changes       | plan      | plan_changes
  done architect-continuity arch-review-approved                      | transition_to_in_progress        | implement | finished
  done architect-continuity arch-review-approved arch-review-changes  | transition_to_in_progress        | implement | finished
  done architect-continuity rounds.plan_review=2                      | resume_architect_for_plan_review | architect | plan_review_due
  done architect-continuity rounds.plan_review=3                      | add_user_input_needed            | plan      | round_limit
  done architect-continuity arch-review-approved rounds.plan_review=3 | transition_to_in_progress        | implement | finished`;

test.each(rowsOf(CASES))('Todo, %s: %s in mode %s, because %s', (words, action, mode, reason) => {
  const { signals, policy } = told('Todo', words ?? '');
  expect(decide(signals, policy)).toMatchObject({ action, mode, reason });
});

describe('the plan review labels', () => {
  test.each([
    [
      'change from done to active in one write when the architect starts',
      'done architect-continuity',
      { add: ['worker-active'], remove: ['worker-done', 'arch-review-approved', 'arch-review-changes'] },
    ],
    [
      'are removed when the planner gets the feedback',
      'done architect-continuity arch-review-changes',
      { add: ['worker-active'], remove: ['worker-done', 'arch-review-approved', 'arch-review-changes'] },
    ],
  ])('%s', (_, words, write) => {
    const { signals, policy } = told('Todo', words);
    expect(computeEffects(decide(signals, policy), signals)).toMatchObject(write);
  });

  test('are removed when a person or the architect has approved', () => {
    const { signals, policy } = told('Todo', 'done architect-continuity arch-review-approved');
    const { moveTo, remove } = computeEffects(decide(signals, policy), signals);
    expect(moveTo).toBe('In Progress');
    expect(remove).toEqual(
      expect.arrayContaining(['worker-done', 'arch-review-approved', 'arch-review-changes']),
    );
    expect(remove).not.toContain('architect-continuity');
  });
});
