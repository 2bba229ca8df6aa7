/** Tests which commit an issue's branch starts at. */
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { refusal } from '../../ports/workspace/refusal.ts';
import { git } from './git-command.ts';
import { useGit } from './use-harness.ts';

const present = useGit();

async function emptyRepository(...options: readonly string[]): Promise<string> {
  const folder = join(present().folder, 'fresh');
  await git(present().folder, 'init', '--quiet', ...options, folder);
  return folder;
}

test("in a clone, a branch starts at the remote's HEAD, not at the checked-out branch", async () => {
  const { open, repository, commitOnMain } = present();
  const folder = await repository();
  await git(folder, 'checkout', '--quiet', '-b', 'feature');
  await commitOnMain(folder, 'new.txt', 'new');
  const { path } = await (await open()).ensure('eng-1', folder);
  expect(existsSync(join(path, 'new.txt'))).toBe(true);
});

test('in a bare repository, a branch starts at its HEAD, whatever the HEAD branch is called', async () => {
  const { open, bareRepository } = present();
  const folder = await bareRepository();
  await git(folder, 'branch', '--move', 'main', 'trunk');
  const { path } = await (await open()).ensure('eng-1', folder);
  expect(await git(path, 'rev-parse', 'HEAD')).toBe(await git(folder, 'rev-parse', 'trunk'));
});

test('in a regular repository without a remote, a branch starts at main, even if another branch is checked out', async () => {
  const folder = await emptyRepository('--initial-branch=main');
  await git(folder, 'commit', '--quiet', '--allow-empty', '-m', 'Begin');
  await git(folder, 'checkout', '--quiet', '-b', 'feature');
  await git(folder, 'commit', '--quiet', '--allow-empty', '-m', 'Feature');
  const { path } = await (await present().open()).ensure('eng-1', folder);
  expect(await git(path, 'log', '-1', '--format=%s')).toBe('Begin');
});

test('in a regular repository without main, a branch starts at the checked-out branch', async () => {
  const folder = await emptyRepository('--initial-branch=trunk');
  await git(folder, 'commit', '--quiet', '--allow-empty', '-m', 'Begin');
  const { path } = await (await present().open()).ensure('eng-1', folder);
  expect(await git(path, 'log', '-1', '--format=%s')).toBe('Begin');
});

test('a branch starts at the configured branch, and cannot be created if the configured branch does not exist', async () => {
  const { openWith, repository } = present();
  const folder = await repository();
  await git(folder, 'checkout', '--quiet', '-b', 'develop');
  await git(folder, 'commit', '--quiet', '--allow-empty', '-m', 'Develop');
  const { path } = await (await openWith({ baseFor: () => ({ base: 'develop' }) })).ensure('eng-1', folder);
  expect(await git(path, 'log', '-1', '--format=%s')).toBe('Develop');
  const fault = await refusal(
    (await openWith({ baseFor: () => ({ base: 'missing' }) })).ensure('eng-2', folder),
  );
  expect(fault).toMatchObject({ code: 'workspace.base_missing' });
  expect(fault.message).toContain('refs/remotes/origin/missing, refs/heads/missing');
});

test('a branch does not start at a tag that has the same name as the issue', async () => {
  const { open, repository, commitOnMain } = present();
  const folder = await repository();
  await git(folder, 'tag', 'eng-1');
  await commitOnMain(folder, 'new.txt', 'new');
  const workspaces = await open();
  const { path } = await workspaces.ensure('eng-1', folder);
  expect(existsSync(join(path, 'new.txt'))).toBe(true);
  expect(await workspaces.remove('eng-1')).toEqual({ removed: true });
  expect(await git(folder, 'tag', '--list')).toBe('eng-1');
});

test.each([[['--bare']], [[]]])(
  'reports that a repository without commits needs a commit (init %j)',
  async (options) => {
    const folder = await emptyRepository(...options);
    const workspaces = await present().open();
    const fault = await refusal(workspaces.ensure('eng-1', folder));
    expect(fault.code).toBe('workspace.no_commit');
    expect(fault.next).toContain('git commit');
    expect(await workspaces.list()).toEqual([]);
  },
);

test('a plain directory inside a repository is not treated as the repository', async () => {
  const { open, repository } = present();
  const plain = join(await repository(), 'plain');
  mkdirSync(plain);
  const fault = await refusal((await open()).ensure('eng-1', plain));
  expect(fault).toMatchObject({ code: 'workspace.not_a_repository' });
});

test('accepts a linked worktree or the .git directory as a path of the repository', async () => {
  const { open, repository, folder: outer } = present();
  const folder = await repository();
  await git(folder, 'worktree', 'add', '--quiet', '-b', 'mine', join(outer, 'mine'));
  const workspaces = await open();
  const first = await workspaces.ensure('eng-1', join(outer, 'mine'));
  expect(await workspaces.ensure('eng-1', join(folder, '.git'))).toEqual(first);
  expect(await workspaces.ensure('eng-1', folder)).toEqual(first);
});
