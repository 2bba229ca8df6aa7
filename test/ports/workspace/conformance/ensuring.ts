/** One workspace per issue, on its own branch, however often it is asked for. */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { folderName } from '../../../../src/core/model/ids.ts';
import { refusal } from '../../journal/refusal.ts';
import type { Present } from './workspaces-under-test.ts';

export function ensuring(present: Present): void {
  describe('ensuring', () => {
    test('makes a copy of the code below the root, on a branch named exactly after the issue', async () => {
      const { open, root, repository, branchIn } = present();
      const workspace = await (await open()).ensure('ENG-12', await repository());
      expect(workspace).toEqual({
        issue: 'ENG-12',
        branch: 'ENG-12',
        path: join(root, folderName('ENG-12')),
      });
      expect(await branchIn(workspace.path)).toBe('ENG-12');
      expect(readFileSync(join(workspace.path, 'README.md'), 'utf8')).toBe('read me\n');
    });

    test('makes one of a repository without a working copy', async () => {
      const { open, bareRepository, branchIn } = present();
      const { path } = await (await open()).ensure('eng-12', await bareRepository());
      expect(await branchIn(path)).toBe('eng-12');
      expect(readFileSync(join(path, 'README.md'), 'utf8')).toBe('read me\n');
    });

    test('leaves the working copy of the repository on its own branch', async () => {
      const { open, repository, branchIn } = present();
      const folder = await repository();
      await (await open()).ensure('eng-1', folder);
      expect(await branchIn(folder)).toBe('main');
    });

    test('finds the same workspace again, with the work in it, also after a restart', async () => {
      const { open, repository } = present();
      const folder = await repository();
      const first = await (await open()).ensure('eng-1', folder);
      writeFileSync(join(first.path, 'draft.txt'), 'not committed yet');
      expect(await (await open()).ensure('eng-1', folder)).toEqual(first);
      expect(readFileSync(join(first.path, 'draft.txt'), 'utf8')).toBe('not committed yet');
    });

    test('uses a branch of that name that is already there, without resetting it', async () => {
      const { open, repository, commitOnMain, makeBranch, commitOfBranch } = present();
      const folder = await repository();
      const old = await commitOnMain(folder, 'old.txt', 'old');
      await makeBranch(folder, 'eng-1', old);
      await commitOnMain(folder, 'new.txt', 'new');
      const { path } = await (await open()).ensure('eng-1', folder);
      expect([existsSync(join(path, 'old.txt')), existsSync(join(path, 'new.txt'))]).toEqual([true, false]);
      expect(await commitOfBranch(folder, 'eng-1')).toBe(old);
    });

    test('keeps issues apart whose ids differ only in case', async () => {
      const { open, repository, branchIn } = present();
      const workspaces = await open();
      const folder = await repository();
      const upper = await workspaces.ensure('ENG-1', folder);
      const lower = await workspaces.ensure('eng-1', folder);
      expect(upper.path.toLowerCase()).not.toBe(lower.path.toLowerCase());
      expect([await branchIn(upper.path), await branchIn(lower.path)]).toEqual(['ENG-1', 'eng-1']);
    });

    test('makes ten at once, each of them once', async () => {
      const { open, repository } = present();
      const workspaces = await open();
      const folder = await repository();
      const issues = Array.from({ length: 20 }, (_, index) => `eng-${(index % 10) + 100}`);
      const made = await Promise.all(issues.map((issue) => workspaces.ensure(issue, folder)));
      expect(made.map(({ issue }) => issue)).toEqual(issues);
      expect(await workspaces.list()).toHaveLength(10);
    });

    test('makes a deleted workspace anew, with what was committed in it', async () => {
      const { open, repository, commit } = present();
      const workspaces = await open();
      const folder = await repository();
      const { path } = await workspaces.ensure('eng-1', folder);
      writeFileSync(join(path, 'work.txt'), 'work');
      await commit(path, 'Work');
      rmSync(path, { recursive: true });
      expect(await workspaces.find('eng-1')).toBeUndefined();
      expect((await workspaces.ensure('eng-1', folder)).path).toBe(path);
      expect(readFileSync(join(path, 'work.txt'), 'utf8')).toBe('work');
    });

    test('takes every valid id as it is', async () => {
      const { open, root, repository, branchIn } = present();
      const workspaces = await open();
      const folder = await repository();
      for (const issue of VALID) {
        const { path } = await workspaces.ensure(issue, folder);
        expect(dirname(path)).toBe(root);
        expect(basename(path)).toBe(folderName(issue));
        expect(await branchIn(path)).toBe(issue);
      }
      expect(await workspaces.list()).toHaveLength(VALID.length);
    });

    test('refuses every other id in every call', async () => {
      const { open, root, repository } = present();
      const workspaces = await open();
      const folder = await repository();
      for (const issue of INVALID) {
        const calls = [workspaces.ensure(issue, folder), workspaces.find(issue), workspaces.remove(issue)];
        for (const call of calls) {
          expect(await refusal(call), JSON.stringify(issue)).toMatchObject({ code: 'id.invalid' });
        }
      }
      expect(readdirSync(root)).toEqual([]);
    });
  });
}

const VALID = [
  ...['a', '1', 'x.y_z-1', 'A-1', 'a-1', 'con', 'a-0123456789abcdef', 'a-01234567-89ab', 'FETCH_HEAD'],
  'deadbeef'.repeat(5), // could be the name of a commit
  'Q'.repeat(160),
];

const INVALID = [
  ...[
    '',
    '.',
    '..',
    '../evil',
    'a/b',
    '/etc',
    '-x',
    '--force',
    'a..b',
    'a.',
    'a.lock',
    'a b',
    'a\nb',
    'a\0b',
  ],
  ...['\u00e4', '\u202ea', '$(id)', '@{-1}', 'a~1', 'a^', 'a:b', 'HEAD', 'head', 'Q'.repeat(161)],
];
