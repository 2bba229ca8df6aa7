/** Tests how the CI status of a commit is derived from its checks. */
import { describe, expect, test } from 'vitest';
import type { LightPullRequest } from '../../../../src/integrations/github/forge/answer-schemas.ts';
import { computeCiStatus } from '../../../../src/integrations/github/forge/ci-status.ts';

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
    ['CANCELLED', 'interrupted'],
    ['TIMED_OUT', 'timed_out'],
    ['STARTUP_FAILURE', 'timed_out'],
    ['ACTION_REQUIRED', 'action_required'],
    ['STALE', 'interrupted'],
    ['SOMETHING_NEW', 'interrupted'],
  ])('maps a check run in state %s to %s', (state, expected) => {
    expect(computeCiStatus(rollup({ [state]: 1, SUCCESS: 3 }), [])).toBe(expected);
  });

  test.each([
    ['SUCCESS', 'passing'],
    ['FAILURE', 'failing'],
    ['ERROR', 'interrupted'],
    ['PENDING', 'pending'],
    ['EXPECTED', 'pending'],
  ])('maps a commit status %s to %s', (state, expected) => {
    expect(computeCiStatus(rollup({}, { [state]: 1 }), [])).toBe(expected);
  });
});

describe('the CI status of a commit', () => {
  test('is none if there are no checks', () => {
    expect(computeCiStatus(null, [])).toBe('none');
    expect(computeCiStatus(rollup({}), [])).toBe('none');
    expect(computeCiStatus(rollup({ FAILURE: 0 }), [])).toBe('none');
  });

  test('ranks failing over running, running over could-not-run, and could-not-run over passing', () => {
    expect(computeCiStatus(rollup({ FAILURE: 1, IN_PROGRESS: 1, CANCELLED: 1, SUCCESS: 9 }), [])).toBe(
      'failing',
    );
    expect(computeCiStatus(rollup({ IN_PROGRESS: 1, CANCELLED: 1, SUCCESS: 9 }), [])).toBe('pending');
    expect(computeCiStatus(rollup({ CANCELLED: 1, SUCCESS: 9 }), [])).toBe('interrupted');
    expect(computeCiStatus(rollup({ CANCELLED: 1, TIMED_OUT: 1 }), [])).toBe('timed_out');
    expect(computeCiStatus(rollup({ TIMED_OUT: 1, ACTION_REQUIRED: 1 }), [])).toBe('action_required');
  });

  test('is pending while a required check is missing, unless another check fails', () => {
    expect(computeCiStatus(null, ['build'])).toBe('pending');
    expect(computeCiStatus(rollup({ SUCCESS: 1 }), ['build'])).toBe('pending');
    expect(computeCiStatus(rollup({ FAILURE: 1 }), ['build'])).toBe('failing');
  });

  test('follows the overall state if the server returns no counts', () => {
    const { contexts } = rollup({});
    const old = { ...contexts, checkRunCountsByState: null };
    expect(computeCiStatus({ state: 'SUCCESS', contexts: old }, [])).toBe('passing');
    expect(computeCiStatus({ state: 'FAILURE', contexts: old }, [])).toBe('failing');
    expect(computeCiStatus({ state: 'EXPECTED', contexts: old }, [])).toBe('pending');
  });
});
