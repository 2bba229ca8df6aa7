import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Workspaces } from '../../../src/ports/workspace.ts';
import { openGitWorktrees } from '../../../src/workspaces/git-worktree/git-worktrees.ts';
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

test('a new workspace has its submodules, and the next call adds any that are missing', async () => {
  await expect(workspaces.ensure('DEMO-1', repository)).rejects.toMatchObject({
    code: 'git.submodule_failed',
  });
  await git(repository, 'config', 'protocol.file.allow', 'always');
  const { path } = await workspaces.ensure('DEMO-1', repository);
  expect(existsSync(join(path, 'lib/lib.txt'))).toBe(true);
  expect(existsSync(join(path, 'lib/inner/inner.txt'))).toBe(true);
  expect((await workspaces.readStatus('DEMO-1'))?.uncommitted).toEqual([]);
});

test('removes a workspace with untouched submodules, and keeps a workspace that has a commit in a submodule', async () => {
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
    expect.arrayContaining(['submodule with its own commits: libs/lib']),
  );
});
