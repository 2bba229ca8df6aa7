/**
 * Tests the status table cell by cell: the action in each column when the phase is done, in
 * progress, or neither.
 */
import { describe, expect, test } from 'vitest';
import type { ObservedStatus } from '../../../src/core/model/status.ts';
import { decide } from '../../../src/core/pipeline/decide.ts';
import { rowsOf, told } from './told.ts';

const TRIAGE = `
  done route=Todo                          | transition_to_todo    | plan      | routed
  worker-active worker.architect=executing | skip                  | architect | worker_live
  route=Todo                               | transition_to_todo    | plan      | routed
  route=Backlog                            | transition_to_backlog | architect | routed
  route=Icebox                             | transition_to_icebox  | architect | routed`;

const ICEBOX = `
  done icebox=due                                   | transition_to_backlog | architect | clarified
  done icebox=unclarified                           | skip                  | architect | unclarified
  icebox=due worker-active worker.architect=spawned | skip                  | architect | worker_live
  icebox=due                                        | transition_to_backlog | architect | clarified
  icebox=unclarified                                | skip                  | architect | unclarified
  icebox=no_capacity                                | skip                  | architect | no_capacity
  icebox=not_its_turn                               | skip                  | architect | not_its_turn`;

const BACKLOG = `
  done                                     | add_needs_approval | architect | approval_due
  done architect-output=auto               | transition_to_todo | plan      | finished
  worker-active worker.architect=executing | skip               | architect | worker_live
  -                                        | dispatch_architect | architect | due`;

const TODO = `
  done                                | transition_to_in_progress | implement | finished
  worker-active worker.plan=reporting | skip                      | plan      | worker_live
  -                                   | dispatch_planner          | plan      | due`;

const IN_PROGRESS = `
  done pr=none                             | investigate_no_pr                 | implement | no_pr
  done ci=failing                          | resume_implementer_for_ci_failure | implement | ci_failing
  done mergeable=conflicting               | resume_implementer_for_changes    | implement | conflicting
  done ci=failing mergeable=conflicting    | resume_implementer_for_changes    | implement | conflicting
  done ci=pending                          | retry_ci_check                    | implement | ci_pending
  done ci=unknown                          | retry_pr_check                    | implement | ci_unknown
  done ci=timed_out                        | resume_implementer_for_ci_failure | implement | ci_timed_out
  done ci=interrupted                      | retry_ci_check                    | implement | ci_interrupted
  done ci=action_required                  | retry_ci_check                    | implement | ci_action_required
  done pr=unknown                          | retry_pr_check                    | implement | pr_unknown
  done ci=none                             | transition_to_testing             | test      | finished
  done ci=passing                          | transition_to_testing             | test      | finished
  done ci=passing mergeable=unknown        | retry_pr_check                    | implement | mergeable_unknown
  worker-active worker.implement=executing | skip                              | implement | worker_live
  -                                        | dispatch_implementer              | implement | due
  pr=open                                  | dispatch_implementer              | implement | due`;

