/** Which of several pull requests is the one of a branch. */
import { describe, expect, test } from 'vitest';
import { choose, chooseLinked } from '../../../../src/forges/github/choose.ts';
import type { LinkedPullRequest } from '../../../../src/integrations/github/forge/answer-schemas.ts';

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

describe('of a branch', () => {
  test('the open one, else the newest that was merged, else none', () => {
    const merged = [candidate(3, { state: 'MERGED' }), candidate(2, { state: 'MERGED' })];
    expect(choose([...merged, candidate(1)], false)).toMatchObject({ number: 1 });
    expect(choose(merged, false)).toMatchObject({ number: 3 });
    expect(choose([], false)).toBe('none');
  });

  test('one of a fork is none, however many there are, and the branch’s own is looked for behind them', () => {
    const forks = [candidate(9, { isCrossRepository: true }), candidate(8, { isCrossRepository: true })];
    expect(choose(forks, false)).toBe('none');
    expect(choose(forks, true)).toBe('more');
    expect(choose([...forks, candidate(1)], true)).toMatchObject({ number: 1 });
  });

  test('what could not be read may be the one', () => {
    expect(choose([null], false)).toBe('unknown');
    expect(choose([null, candidate(1)], false)).toMatchObject({ number: 1 });
    expect(choose([null, candidate(1, { state: 'MERGED' })], false)).toBe('unknown');
  });
});

describe('by its issue', () => {
  test('only one of this repository, into its base, and not of a fork', () => {
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

  test('the last of several that were merged', () => {
    const merged = [1, 3, 2].map((number) => candidate(number, { state: 'MERGED' }));
    expect(chooseLinked(merged, HERE, 'main')).toMatchObject({ number: 3 });
  });
});
