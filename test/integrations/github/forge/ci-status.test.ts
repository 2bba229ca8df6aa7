/** What the checks of a commit amount to. */
import { describe, expect, test } from 'vitest';
import type { LightPullRequest } from '../../../../src/integrations/github/forge/answer-schemas.ts';
import { ciStatus } from '../../../../src/integrations/github/forge/ci-status.ts';

type Rollup = NonNullable<LightPullRequest['statusCheckRollup']>;

function rollup(runs: Record<string, number>, statuses: Record<string, number> = {}): Rollup {
  const counts = (of: Record<string, number>) =>
    Object.entries(of).map(([state, count]) => ({ state, count }));
  return {
    state: 'SUCCESS',
    contexts: {
      pageInfo: { hasNextPage: false, endCursor: null },
      checkRunCountsByState: counts(runs),
      statusContextCountsByState: counts(statuses),
      nodes: [],
    },
  };
}

describe('one check', () => {
  test.each([
    ['SUCCESS', 'passing'],
    ['NEUTRAL', 'passing'],
    ['SKIPPED', 'passing'],
    ['FAILURE', 'failing'],
    ['QUEUED', 'pending'],
    ['IN_PROGRESS', 'pending'],
    ['PENDING', 'pending'],
    ['WAITING', 'pending'],
    ['CANCELLED', 'unknown'],
    ['TIMED_OUT', 'unknown'],
    ['STARTUP_FAILURE', 'unknown'],
    ['ACTION_REQUIRED', 'unknown'],
    ['STALE', 'unknown'],
    ['SOMETHING_NEW', 'unknown'],
  ])('a check run that is %s is %s', (state, expected) => {
    expect(ciStatus(rollup({ [state]: 1, SUCCESS: 3 }), [])).toBe(expected);
  });

  test.each([
    ['SUCCESS', 'passing'],
    ['FAILURE', 'failing'],
    ['ERROR', 'unknown'],
    ['PENDING', 'pending'],
    ['EXPECTED', 'pending'],
  ])('a commit status that is %s is %s', (state, expected) => {
    expect(ciStatus(rollup({}, { [state]: 1 }), [])).toBe(expected);
  });
});

describe('several checks', () => {
  test('none at all is none', () => {
    expect(ciStatus(null, [])).toBe('none');
    expect(ciStatus(rollup({}), [])).toBe('none');
    expect(ciStatus(rollup({ FAILURE: 0 }), [])).toBe('none');
  });

  test('red outranks what runs, what runs outranks what could not run, and that outranks green', () => {
    expect(ciStatus(rollup({ FAILURE: 1, IN_PROGRESS: 1, CANCELLED: 1, SUCCESS: 9 }), [])).toBe('failing');
    expect(ciStatus(rollup({ IN_PROGRESS: 1, CANCELLED: 1, SUCCESS: 9 }), [])).toBe('pending');
    expect(ciStatus(rollup({ CANCELLED: 1, SUCCESS: 9 }), [])).toBe('unknown');
  });

  test('a required check that has not come yet is pending, but does not hide a red one', () => {
    expect(ciStatus(null, ['build'])).toBe('pending');
    expect(ciStatus(rollup({ SUCCESS: 1 }), ['build'])).toBe('pending');
    expect(ciStatus(rollup({ FAILURE: 1 }), ['build'])).toBe('failing');
  });

  test('a server that counts nothing has one word for all', () => {
    const { contexts } = rollup({});
    const old = { ...contexts, checkRunCountsByState: null };
    expect(ciStatus({ state: 'SUCCESS', contexts: old }, [])).toBe('passing');
    expect(ciStatus({ state: 'FAILURE', contexts: old }, [])).toBe('failing');
    expect(ciStatus({ state: 'EXPECTED', contexts: old }, [])).toBe('pending');
  });
});
