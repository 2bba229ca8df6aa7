/**
 * Checks that nothing repeats forever: rounds are counted by reason, a wait that is too long
 * notifies a person, and anomalies are investigated in steps.
 */
import { describe, expect, test } from 'vitest';
import type { ObservedStatus } from '../../../src/core/model/status.ts';
import { decide } from '../../../src/core/pipeline/decide.ts';
import { computeEffects } from '../../../src/core/pipeline/effects.ts';
import { DEFAULT_POLICY } from '../../../src/core/pipeline/policy.ts';
import { rowsOf, told } from './told.ts';

const READY = 'done test-passed tests=passed retro=passed';

/** Each row has a situation, the counter that it uses, and the limit. */
const ROUNDS = `
  In Progress  | done ci=failing                                        | ci_failure      | 3
  Testing      | done pr=open                                           | test_failure    | 3
  Needs Review | done review=changes_requested                          | review_changes  | 3
  Needs Review | done mergeable=conflicting                             | conflict        | 3
  In Progress  | done pr=open gate-command=configured gate=failed       | quality_gate    | 3
  Todo         | done architect-continuity                              | plan_review     | 3
  Retro        | done test-passed tests=passed pr=open                  | retro           | 3
  Retro        | ${READY} keyword=missing                               | closing_keyword | 3
  Retro        | ${READY} pr=open auto-merge=pass worker.merge=finished | merge           | 3
  In Progress  | done                                                   | no_pr           | 2
  Needs Review | done review=none                                       | no_review       | 2`;

describe.each(rowsOf(ROUNDS))('another round in %s with %s', (status, words, reason, limit) => {
  const situation = (made: number) => told(status as ObservedStatus, `${words} rounds.${reason}=${made}`);
  const allowed = Number(limit);

  test(`is allowed ${limit} times, and is counted as ${reason} each time`, () => {
    for (let made = 0; made < allowed; made += 1) {
      const { signals, policy } = situation(made);
      const decision = decide(signals, policy);
      expect(decision.reason).not.toMatch(/round_limit|still_/);
      expect(decision.evidence.at(-1)).toContain(`${made}/${limit}`);
      expect(computeEffects(decision, signals).round).toBe(reason);
    }
  });

  test('is not allowed at the limit: the issue goes to a person, and no further round is counted', () => {
    for (const made of [allowed, allowed + 1]) {
      const { signals, policy } = situation(made);
      const decision = decide(signals, policy);
      const pauses = reason === 'no_pr' || reason === 'no_review';
      expect(decision).toMatchObject(
        pauses
          ? { action: 'add_legion_paused', reason: `still_${reason}` }
          : { action: 'add_user_input_needed', reason: 'round_limit' },
      );
      expect(computeEffects(decision, signals)).toMatchObject({ escalate: true });
      expect(computeEffects(decision, signals)).not.toHaveProperty('round');
    }
  });

  test('is not limited by the rounds of other reasons', () => {
    const others = Object.keys(DEFAULT_POLICY.rounds).filter((other) => other !== reason);
    const full = others.map((other) => `rounds.${other}=3`).join(' ');
    const { signals, policy } = told(status as ObservedStatus, `${words} ${full}`);
    expect(decide(signals, policy).reason).not.toMatch(/round_limit|still_/);
  });
});

describe('an anomaly', () => {
  test('first makes Legion re-read the forge if the pull request is missing', () => {
    const { signals, policy } = told('Testing', 'done test-passed');
    expect(computeEffects(decide(signals, policy), signals)).toEqual({
      add: [],
      remove: [],
      rereadForge: true,
      round: 'no_pr',
    });
  });

  test('sends the issue back to the implementer in the second step, and states what is missing', () => {
    const { signals, policy } = told('Testing', 'done test-passed rounds.no_pr=1');
    expect(computeEffects(decide(signals, policy), signals)).toMatchObject({
      moveTo: 'In Progress',
      spawn: { mode: 'implement', purpose: 'missing_pr' },
      round: 'no_pr',
    });
  });

  test('first makes Legion re-read the forge if the review is missing', () => {
    const { signals, policy } = told('Needs Review', 'done review=none');
    expect(computeEffects(decide(signals, policy), signals)).toEqual({
      add: [],
      remove: [],
      rereadForge: true,
      round: 'no_review',
    });
  });

  test('prompts the reviewer in the second step, and leaves the issue in Needs Review', () => {
    const { signals, policy } = told('Needs Review', 'done review=none rounds.no_review=1');
    const effects = computeEffects(decide(signals, policy), signals);
    expect(effects).toMatchObject({
      spawn: { mode: 'review', purpose: 'missing_review' },
      remove: ['worker-done'],
    });
    expect(effects).not.toHaveProperty('moveTo');
  });
});

const WAITS = `
  In Progress  | done ci=pending                      | retry_ci_check     | ci_pending
  In Progress  | done pr=unknown                      | retry_pr_check     | pr_unknown
  In Progress  | done ci=unknown                      | retry_pr_check     | ci_unknown
  In Progress  | done pr=open gate-command=configured | retry_quality_gate | quality_gate_due
  Needs Review | done review=unknown                  | retry_pr_check     | review_unknown
  Needs Review | done mergeable=unknown               | retry_pr_check     | mergeable_unknown
  Retro        | ${READY} pr=open auto-merge=unknown  | retry_pr_check     | auto_merge_unknown`;

describe.each(rowsOf(WAITS))('a wait in %s with %s', (status, words, action, reason) => {
  test('does not involve a person at first', () => {
    const { signals, policy } = told(status as ObservedStatus, words ?? '');
    const decision = decide(signals, policy);
    expect(decision).toMatchObject({ action, reason });
    expect(computeEffects(decision, signals)).not.toHaveProperty('escalate');
  });

  test('notifies a person once it exceeds its limit, and keeps checking', () => {
    const { signals, policy } = told(status as ObservedStatus, `${words} waited=too-long`);
    const decision = decide(signals, policy);
    expect(decision).toMatchObject({ action, reason: 'waited_too_long' });
    expect(decision.evidence).toContain(`waits_for=${reason}`);
    expect(computeEffects(decision, signals)).toMatchObject({ escalate: true });
  });
});
