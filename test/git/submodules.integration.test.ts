import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createGitRunner } from '../../src/git/runner.ts';
import { checkOutSubmodules } from '../../src/git/submodules.ts';
import { git } from '../ports/forge/git.ts';
import { makeWithSubmodules } from './with-submodules.ts';

const { PATH, HOME } = process.env;
const runner = createGitRunner({ environment: { PATH, HOME } });
let root: string;
let repository: string;
let lib: string;
let folder: string;

beforeEach(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'legion-submodules-')));
  ({ repository, lib } = await makeWithSubmodules(root));
  folder = join(root, 'tree');
  await git(repository, 'worktree', 'add', '--quiet', '--detach', folder);
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

const checkOut = () => checkOutSubmodules(runner, { folder, repository });
const allow = () => git(repository, 'config', 'protocol.file.allow', 'always');

test('submodules at local paths are rejected by git until the repository allows them', async () => {
  await expect(checkOut()).rejects.toMatchObject({ code: 'git.submodule_failed' });
  await expect(checkOut()).rejects.toThrow("transport 'file' not allowed");
  await allow();
  await checkOut();
  expect(readFileSync(join(folder, 'lib/lib.txt'), 'utf8')).toBe('lib\n');
});

test("nested submodules are checked out without changing the repository's settings", async () => {
  await allow();
  const before = readFileSync(join(repository, '.git/config'), 'utf8');
  await checkOut();
  expect(existsSync(join(folder, 'lib/inner/inner.txt'))).toBe(true);
  expect(readFileSync(join(repository, '.git/config'), 'utf8')).toBe(before);
});

test('an existing submodule is not changed', async () => {
  await allow();
  await checkOut();
  writeFileSync(join(folder, 'lib/lib.txt'), 'changed\n');
  execFileSync('git', ['-C', join(folder, 'lib'), 'checkout', '--quiet', '--detach', 'HEAD~1'], {
    stdio: 'ignore',
    env: { PATH },
  });
  const head = await git(join(folder, 'lib'), 'rev-parse', 'HEAD');
  await checkOut();
  expect(await git(join(folder, 'lib'), 'rev-parse', 'HEAD')).toBe(head);
  expect(readFileSync(join(folder, 'lib/lib.txt'), 'utf8')).toBe('changed\n');
});

test('the repository’s own settings override the URL in .gitmodules', async () => {
  await allow();
  const moved = join(root, 'moved');
  await git(root, 'clone', '--quiet', '--bare', lib, moved);
  rmSync(lib, { recursive: true });
  await expect(checkOut()).rejects.toMatchObject({ code: 'git.submodule_failed' });
  await git(repository, 'config', 'submodule.libs/lib.url', moved);
  await checkOut();
  expect(existsSync(join(folder, 'lib/lib.txt'))).toBe(true);
});

test("a relative URL is resolved against the repository's origin", async () => {
  await allow();
  await git(repository, 'remote', 'add', 'origin', join(root, 'elsewhere', 'app.git'));
  await expect(checkOut()).rejects.toThrow(join(root, 'elsewhere', 'lib'));
});

test('does nothing if the work tree has no submodules, or if .gitmodules does not list the submodule', async () => {
  await git(folder, 'rm', '--quiet', '--cached', '.gitmodules');
  writeFileSync(join(folder, '.gitmodules'), '');
  await checkOut();
  rmSync(join(folder, '.gitmodules'));
  await checkOut();
  expect(existsSync(join(folder, 'lib/lib.txt'))).toBe(false);
});
