import { expect, test } from 'vitest';
import { describeBaseComparison } from '../../../src/daemon/prompts/describe-changes.ts';
import type { BaseComparison } from '../../../src/ports/workspace.ts';

const FRESH: BaseComparison = {
  base: 'origin/main',
  ahead: 0,
  behind: 0,
  conflicts: [],
  uncommitted: [],
  moved: false,
};

test.each<[string, Partial<BaseComparison>, string]>([
  ['a new branch', {}, 'Your branch has no commits of its own and is up to date with origin/main.'],
  ['a branch that is up to date', { ahead: 2 }, 'Your branch contains all commits of origin/main.'],
  [
    'a branch that is behind and merges cleanly',
    { ahead: 2, behind: 1 },
    'Your branch is 1 commit behind origin/main and merges cleanly: do not rebase it, and do not merge origin/main into it.',
  ],
  [
    'a branch that conflicts',
    { ahead: 2, behind: 3, conflicts: ['a.txt', 'b.txt'] },
    'Your branch is 3 commits behind origin/main and conflicts with it in a.txt, b.txt.',
  ],
  [
    'a branch whose conflicts are unknown',
    { ahead: 2, behind: 3, conflicts: 'unknown' },
    'Your branch is 3 commits behind origin/main. Legion could not determine whether the two conflict.',
  ],
  [
    'a branch that could not be moved',
    { behind: 3, uncommitted: ['open.txt'] },
    'Your branch has no commits of its own and is 3 commits behind origin/main. Your workspace has uncommitted changes (open.txt), so Legion did not move it to the newest base.',
  ],
])('the prompt describes %s', (_, parts, words) => {
  expect(describeBaseComparison({ ...FRESH, ...parts })).toBe(words);
});

test('the prompt does not mention a base that could not be read', () => {
  expect(describeBaseComparison(undefined)).toBeUndefined();
});
