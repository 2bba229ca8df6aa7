import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { buildLfsNotice, findLfsFiles } from '../../src/git/lfs.ts';
import { createGitRunner } from '../../src/git/runner.ts';
import { git } from '../ports/forge/git.ts';

const { PATH, HOME } = process.env;
const runner = createGitRunner({ environment: { PATH, HOME } });

async function repositoryWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'legion-lfs-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  await git(folder, 'init', '--quiet', '--initial-branch=main');
  mkdirSync(join(folder, 'assets'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  await git(folder, 'add', '--all');
  await git(folder, 'commit', '--quiet', '--allow-empty', '--message=First');
  return folder;
}

test('LFS is detected by attributes in any folder', async () => {
  const folder = await repositoryWith({
    '.gitattributes': '*.txt text\n',
    'assets/.gitattributes': '*.png filter=lfs diff=lfs merge=lfs -text\n',
  });
  const files = await findLfsFiles(runner, folder, 'main');
  expect(files).toEqual(['assets/.gitattributes']);
  const { message, next } = await buildLfsNotice(runner, folder, files);
  expect(message).toContain('Workspaces and checkouts contain pointers');
  expect(next).toContain('git lfs pull');
});

test('a repository without LFS has no LFS files', async () => {
  const folder = await repositoryWith({ 'notes.md': 'we do not use filter=lfs\n' });
  expect(await findLfsFiles(runner, folder, 'main')).toEqual([]);
});
