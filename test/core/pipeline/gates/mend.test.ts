/**
 * Checks that each failing condition of the pre-merge gate leads to the action that fixes it, and
 * never to a merge.
 */
import { describe, expect, test } from 'vitest';
import { decide } from '../../../../src/core/pipeline/decide.ts';
import { rowsOf, told } from '../told.ts';

/** An issue that a person has approved. It is merged only if it meets every gate condition. */
const APPROVED = 'done human-approved';

const MENDS = `
  test-passed tests=passed retro=passed mergeable=conflicting                              | resume_implementer_for_changes      | conflicting
  test-passed tests=passed retro=passed mergeable=conflicting ci=failing                   | resume_implementer_for_changes      | conflicting
  test-passed tests=passed retro=passed mergeable=unknown                                  | retry_pr_check                      | mergeable_unknown
  test-passed tests=passed retro=passed mergeable=unknown ci=failing                       | retry_pr_check                      | mergeable_unknown
  test-passed tests=passed retro=passed ci=failing                                         | resume_implementer_for_ci_failure   | ci_failing
  test-passed tests=passed retro=passed ci=pending                                         | retry_ci_check                      | ci_pending
  test-passed tests=passed retro=passed ci=unknown                                         | retry_pr_check                      | ci_unknown
  test-passed tests=passed retro=passed ci=none                                            | add_user_input_needed               | nothing_checked
  test-passed tests=passed retro=passed ci=none gate-command=configured                    | retry_quality_gate                  | quality_gate_due
  test-passed tests=passed retro=passed ci=none gate-command=configured gate=failed        | resume_implementer_for_quality_gate | quality_gate_red
  test-passed tests=passed retro=passed ci=none gate-command=configured gate=could_not_run | add_legion_paused                   | quality_gate_could_not_run
  test-passed tests=passed retro=passed ci=none gate-command=configured gate=passed        | dispatch_merger                     | merge_ready
  pr=open retro=passed                                                                     | transition_to_testing               | tests_void
  test-passed tests=none pr=open retro=passed                                              | transition_to_testing               | tests_void
  test-passed tests=void pr=open retro=passed                                              | transition_to_testing               | tests_void
  test-passed tests=could_not_run pr=open retro=passed                                     | transition_to_testing               | tests_void
  test-passed tests=unknown pr=open retro=passed                                           | retry_pr_check                      | evidence_unknown
  test-passed tests=failed pr=open retro=passed                                            | resume_implementer_for_test_failure | tests_failed
  test-passed test-failed tests=passed pr=open retro=passed                                | resume_implementer_for_test_failure | tests_failed
  test-passed tests=passed retro=passed review=none                                        | transition_to_needs_review          | review_void
  test-passed tests=passed retro=passed review=unknown                                     | retry_pr_check                      | review_unknown
  test-passed tests=passed retro=passed review=changes_requested                           | resume_implementer_for_changes      | changes_requested
  test-passed tests=void retro=passed review=none                                          | transition_to_testing               | tests_void
  test-passed tests=passed retro=none pr=open                                              | resume_implementer_for_retro        | retro_due
  test-passed tests=passed retro=void pr=open                                              | resume_implementer_for_retro        | retro_due
  test-passed tests=passed retro=unknown pr=open                                           | retry_pr_check                      | evidence_unknown
  test-passed tests=passed retro=passed keyword=missing                                    | add_closing_keyword                 | keyword_missing
  test-passed tests=passed retro=none keyword=missing                                      | resume_implementer_for_retro        | retro_due
  test-passed tests=passed retro=passed pr=open                                            | dispatch_merger                     | merge_ready`;

test.each(rowsOf(MENDS))('approved, %s: %s, because %s', (words, action, reason) => {
  const { signals, policy } = told('Retro', `${APPROVED} ${words}`);
  expect(decide(signals, policy)).toMatchObject({ action, reason });
});

describe('a merge worker', () => {
  test.each([
    [
      'that ended without merging does not repeat the retro',
      'retro=passed worker.merge=crashed',
      'dispatch_merger',
      'merge_ready',
    ],
    [
      'is dispatched again as a counted round if it reports done without a merge',
      'retro=passed worker.merge=finished done',
      'dispatch_merger',
      'merge_ready',
    ],
    [
      'is not dispatched beyond the round limit',
      'retro=passed worker.merge=finished rounds.merge=3',
      'add_user_input_needed',
      'round_limit',
    ],
    ['is not dispatched while the issue is blocked', 'retro=passed blocked-by=X-2', 'skip', 'blocked'],
  ])('%s', (_, words, action, reason) => {
    const { signals, policy } = told('Retro', `human-approved test-passed tests=passed pr=open ${words}`);
    expect(decide(signals, policy)).toMatchObject({ action, reason });
  });
});

test('unknown mergeability causes a wait and never a request for approval', () => {
  for (const autoMerge of ['pass', 'fail', 'not_allowed', 'unknown']) {
    const words = `done test-passed tests=passed retro=passed mergeable=unknown auto-merge=${autoMerge}`;
    const { signals, policy } = told('Retro', words);
    expect(decide(signals, policy).action).toBe('retry_pr_check');
  }
});
