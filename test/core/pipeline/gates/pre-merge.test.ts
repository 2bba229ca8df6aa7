import { describe, expect, test } from 'vitest';
import {
  checkPreMergeCondition,
  checkPreMergeGate,
  judgeGate,
  type PreMergeCondition,
} from '../../../../src/core/pipeline/pre-merge.ts';
import { rowsOf, told } from '../told.ts';

const CONDITIONS = `
  names_issue      | pr=open                                            | pass    | namesIssue=true
  names_issue      | keyword=missing                                    | fail    | namesIssue=false
  ci_green         | ci=passing                                         | pass    | ci=passing
  ci_green         | ci=pending                                         | fail    | ci=pending
  ci_green         | ci=failing                                         | fail    | ci=failing
  ci_green         | ci=unknown                                         | unknown | ci=unknown
  ci_green         | ci=failing gate-command=configured gate=passed     | fail    | ci=failing
  ci_green         | ci=none                                            | fail    | ci=none, qualityGate=not configured
  ci_green         | ci=none gate=passed                                | fail    | ci=none, qualityGate=not configured
  ci_green         | ci=none gate-command=configured gate=passed        | pass    | ci=none, evidence.qualityGate=passed
  ci_green         | ci=none gate-command=configured gate=none          | fail    | ci=none, evidence.qualityGate=none
  ci_green         | ci=none gate-command=configured gate=void          | fail    | ci=none, evidence.qualityGate=void
  ci_green         | ci=none gate-command=configured gate=could_not_run | fail    | ci=none, evidence.qualityGate=could_not_run
  ci_green         | ci=none gate-command=configured gate=unknown       | unknown | ci=none, evidence.qualityGate=unknown
  review_approved  | review=approved                                    | pass    | review=approved
  review_approved  | review=changes_requested                           | fail    | review=changes_requested
  review_approved  | review=none                                        | fail    | review=none
  review_approved  | review=unknown                                     | unknown | review=unknown
  tests_passed     | pr=open test-passed tests=passed                   | pass    | test-passed=true, evidence.test=passed
  tests_passed     | pr=open tests=passed                               | fail    | test-passed=false, evidence.test=passed
  tests_passed     | pr=open test-passed tests=none                     | fail    | test-passed=true, evidence.test=none
  tests_passed     | pr=open test-passed tests=void                     | fail    | test-passed=true, evidence.test=void
  tests_passed     | pr=open test-passed tests=failed                   | fail    | test-passed=true, evidence.test=failed
  tests_passed     | pr=open test-passed tests=unknown                  | unknown | test-passed=true, evidence.test=unknown
  tests_passed     | pr=open tests=unknown                              | fail    | test-passed=false, evidence.test=unknown
  tests_passed     | pr=open test-passed test-failed tests=passed       | fail    | test-passed=false, evidence.test=passed
  retro_done       | pr=open retro=passed                               | pass    | evidence.retro=passed
  retro_done       | pr=open retro=none                                 | fail    | evidence.retro=none
  retro_done       | pr=open retro=void                                 | fail    | evidence.retro=void
  retro_done       | pr=open done                                       | fail    | evidence.retro=none
  retro_done       | pr=open retro=unknown                              | unknown | evidence.retro=unknown
  no_open_question | pr=open                                            | pass    | user-input-needed=false
  no_open_question | pr=open user-input-needed                          | fail    | user-input-needed=true
  no_open_question | pr=open user-input-needed user-feedback-given      | fail    | user-input-needed=true
  mergeable        | mergeable=mergeable                                | pass    | mergeable=mergeable
  mergeable        | mergeable=conflicting                              | fail    | mergeable=conflicting
  mergeable        | mergeable=unknown                                  | unknown | mergeable=unknown
  real_work        | pr=open                                            | pass    | scripted=false, demoRepository=false
  real_work        | pr=open work=scripted                              | fail    | scripted=true, demoRepository=false
  real_work        | pr=open work=scripted repository=demo              | pass    | scripted=true, demoRepository=true`;

describe('a pre-merge condition', () => {
  test.each(rowsOf(CONDITIONS))('%s, %s: %s (%s)', (name, words, verdict, evidence) => {
    const { signals, policy } = told('Retro', words ?? '');
    expect(checkPreMergeCondition(name as PreMergeCondition, signals, policy)).toEqual({
      name,
      verdict,
      evidence,
    });
  });

  test.each([
    ['none', 'fail'],
    ['unknown', 'unknown'],
  ])('of any kind with pr=%s is %s', (pr, verdict) => {
    const { signals, policy } = told('Retro', `pr=${pr} test-passed tests=passed retro=passed`);
    for (const condition of checkPreMergeGate(signals, policy)) {
      expect(condition).toMatchObject({ verdict, evidence: `pullRequest=${pr}` });
    }
  });
});

describe('the pre-merge gate', () => {
  const READY = 'test-passed tests=passed retro=passed';

  test('lists all eight conditions, whether passed or failed', () => {
    const { signals, policy } = told('Retro', 'pr=open');
    expect(checkPreMergeGate(signals, policy).map(({ name, verdict }) => `${name}: ${verdict}`)).toEqual([
      'names_issue: pass',
      'ci_green: pass',
      'review_approved: pass',
      'tests_passed: fail',
      'retro_done: fail',
      'no_open_question: pass',
      'mergeable: pass',
      'real_work: pass',
    ]);
  });

  test.each([
    ['passes when every condition passes', `${READY} pr=open`, 'pass'],
    ['is unknown when one condition is unknown and none fails', `${READY} mergeable=unknown`, 'unknown'],
    [
      'fails when one condition fails, even if another is unknown',
      `${READY} mergeable=unknown ci=failing`,
      'fail',
    ],
  ])('%s', (_, words, verdict) => {
    const { signals, policy } = told('Retro', words);
    expect(judgeGate(checkPreMergeGate(signals, policy))).toBe(verdict);
  });

  test('passes if there are no conditions', () => {
    expect(judgeGate([])).toBe('pass');
  });
});
