/**
 * Tests the rules that apply before and after the status table, and their order: the first matching
 * rule wins.
 */
import { describe, expect, test } from 'vitest';
import type { ObservedStatus } from '../../../src/core/model/status.ts';
import { decide } from '../../../src/core/pipeline/decide.ts';
import { rowsOf, told } from './told.ts';

const RULES: Readonly<Record<string, string>> = {
  '1: skips an issue in a closed or unknown column, whatever its labels': `
    terminal | user-input-needed user-feedback-given | skip | merge     | terminal
    terminal | worker-active                         | skip | merge     | terminal
    unknown  | worker-active done needs-approval     | skip | architect | unknown_status
    unknown  | children=all_done                     | skip | architect | unknown_status
    unknown  | user-input-needed                     | skip | architect | unknown_status
    Done     | user-input-needed user-feedback-given | skip | merge     | done
    Done     | children=all_done                     | skip | merge     | done`,

  '2: relays an answer to the worker that asked, or to Legion itself': `
    In Progress  | user-input-needed user-feedback-given asked-by=implement | relay_user_feedback | implement | answered
    In Progress  | user-input-needed user-feedback-given asked-by=architect | relay_user_feedback | architect | answered
    Testing      | user-input-needed user-feedback-given asked-by=test      | relay_user_feedback | test      | answered
    Retro        | user-input-needed user-feedback-given asked-by=merge     | relay_user_feedback | merge     | answered
    unknown      | user-input-needed user-feedback-given asked-by=plan      | relay_user_feedback | plan      | answered
    Needs Review | user-input-needed user-feedback-given                    | relay_user_feedback | review    | answered_us
    Backlog      | user-input-needed user-feedback-given legion-paused      | relay_user_feedback | architect | answered_us
    Backlog      | user-input-needed user-feedback-given needs-approval     | relay_user_feedback | architect | answered_us
    Backlog      | user-input-needed user-feedback-given worker-active      | relay_user_feedback | architect | answered_us
    Backlog      | user-input-needed user-feedback-given blocked-by=X-2     | relay_user_feedback | architect | answered_us`,

  '3: waits for a person’s answer to an open question': `
    Backlog     | user-input-needed                               | skip | architect | waits_for_answer
    Todo        | user-input-needed legion-paused                 | skip | plan      | waits_for_answer
    Backlog     | user-input-needed needs-approval human-approved | skip | architect | waits_for_answer
    In Progress | user-input-needed worker-active                 | skip | implement | waits_for_answer
    Retro       | user-input-needed done pr=merged                | skip | implement | waits_for_answer
    Icebox      | user-feedback-given                             | skip | architect | unclarified`,

  '4: waits for a person if the issue is paused': `
    Backlog     | legion-paused                               | skip | architect | paused
    Todo        | legion-paused needs-approval human-approved | skip | plan      | paused
    In Progress | legion-paused worker-active                 | skip | implement | paused
    Backlog     | legion-paused children=all_done             | skip | architect | paused
    Testing     | legion-paused done                          | skip | test      | paused`,

  '4: does nothing except relay answers while an operator has paused or halted the legion': `
    Backlog     | held=halt                                              | skip                | architect | halted
    Todo        | held=pause                                             | skip                | plan      | legion_paused
    In Progress | held=halt worker-active                                | skip                | implement | halted
    Testing     | held=halt done tests=passed test-passed pr=open        | skip                | test      | halted
    Backlog     | held=halt children=all_done                            | skip                | architect | halted
    Todo        | held=halt legion-paused                                | skip                | plan      | paused
    Todo        | held=halt user-input-needed                            | skip                | plan      | waits_for_answer
    Todo        | held=halt user-input-needed user-feedback-given        | relay_user_feedback | plan      | answered_us
    Done        | held=halt                                              | skip                | merge     | done`,

  '5: moves an approved issue to Todo': `
    Backlog | needs-approval human-approved done                            | transition_to_todo | plan      | approved
    Backlog | needs-approval human-approved                                 | transition_to_todo | plan      | approved
    Todo    | needs-approval human-approved                                 | transition_to_todo | plan      | approved
    Backlog | needs-approval human-approved worker-active                   | transition_to_todo | plan      | approved
    Backlog | needs-approval human-approved blocked-by=X-2                  | transition_to_todo | plan      | approved
    Backlog | needs-approval human-approved done worker.architect=executing | transition_to_todo | plan      | approved
    Backlog | needs-approval human-approved worker.architect=executing      | skip               | architect | worker_live`,

  '6: waits in Backlog and Todo without an approval': `
    Backlog     | needs-approval                | skip                 | architect | waits_for_approval
    Backlog     | needs-approval done           | skip                 | architect | waits_for_approval
    Todo        | needs-approval done           | skip                 | plan      | waits_for_approval
    Backlog     | needs-approval worker-active  | skip                 | architect | waits_for_approval
    Backlog     | human-approved                | dispatch_architect   | architect | due
    In Progress | needs-approval                | dispatch_implementer | implement | due
    Testing     | pr=open needs-approval human-approved | dispatch_tester | test   | due`,

  '7: treats the label worker-active without a worker as a lost worker in the status’s mode': `
    Triage       | worker-active                                           | remove_worker_active_and_redispatch | architect | worker_lost
    Icebox       | worker-active icebox=due                                | remove_worker_active_and_redispatch | architect | worker_lost
    Backlog      | worker-active                                           | remove_worker_active_and_redispatch | architect | worker_lost
    Todo         | worker-active                                           | remove_worker_active_and_redispatch | plan      | worker_lost
    Todo         | worker-active architect-continuity worker.plan=finished | remove_worker_active_and_redispatch | architect | worker_lost
    In Progress  | worker-active worker.implement=crashed                  | remove_worker_active_and_redispatch | implement | worker_lost
    Testing      | worker-active worker.test=stopped                       | remove_worker_active_and_redispatch | test      | worker_lost
    Needs Review | worker-active worker.review=finished                    | remove_worker_active_and_redispatch | review    | worker_lost
    Retro        | worker-active                                           | remove_worker_active_and_redispatch | implement | worker_lost
    Retro        | worker-active retro=passed                              | remove_worker_active_and_redispatch | merge     | worker_lost
    Retro        | worker-active pr=merged                                 | remove_worker_active_and_redispatch | implement | worker_lost
    Backlog      | worker-active blocked-by=X-2                            | remove_worker_active_and_redispatch | architect | worker_lost
    Todo         | worker-active done                                      | transition_to_in_progress           | implement | finished
    Todo         | worker-active worker.plan=waiting-user                  | skip                                | plan      | waits_for_answer
    Todo         | worker.plan=waiting-quota                               | skip                                | plan      | waits_for_quota`,

  '9: holds back dispatches while blocked, and nothing else': `
    Backlog      | blocked-by=X-2                                   | skip                              | architect | blocked
    Todo         | blocked-by=X-2,X-3                               | skip                              | plan      | blocked
    In Progress  | blocked-by=X-2                                   | skip                              | implement | blocked
    Testing      | blocked-by=X-2 pr=open                           | skip                              | test      | blocked
    Needs Review | blocked-by=X-2 pr=open                           | skip                              | review    | blocked
    Retro        | blocked-by=X-2 pr=open                           | skip                              | implement | blocked
    Triage       | blocked-by=X-2 route=Todo                        | transition_to_todo                | plan      | routed
    Todo         | blocked-by=X-2 done                              | transition_to_in_progress         | implement | finished
    Retro        | blocked-by=X-2 pr=merged                         | transition_to_done                | merge     | merged
    In Progress  | blocked-by=X-2 done ci=failing                   | resume_implementer_for_ci_failure | implement | ci_failing
    In Progress  | blocked-by=X-2 done ci=pending                   | retry_ci_check                    | implement | ci_pending
    Retro        | blocked-by=X-2 pr=open worker.implement=finished | resume_implementer_for_retro      | implement | retro_due`,

  'starts no work while the issue’s revert is open or cannot be read': `
    Todo         | revert=open needs-approval                | skip                 | plan      | waits_for_approval
    Todo         | revert=open needs-approval human-approved | skip                 | plan      | revert_open
    Todo         | revert=open                               | skip                 | plan      | revert_open
    In Progress  | revert=open                               | skip                 | implement | revert_open
    In Progress  | revert=open worker-active worker.implement=executing | skip      | implement | worker_live
    Needs Review | revert=open pr=open                       | skip                 | review    | revert_open
    Todo         | revert=unknown                            | skip                 | plan      | revert_unknown
    Todo         | revert=merged                             | dispatch_planner     | plan      | due
    Todo         | revert=closed                             | dispatch_planner     | plan      | due
    Triage       | revert=open route=Todo                    | transition_to_todo   | plan      | routed`,

  'waits for the sub-issues of a split issue and moves it to Done after the last one': `
    Backlog     | children=open                               | skip               | architect | split_waits
    Backlog     | children=open done                          | skip               | architect | split_waits
    Todo        | children=open worker-active                 | skip               | plan      | split_waits
    Backlog     | children=open needs-approval human-approved | skip               | architect | split_waits
    Backlog     | children=all_done                           | transition_to_done | merge     | split_done
    Todo        | children=all_done needs-approval            | transition_to_done | merge     | split_done
    In Progress | children=all_done blocked-by=X-2            | transition_to_done | merge     | split_done
    Backlog     | children=all_done user-input-needed         | skip               | architect | waits_for_answer`,
};

