/** Tests which of several pull requests is chosen for a branch or an issue. */
import { describe, expect, test } from 'vitest';
import type { LinkedPullRequest } from '../../../../src/integrations/github/forge/answer-schemas.ts';
import { chooseLinked, choosePullRequest } from '../../../../src/integrations/github/forge/pull-request.ts';

const HERE = { owner: 'acme', name: 'app' };

function candidate(number: number, changes: Partial<LinkedPullRequest> = {}): LinkedPullRequest {
  return {
    id: `PR_${number}`,
    number,
    state: 'OPEN',
    updatedAt: '2030-01-01T00:00:00Z',
    isDraft: false,
    isCrossRepository: false,
    headRefName: 'eng-1',
    headRefOid: '0'.repeat(40),
    mergeable: 'MERGEABLE',
    statusCheckRollup: null,
    baseRefName: 'main',
    repository: { nameWithOwner: 'acme/app' },
    ...changes,
  };
}

describe('choosing by branch', () => {
  test('prefers the open pull request, then the newest merged one', () => {
    const merged = [candidate(3, { state: 'MERGED' }), candidate(2, { state: 'MERGED' })];
    expect(choosePullRequest([...merged, candidate(1)], false)).toMatchObject({ number: 1 });
    expect(choosePullRequest(merged, false)).toMatchObject({ number: 3 });
    expect(choosePullRequest([], false)).toBe('none');
  });

  test('skips pull requests from forks, and requests the next page if a page contains no others', () => {
    const forks = [candidate(9, { isCrossRepository: true }), candidate(8, { isCrossRepository: true })];
    expect(choosePullRequest(forks, false)).toBe('none');
    expect(choosePullRequest(forks, true)).toBe('more');
    expect(choosePullRequest([...forks, candidate(1)], true)).toMatchObject({ number: 1 });
  });

  test('returns unknown if an unreadable entry may be the right one', () => {
    expect(choosePullRequest([null], false)).toBe('unknown');
    expect(choosePullRequest([null, candidate(1)], false)).toMatchObject({ number: 1 });
    expect(choosePullRequest([null, candidate(1, { state: 'MERGED' })], false)).toBe('unknown');
  });
});

describe('choosing by issue', () => {
  test('accepts only a pull request that targets the base of this repository and does not come from a fork', () => {
    const others = [
      candidate(7, { repository: { nameWithOwner: 'acme/other' } }),
      candidate(6, { baseRefName: 'develop' }),
      candidate(5, { isCrossRepository: true }),
      candidate(4, { state: 'CLOSED' }),
    ];
    expect(chooseLinked(others, HERE, 'main')).toBe('none');
    expect(
      chooseLinked([...others, candidate(2, { repository: { nameWithOwner: 'Acme/App' } })], HERE, 'main'),
    ).toMatchObject({ number: 2 });
  });

  test('returns the newest of several merged pull requests', () => {
    const merged = [1, 3, 2].map((number) => candidate(number, { state: 'MERGED' }));
    expect(chooseLinked(merged, HERE, 'main')).toMatchObject({ number: 3 });
  });
});
