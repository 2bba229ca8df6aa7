/**
 * Tests that Legion does not touch data of people or of other legions, and keeps work that only git
 * can see.
 */
import { cpSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { refusal } from '../../ports/workspace/refusal.ts';
import { git } from './git-command.ts';
import { useGit } from './use-harness.ts';

const present = useGit();

test('does not change a manually created worktree, even at the path of one of our workspaces', async () => {
  const { open, repository, root } = present();
  const folder = await repository();
  const workspaces = await open();
  await git(folder, 'worktree', 'add', '--quiet', '-b', 'mine', join(root, 'eng-1'));
  expect(await workspaces.list()).toEqual([]);
  expect(await refusal(workspaces.ensure('eng-1', folder))).toMatchObject({ code: 'workspace.foreign' });
  expect(await refusal(workspaces.remove('eng-1'))).toMatchObject({ code: 'workspace.foreign' });
  expect(await workspaces.prune(folder)).toEqual([]);
  expect(await git(join(root, 'eng-1'), 'status', '--porcelain', '--branch')).toBe('## mine');
});

test("does not use an issue's branch that is checked out elsewhere", async () => {
  const { open, repository, folder: outer } = present();
  const folder = await repository();
  await git(folder, 'worktree', 'add', '--quiet', '-b', 'eng-1', join(outer, 'by-hand'));
  const fault = await refusal((await open()).ensure('eng-1', folder));
  expect(fault.code).toBe('workspace.branch_taken');
  expect(fault.message).toContain(join(outer, 'by-hand'));
});

test('does not list, use or remove a workspace of another legion under the same root directory', async () => {
  const { open, openWith, repository } = present();
  const folder = await repository();
  const { path } = await (await openWith({ legion: 'other' })).ensure('eng-1', folder);
  const workspaces = await open();
  expect(await workspaces.find('eng-1')).toBeUndefined();
  expect((await refusal(workspaces.ensure('eng-1', folder))).message).toContain('legion "other"');
  expect(await refusal(workspaces.remove('eng-1'))).toMatchObject({ code: 'workspace.foreign' });
  expect(existsSync(path)).toBe(true);
});

test("a copy of a workspace at another workspace's path is not treated as a workspace", async () => {
  const { open, repository, root } = present();
  const folder = await repository();
  const workspaces = await open();
  const { path } = await workspaces.ensure('eng-1', folder);
  cpSync(path, join(root, 'eng-2'), { recursive: true });
  expect(await workspaces.list()).toHaveLength(1);
  expect(await refusal(workspaces.remove('eng-2'))).toMatchObject({ code: 'workspace.foreign' });
});

test('a workspace that has lost its .git file keeps its files and its git entry', async () => {
  const { open, repository } = present();
  const folder = await repository();
  const workspaces = await open();
  const { path } = await workspaces.ensure('eng-1', folder);
  const link = readFileSync(join(path, '.git'), 'utf8');
  writeFileSync(join(path, 'work.txt'), 'work');
  rmSync(join(path, '.git'));
  expect(await refusal(workspaces.ensure('eng-1', folder))).toMatchObject({ code: 'workspace.foreign' });
  expect(await workspaces.prune(folder)).toEqual([]);
  writeFileSync(join(path, '.git'), link);
  expect((await workspaces.ensure('eng-1', folder)).path).toBe(path);
  expect(await git(path, 'status', '--porcelain')).toBe('?? work.txt');
});

test('a workspace that a person moved with git stays where it is', async () => {
  const { open, repository, folder: outer } = present();
  const folder = await repository();
  const workspaces = await open();
  const { path } = await workspaces.ensure('eng-1', folder);
  await git(folder, 'worktree', 'move', path, join(outer, 'moved'));
  expect(await workspaces.prune(folder)).toEqual([]);
  expect(await refusal(workspaces.ensure('eng-1', folder))).toMatchObject({ code: 'workspace.branch_taken' });
  expect(await git(join(outer, 'moved'), 'status', '--porcelain', '--branch')).toBe('## eng-1');
});

test('the marker file is not part of the content: git neither shows nor commits it', async () => {
  const { open, repository } = present();
  const folder = await repository();
  const { path } = await (await open()).ensure('eng-1', folder);
  expect(await git(path, 'status', '--porcelain', '--ignored', '--untracked-files=all')).toBe('');
  writeFileSync(join(path, 'work.txt'), 'work');
  await git(path, 'add', '--all', '--force');
  expect(await git(path, 'diff', '--cached', '--name-only')).toBe('work.txt');
  expect(await git(folder, 'status', '--porcelain', '--ignored')).toBe('');
});

test('a workspace is not removed if it has a commit that is on no branch or on another branch', async () => {
  const { open, repository, commit } = present();
  const folder = await repository();
  const workspaces = await open();
  const { path } = await workspaces.ensure('eng-1', folder);
  await git(path, 'checkout', '--quiet', '--detach');
  writeFileSync(join(path, 'work.txt'), 'work');
  await commit(path, 'On no branch');
  expect(await workspaces.remove('eng-1')).toEqual({
    removed: false,
    holds: [expect.stringMatching(/^neither merged nor pushed: [0-9a-f]{7,} On no branch$/)],
  });
  await git(path, 'checkout', '--quiet', '-b', 'another');
  expect(await workspaces.remove('eng-1')).toMatchObject({ removed: false });
});

test.each(['--assume-unchanged', '--skip-worktree'])(
  'a workspace is not removed if it has a change hidden by %s',
  async (flag) => {
    const { open, repository } = present();
    const workspaces = await open();
    const { path } = await workspaces.ensure('eng-1', await repository());
    await git(path, 'update-index', flag, 'README.md');
    writeFileSync(join(path, 'README.md'), 'changed in secret');
    expect(await git(path, 'status', '--porcelain')).toBe('');
    expect(await workspaces.remove('eng-1')).toEqual({
      removed: false,
      holds: ['hidden from git status: README.md'],
    });
  },
);

test('a workspace with many untracked files is not removed even if git settings hide them, and the files are counted', async () => {
  const { open, repository } = present();
  const folder = await repository();
  await git(folder, 'config', 'status.showUntrackedFiles', 'no');
  const workspaces = await open();
  const { path } = await workspaces.ensure('eng-1', folder);
  for (let number = 0; number < 30; number += 1) writeFileSync(join(path, `new-${number}`), '');
  const removal = await workspaces.remove('eng-1');
  expect(removal).toMatchObject({ removed: false });
  expect(!removal.removed && removal.holds.at(-1)).toBe('untracked: and 10 more');
});

test('a locked workspace is not removed, and the reason is reported', async () => {
  const { open, repository } = present();
  const folder = await repository();
  const workspaces = await open();
  const { path } = await workspaces.ensure('eng-1', folder);
  await git(folder, 'worktree', 'lock', '--reason', 'I look at it', path);
  expect(await workspaces.remove('eng-1')).toEqual({ removed: false, holds: ['locked: I look at it'] });
  // A locked workspace that is missing may be on a disk that will be mounted again later.
  renameSync(path, `${path}-away`);
  expect(await workspaces.prune(folder)).toEqual([]);
});