const TESTING = `
  done pr=open                                 | resume_implementer_for_test_failure | implement | tests_failed
  done pr=none                                 | resume_implementer_for_test_failure | implement | tests_failed
  done pr=open test-failed                     | resume_implementer_for_test_failure | implement | tests_failed
  done pr=open test-passed test-failed         | resume_implementer_for_test_failure | implement | tests_failed
  done sent-back=test test-failed              | resume_implementer_for_changes      | implement | sent_back
  done sent-back=test test-passed tests=passed | resume_implementer_for_changes      | implement | sent_back
  done sent-back=merge test-passed pr=open     | transition_to_needs_review          | review    | finished
  done sent-back=test rounds.sent_back=3       | add_user_input_needed               | test      | round_limit
  sent-back=test pr=open                       | dispatch_tester                     | test      | due
  done test-passed pr=none                     | investigate_no_pr                   | implement | no_pr
  done test-passed pr=unknown                  | retry_pr_check                      | test      | pr_unknown
  done test-passed mergeable=conflicting       | resume_implementer_for_changes      | implement | conflicting
  done test-passed ci=failing mergeable=conflicting | resume_implementer_for_changes | implement | conflicting
  done test-passed mergeable=unknown           | retry_pr_check                      | test      | mergeable_unknown
  done test-passed ci=failing                  | resume_implementer_for_ci_failure   | implement | ci_failing
  done test-passed ci=pending                  | retry_ci_check                      | test      | ci_pending
  done test-passed ci=unknown                  | retry_pr_check                      | test      | ci_unknown
  done test-passed pr=open tests=passed        | transition_to_needs_review          | review    | finished
  done test-passed pr=open tests=none          | transition_to_needs_review          | review    | finished
  done test-passed pr=open tests=void          | dispatch_tester                     | test      | tests_void
  done test-passed pr=open tests=failed        | resume_implementer_for_test_failure | implement | tests_failed
  done test-passed pr=open tests=could_not_run | add_legion_paused                   | test      | tests_could_not_run
  done test-passed pr=open tests=unknown       | retry_pr_check                      | test      | evidence_unknown
  worker-active worker.test=executing          | skip                                | test      | worker_live
  mergeable=conflicting                        | resume_implementer_for_changes      | implement | conflicting
  mergeable=conflicting ci=failing             | resume_implementer_for_changes      | implement | conflicting
  mergeable=unknown                            | retry_pr_check                      | test      | mergeable_unknown
  mergeable=unknown waited=too-long            | retry_pr_check                      | test      | waited_too_long
  mergeable=mergeable ci=pending               | dispatch_tester                     | test      | due
  pr=open                                      | dispatch_tester                     | test      | due
  pr=unknown                                   | dispatch_tester                     | test      | due
  pr=none                                      | investigate_no_pr                   | implement | nothing_to_judge
  pr=none worker.implement=finished            | investigate_no_pr                   | implement | nothing_to_judge
  pr=none rounds.no_pr=1                       | transition_to_in_progress           | implement | nothing_to_judge
  pr=none rounds.no_pr=2 rounds.sent_back=2    | transition_to_in_progress           | implement | nothing_to_judge
  pr=none rounds.no_pr=1 rounds.sent_back=3    | add_user_input_needed               | test      | round_limit
  pr=none rounds.no_pr=1 blocked-by=X-2        | transition_to_in_progress           | implement | nothing_to_judge
  pr=none worker-active worker.implement=executing | skip                            | test      | worker_live`;

const NEEDS_REVIEW = `
  done pr=none                             | investigate_no_pr                 | implement | no_pr
  done pr=unknown                          | retry_pr_check                    | review    | pr_unknown
  done review=unknown                      | retry_pr_check                    | review    | review_unknown
  done review=none                         | investigate_no_review             | review    | no_review
  done review=changes_requested            | resume_implementer_for_changes    | implement | changes_requested
  done review=changes_requested ci=failing | resume_implementer_for_changes    | implement | changes_requested
  done mergeable=unknown                   | retry_pr_check                    | review    | mergeable_unknown
  done mergeable=unknown ci=failing        | retry_pr_check                    | review    | mergeable_unknown
  done mergeable=conflicting               | resume_implementer_for_changes    | implement | conflicting
  done mergeable=conflicting ci=failing    | resume_implementer_for_changes    | implement | conflicting
  done ci=failing                          | resume_implementer_for_ci_failure | implement | ci_failing
  done ci=pending                          | retry_ci_check                    | review    | ci_pending
  done ci=unknown                          | retry_pr_check                    | review    | ci_unknown
  done review=approved                     | transition_to_retro               | implement | finished
  worker-active worker.review=executing    | skip                              | review    | worker_live
  mergeable=conflicting                    | resume_implementer_for_changes    | implement | conflicting
  mergeable=conflicting ci=failing         | resume_implementer_for_changes    | implement | conflicting
  ci=failing                               | resume_implementer_for_ci_failure | implement | ci_failing
  ci=pending                               | retry_ci_check                    | review    | ci_pending
  ci=timed_out                             | resume_implementer_for_ci_failure | implement | ci_timed_out
  ci=interrupted                           | retry_ci_check                    | review    | ci_interrupted
  ci=action_required                       | retry_ci_check                    | review    | ci_action_required
  review=none                              | dispatch_reviewer                 | review    | due
  ci=unknown mergeable=unknown             | dispatch_reviewer                 | review    | due
  pr=none                                  | investigate_no_pr                 | implement | nothing_to_judge
  pr=none rounds.no_pr=1                   | transition_to_in_progress         | implement | nothing_to_judge
  pr=unknown                               | dispatch_reviewer                 | review    | due`;

/** An issue that is ready to merge: it meets every condition of the pre-merge gate. */
const READY = 'done test-passed tests=passed retro=passed';

