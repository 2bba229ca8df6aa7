import { expect, test } from 'vitest';
import { describeStanding } from '../../../src/daemon/prompt/describe-standing.ts';
import type { BaseStanding } from '../../../src/workspaces/workspace.ts';

const FRESH: BaseStanding = {
  base: 'origin/main',
  ahead: 0,
  behind: 0,
  conflicts: [],
  uncommitted: [],
  moved: false,
};

test.each<[string, Partial<BaseStanding>, string]>([
  ['a new branch', {}, 'Your branch has no commits of its own and stands at the newest origin/main.'],
  ['one that is up to date', { ahead: 2 }, 'Your branch has everything that is on origin/main.'],
  [
    'one that is behind and merges',
    { ahead: 2, behind: 1 },
    'Your branch is 1 commit behind origin/main and merges without a conflict: do not rebase it, and do not merge origin/main into it.',
  ],
  [
    'one that conflicts',
    { ahead: 2, behind: 3, conflicts: ['a.txt', 'b.txt'] },
    'Your branch is 3 commits behind origin/main and conflicts with it in a.txt, b.txt.',
  ],
  [
    'one of which that is not known',
    { ahead: 2, behind: 3, conflicts: 'unknown' },
    'Your branch is 3 commits behind origin/main; whether the two conflict could not be found out.',
  ],
  [
    'one that could not be moved',
    { behind: 3, uncommitted: ['open.txt'] },
    'Your branch has no commits of its own and is 3 commits behind origin/main. Your workspace has uncommitted changes (open.txt), so it was not moved to the newest base.',
  ],
])('the prompt says of %s how it stands to its base', (_, parts, words) => {
  expect(describeStanding({ ...FRESH, ...parts })).toBe(words);
});

test('of a base that could not be read it says nothing', () => {
  expect(describeStanding(undefined)).toBeUndefined();
});
