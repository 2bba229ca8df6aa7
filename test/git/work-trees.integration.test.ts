/**
 * Tests that the work trees in which a branch is checked out are found with as few git calls as
 * possible.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createWorkTreeFinder, LIST_WORK_TREES } from '../../src/git/work-trees.ts';
import { git } from '../workspaces/git-worktree/git-command.ts';
import { useGit } from '../workspaces/git-worktree/use-harness.ts';

const present = useGit();
const MAIN = 'refs/heads/main';

/** Creates a finder and counts how often it calls git. */
function openFinder(common: string) {
  const asked = { times: 0 };
  const find = createWorkTreeFinder(common, () => {
    asked.times += 1;
    return git(common, ...LIST_WORK_TREES);
  });
  return { asked, find };
}

test('starts git only once for a branch that stays checked out, and never for a branch that is not checked out', async () => {
  const folder = await present().repository();
  const { asked, find } = openFinder(join(folder, '.git'));
  expect(await find('refs/heads/elsewhere')).toEqual([]);
  expect(asked.times).toBe(0);
  expect(await find(MAIN)).toEqual([{ folder, isGone: false }]);
  await git(folder, 'worktree', 'add', '--quiet', '-b', 'other', join(present().folder, 'other'));
  expect(await find(MAIN)).toEqual([{ folder, isGone: false }]);
  expect(asked.times).toBe(1);
});

test('notices every checkout, including those in linked work trees', async () => {
  const folder = await present().repository();
  const linked = join(present().folder, 'linked');
  const { find } = openFinder(join(folder, '.git'));
  await find(MAIN);
  await git(folder, 'checkout', '--quiet', '-b', 'feature');
  expect(await find(MAIN)).toEqual([]);
  await git(folder, 'worktree', 'add', '--quiet', linked, 'main');
  expect(await find(MAIN)).toEqual([{ folder: linked, isGone: false }]);
  await git(linked, 'checkout', '--quiet', '--detach');
  expect(await find(MAIN)).toEqual([]);
});

test('distinguishes a work tree with a deleted folder from an existing one', async () => {
  const folder = await present().repository();
  const linked = join(present().folder, 'linked');
  await git(folder, 'worktree', 'add', '--quiet', '-b', 'other', linked);
  const { find } = openFinder(join(folder, '.git'));
  expect(await find('refs/heads/other')).toEqual([{ folder: linked, isGone: false }]);
  rmSync(linked, { recursive: true });
  expect(await find('refs/heads/other')).toEqual([{ folder: linked, isGone: true }]);
});

test('finds no checkout in a bare repository until it becomes an ordinary one', async () => {
  const bare = await present().bareRepository();
  const { find } = openFinder(bare);
  expect(await find(MAIN)).toEqual([]);
  await git(bare, 'config', 'core.bare', 'false');
  expect(await find(MAIN)).toHaveLength(1);
});

test('starts git for every lookup if references are not stored in plain files', async () => {
  const folder = await present().repository();
  const { asked, find } = openFinder(join(folder, '.git'));
  await git(folder, 'config', 'core.preferSymlinkRefs', 'true');
  await git(folder, 'checkout', '--quiet', '-b', 'feature');
  expect(await find('refs/heads/feature')).toMatchObject([{ folder }]);
  await find('refs/heads/feature');
  expect(asked.times).toBe(2);
});