const RETRO = `
  done pr=merged                                     | transition_to_done                | merge     | merged
  done pr=none                                       | investigate_no_pr                 | implement | no_pr
  done pr=unknown                                    | retry_pr_check                    | implement | pr_unknown
  ${READY} ci=failing                                | resume_implementer_for_ci_failure | implement | ci_failing
  ${READY} mergeable=unknown                         | retry_pr_check                    | merge     | mergeable_unknown
  ${READY} pr=open auto-merge=pass                   | dispatch_merger                   | merge     | merge_ready
  ${READY} pr=open human-approved                    | dispatch_merger                   | merge     | merge_ready
  ${READY} pr=open human-approved checkout=in-use    | skip                              | merge     | checkout_in_use
  ${READY} pr=open auto-merge=pass checkout=in-use   | skip                              | merge     | checkout_in_use
  ${READY} pr=open auto-merge=fail checkout=in-use   | add_needs_approval                | merge     | approval_due
  ${READY} pr=open human-approved needs-approval     | dispatch_merger                   | merge     | merge_ready
  ${READY} pr=open auto-merge=not_allowed            | add_needs_approval                | merge     | approval_due
  ${READY} pr=open auto-merge=fail                   | add_needs_approval                | merge     | approval_due
  ${READY} pr=open auto-merge=unknown                | retry_pr_check                    | merge     | auto_merge_unknown
  ${READY} pr=open needs-approval                    | skip                              | merge     | waits_for_approval
  ${READY} pr=open human-approved sent-back=merge    | resume_implementer_for_changes    | implement | sent_back
  ${READY} pr=open human-approved approval=unknown | retry_pr_check                      | merge     | evidence_unknown
  ${READY} pr=merged rejected=merge                  | transition_to_done                | merge     | merged
  ${READY} pr=open rejected=merge worker.merge=executing | skip                          | merge     | worker_live
  ${READY} pr=open rejected=merge legion-paused      | skip                              | merge     | paused
  ${READY} pr=merged sent-back=merge                 | transition_to_done                | merge     | merged
  worker-active worker.implement=executing pr=merged | skip                              | implement | worker_live
  worker-active worker.merge=executing retro=passed  | skip                              | merge     | worker_live
  pr=merged                                          | transition_to_done                | merge     | merged
  pr=open worker.implement=finished                  | resume_implementer_for_retro      | implement | retro_due
  pr=open worker.implement=crashed                   | resume_implementer_for_retro      | implement | retro_due
  pr=open                                            | dispatch_implementer_for_retro    | implement | retro_due
  pr=unknown                                         | dispatch_implementer_for_retro    | implement | retro_due
  pr=none                                            | investigate_no_pr                 | implement | nothing_to_judge
  pr=none rounds.no_pr=1                             | transition_to_in_progress         | implement | nothing_to_judge`;

const DONE = `
  done                                 | skip | merge | done
  worker-active worker.merge=executing | skip | merge | done
  -                                    | skip | merge | done`;

const TABLE: Readonly<Partial<Record<ObservedStatus, string>>> = {
  Triage: TRIAGE,
  Icebox: ICEBOX,
  Backlog: BACKLOG,
  Todo: TODO,
  'In Progress': IN_PROGRESS,
  Testing: TESTING,
  'Needs Review': NEEDS_REVIEW,
  Retro: RETRO,
  Done: DONE,
};

describe.each(Object.entries(TABLE))('%s', (status, table) => {
  test.each(rowsOf(table))('%s: %s in mode %s, because %s', (words, action, mode, reason) => {
    const { signals, policy } = told(status as ObservedStatus, words ?? '');
    const decision = decide(signals, policy);
    expect(decision).toMatchObject({ action, mode, reason });
    expect(decision.evidence[0]).toBe(`status=${status}`);
  });
});

describe('in every column', () => {
  test.each(['Backlog', 'Todo', 'In Progress', 'Testing', 'Needs Review', 'Retro'] as const)(
    '%s leaves a live worker alone in any mode and live state',
    (status) => {
      for (const mode of ['architect', 'plan', 'implement', 'test', 'review', 'merge']) {
        for (const state of ['spawned', 'executing', 'reporting']) {
          const { signals, policy } = told(status, `worker.${mode}=${state}`);
          expect(decide(signals, policy)).toMatchObject({ action: 'skip', reason: 'worker_live' });
        }
      }
    },
  );

  test('a worker whose report was accepted is not live', () => {
    const { signals, policy } = told('Todo', 'done worker.plan=finished');
    expect(decide(signals, policy).action).toBe('transition_to_in_progress');
  });

  test('the label worker-done advances the issue even if a worker is still running', () => {
    const { signals, policy } = told('Todo', 'done worker.plan=executing');
    expect(decide(signals, policy).action).toBe('transition_to_in_progress');
  });
});
