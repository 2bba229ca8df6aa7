/** Tests diffs in real, hostile repositories. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readChanges } from '../../src/git/diff.ts';
import { createGitRunner } from '../../src/git/runner.ts';

const { PATH } = process.env;
const git = createGitRunner({ environment: { PATH, HOME: '/' } });
let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'legion-changes-')));
  run('init', '--quiet', '--template=', '--initial-branch=main');
});
afterEach(() => rmSync(folder, { recursive: true }));

function run(...args: string[]): string {
  const by = ['-c', 'user.name=A', '-c', 'user.email=a@example.org'];
  return execFileSync('git', [...by, '-C', folder, ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();
}

function commit(files: Readonly<Record<string, string | Buffer>>): string {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  run('add', '--all');
  run('commit', '--quiet', '--allow-empty', '--message', 'Work');
  return run('rev-parse', 'HEAD');
}

test('unusual file names are kept verbatim, each with its own patch', async () => {
  const names = [
    'a b',
    'tab\tx',
    'line\ndiff --git a b',
    '"quoted"',
    'back\\slash',
    ':(glob)*',
    '*',
    'ümlaut',
    '-x',
    'bell\x07',
  ];
  const from = commit({ first: '1\n' });
  const to = commit(Object.fromEntries(names.map((name) => [name, `of ${JSON.stringify(name)}\n`])));
  const { files, truncated } = await readChanges(git, folder, from, to);
  expect(truncated).toBe(false);
  expect(Object.fromEntries(files.map(({ path, patch }) => [path, patch]))).toEqual(
    Object.fromEntries(names.map((name) => [name, `@@ -0,0 +1 @@\n+of ${JSON.stringify(name)}\n`])),
  );
});

test('renamed, deleted and binary files are marked as such', async () => {
  const text = Array.from({ length: 30 }, (_, index) => `line ${index}\n`).join('');
  const from = commit({ old: text, gone: 'x\n', picture: Buffer.from([0, 1]) });
  run('mv', 'old', 'new');
  run('rm', '--quiet', 'gone');
  const to = commit({ new: `${text}more\n`, picture: Buffer.from([0, 2]) });
  const { files } = await readChanges(git, folder, from, to);
  expect(files).toMatchObject([
    { path: 'gone', change: 'deleted', deletions: 1, patch: '@@ -1 +0,0 @@\n-x\n' },
    { path: 'new', from: 'old', change: 'renamed', additions: 1, deletions: 0 },
    { path: 'picture', change: 'changed', additions: null, deletions: null, patch: '', cut: false },
  ]);
  expect(files[1]?.patch).toContain('+more\n');
});

test('changes beyond the limits are omitted and marked as truncated', async () => {
  const from = commit({ first: '1\n' });
  const long = Array.from({ length: 5_000 }, (_, index) => `${index}\n`).join('');
  const to = commit({
    long,
    large: `${'x'.repeat(1_500_000)}\n`,
    ...Object.fromEntries(
      Array.from({ length: 310 }, (_, index) => [`n${String(index).padStart(3, '0')}`, 'n\n']),
    ),
  });
  const { files, truncated } = await readChanges(git, folder, from, to);
  expect(truncated).toBe(true);
  expect(files).toHaveLength(300);
  expect(files.find(({ path }) => path === 'large')).toMatchObject({ additions: null, patch: '' });
  const cut = files.find(({ path }) => path === 'long');
  expect(cut).toMatchObject({ additions: 5_000, cut: true });
  expect(cut?.patch.split('\n')).toHaveLength(3_001);
});

test('does not start any program that the repository configures', async () => {
  const from = commit({ file: '1\n', '.gitattributes': 'file filter=evil diff=evil\n' });
  const mark = join(folder, '.git', 'started');
  for (const setting of [
    'filter.evil.clean',
    'filter.evil.process',
    'filter.a=b.clean',
    'diff.external',
    'diff.evil.command',
    'diff.evil.textconv',
  ])
    run('config', setting, `touch ${mark}; cat`);
  run('config', 'filter.evil.required', 'true');
  run('config', 'core.fsmonitor', `touch ${mark}`);
  writeFileSync(join(folder, 'file'), '2\n');
  const { files } = await readChanges(git, folder, from, undefined);
  expect(files).toMatchObject([{ path: 'file', patch: '@@ -1 +1 @@\n-1\n+2\n' }]);
  expect(existsSync(mark)).toBe(false);
});

test("the repository's diff settings are ignored", async () => {
  const from = commit({ file: '1\n', other: '2\n' });
  for (const [name, value] of [
    ['color.ui', 'always'],
    ['diff.noprefix', 'true'],
    ['diff.mnemonicPrefix', 'true'],
    ['diff.context', '0'],
    ['diff.renames', 'false'],
    ['diff.orderFile', 'nowhere'],
    ['core.quotePath', 'true'],
  ])
    run('config', name ?? '', value ?? '');
  writeFileSync(join(folder, 'file'), '2\n');
  const { files } = await readChanges(git, folder, from, undefined);
  expect(files).toMatchObject([{ path: 'file', patch: '@@ -1 +1 @@\n-1\n+2\n' }]);
});

test('a merge in progress is shown with its conflicts', async () => {
  const from = commit({ file: 'base\n' });
  run('checkout', '--quiet', '-b', 'other');
  commit({ file: 'other\n' });
  run('checkout', '--quiet', 'main');
  commit({ file: 'mine\n' });
  expect(() => run('merge', '--quiet', 'other')).toThrow();
  const { files } = await readChanges(git, folder, from, undefined);
  expect(files).toHaveLength(1);
  expect(files[0]?.patch).toContain('+<<<<<<< HEAD');
});
