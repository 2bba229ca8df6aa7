import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findLfsFiles, lfsNotice } from '../../src/git/lfs.ts';
import { gitRunner } from '../../src/git/runner.ts';
import { git } from '../ports/forge/git.ts';

const { PATH, HOME } = process.env;
const runner = gitRunner({ environment: { PATH, HOME } });

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

test('a repository that hands files over to LFS is found by its attributes, in any folder', async () => {
  const folder = await repositoryWith({
    '.gitattributes': '*.txt text\n',
    'assets/.gitattributes': '*.png filter=lfs diff=lfs merge=lfs -text\n',
  });
  const files = await findLfsFiles(runner, folder, 'main');
  expect(files).toEqual(['assets/.gitattributes']);
  const { message, next } = await lfsNotice(runner, folder, files);
  expect(message).toContain('workspaces and checkouts contain pointers');
  expect(next).toContain('git lfs pull');
});

test('a repository without LFS has no such file', async () => {
  const folder = await repositoryWith({ 'notes.md': 'we do not use filter=lfs\n' });
  expect(await findLfsFiles(runner, folder, 'main')).toEqual([]);
});
