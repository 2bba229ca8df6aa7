import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openGitWorktrees } from '../../../src/workspaces/git-worktree/git-worktrees.ts';
import type { Workspaces } from '../../../src/workspaces/workspace.ts';
import { makeWithSubmodules } from '../../git/with-submodules.ts';
import { git } from '../../ports/forge/git.ts';

const { PATH, HOME } = process.env;
let root: string;
let repository: string;
let workspaces: Workspaces;

beforeEach(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'legion-workspace-submodules-')));
  ({ repository } = await makeWithSubmodules(root));
  const environment = { PATH, HOME };
  workspaces = await openGitWorktrees({ root: join(root, 'workspaces'), legion: 'demo', environment });
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

test('a workspace has its submodules, and one that lacks them gets them with the next call', async () => {
  await expect(workspaces.ensure('DEMO-1', repository)).rejects.toMatchObject({
    code: 'git.submodule_failed',
  });
  await git(repository, 'config', 'protocol.file.allow', 'always');
  const { path } = await workspaces.ensure('DEMO-1', repository);
  expect(existsSync(join(path, 'lib/lib.txt'))).toBe(true);
  expect(existsSync(join(path, 'lib/inner/inner.txt'))).toBe(true);
  expect((await workspaces.standing('DEMO-1'))?.uncommitted).toEqual([]);
});

test('a workspace with untouched submodules is removed; one with a commit in a submodule is kept', async () => {
  await git(repository, 'config', 'protocol.file.allow', 'always');
  await workspaces.ensure('DEMO-1', repository);
  expect(await workspaces.remove('DEMO-1')).toEqual({ removed: true });
  const { path } = await workspaces.ensure('DEMO-2', repository);
  writeFileSync(join(path, 'lib/lib.txt'), 'changed\n');
  await git(join(path, 'lib'), 'commit', '--quiet', '--all', '--message=Work');
  await git(path, 'commit', '--quiet', '--all', '--message=Record it');
  const removal = await workspaces.remove('DEMO-2');
  expect(removal).toMatchObject({ removed: false });
  expect(removal).toHaveProperty(
    'holds',
    expect.arrayContaining(['submodule with commits of its own: libs/lib']),
  );
});