describe.each(Object.entries(RULES))('%s', (_, table) => {
  test.each(rowsOf(table))('%s, %s: %s in mode %s, because %s', (status, words, action, mode, reason) => {
    const { signals, policy } = told(status as ObservedStatus, words ?? '');
    expect(decide(signals, policy)).toMatchObject({ action, mode, reason });
  });
});

describe('a decision', () => {
  test.each([
    ['Backlog', 'blocked-by=X-2,X-3', ['status=Backlog', 'blockers=X-2,X-3', 'would=dispatch_architect']],
    ['Todo', 'worker-active', ['status=Todo', 'label=worker-active', 'worker=none']],
    ['In Progress', 'done ci=pending', ['status=In Progress', 'ci=pending']],
    [
      'In Progress',
      'done ci=failing rounds.ci_failure=2',
      ['status=In Progress', 'ci=failing', 'rounds.ci_failure=2/3'],
    ],
    ['Backlog', 'children=open', ['status=Backlog', 'children=open']],
  ] as const)('in %s with %s includes the facts as evidence', (status, words, evidence) => {
    const { signals, policy } = told(status, words);
    expect(decide(signals, policy).evidence).toEqual(evidence);
  });

  test.each([
    [
      'Backlog',
      'legion-paused',
      {
        by: 'person',
        what: 'someone runs `legion resume ISSUE`, or removes the label legion-paused',
        next: 'legion resume ISSUE',
      },
    ],
    [
      'Backlog',
      'needs-approval',
      {
        by: 'person',
        what: 'someone approves (`legion approve`, or the label human-approved)',
        next: 'legion approve ISSUE',
      },
    ],
    ['Backlog', 'blocked-by=X-2', { by: 'event', what: 'the last blocker is done' }],
    ['Done', '-', { by: 'nothing_more', what: 'nothing more will happen' }],
  ] as const)('in %s with %s says what ends the wait', (status, words, until) => {
    const { signals, policy } = told(status, words);
    expect(decide(signals, policy).until).toEqual(until);
  });
});

test('an unreadable blocker reference prevents worker starts until a person fixes it, and takes precedence over known blockers', () => {
  const heldBy = ['Blocked by acme/secret#7, which Legion may not read.'];
  const { signals: blocked, policy } = told('Todo', 'blocked-by=X-2');
  const signals = { ...blocked, heldBy };
  expect(decide(signals, policy)).toMatchObject({
    action: 'skip',
    reason: 'reference_unreadable',
    evidence: ['status=Todo', 'problems=1', 'would=dispatch_planner'],
    until: { by: 'person' },
  });
  expect(decide({ ...signals, status: 'Done' }, policy)).toMatchObject({ reason: 'done' });
});
