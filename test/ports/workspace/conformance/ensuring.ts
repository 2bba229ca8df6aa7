/** Tests that an issue has one workspace on its own branch, however often it is requested. */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { toFolderName } from '../../../../src/core/model/ids.ts';
import { refusal } from '../refusal.ts';
import type { Present } from './workspaces-under-test.ts';

export function ensuring(present: Present): void {
  describe('ensuring', () => {
    test('creates a copy of the code below the root, on a branch with exactly the name of the issue', async () => {
      const { open, root, repository, branchIn } = present();
      const workspace = await (await open()).ensure('ENG-12', await repository());
      expect(workspace).toEqual({
        issue: 'ENG-12',
        branch: 'ENG-12',
        path: join(root, toFolderName('ENG-12')),
      });
      expect(await branchIn(workspace.path)).toBe('ENG-12');
      expect(readFileSync(join(workspace.path, 'README.md'), 'utf8')).toBe('read me\n');
    });

    test('also works with a repository that has no working copy', async () => {
      const { open, bareRepository, branchIn } = present();
      const { path } = await (await open()).ensure('eng-12', await bareRepository());
      expect(await branchIn(path)).toBe('eng-12');
      expect(readFileSync(join(path, 'README.md'), 'utf8')).toBe('read me\n');
    });

    test("leaves the repository's working copy on its own branch", async () => {
      const { open, repository, branchIn } = present();
      const folder = await repository();
      await (await open()).ensure('eng-1', folder);
      expect(await branchIn(folder)).toBe('main');
    });

    test('finds the same workspace and its changes again, even after a restart', async () => {
      const { open, repository } = present();
      const folder = await repository();
      const first = await (await open()).ensure('eng-1', folder);
      writeFileSync(join(first.path, 'draft.txt'), 'not committed yet');
      expect(await (await open()).ensure('eng-1', folder)).toEqual(first);
      expect(readFileSync(join(first.path, 'draft.txt'), 'utf8')).toBe('not committed yet');
    });

    test('uses an existing branch of that name without resetting it', async () => {
      const { open, repository, commitOnMain, makeBranch, commitOfBranch } = present();
      const folder = await repository();
      const old = await commitOnMain(folder, 'old.txt', 'old');
      await makeBranch(folder, 'eng-1', old);
      await commitOnMain(folder, 'new.txt', 'new');
      const { path } = await (await open()).ensure('eng-1', folder);
      expect([existsSync(join(path, 'old.txt')), existsSync(join(path, 'new.txt'))]).toEqual([true, false]);
      expect(await commitOfBranch(folder, 'eng-1')).toBe(old);
    });

    test('separates issues whose ids differ only in case', async () => {
      const { open, repository, branchIn } = present();
      const workspaces = await open();
      const folder = await repository();
      const upper = await workspaces.ensure('ENG-1', folder);
      const lower = await workspaces.ensure('eng-1', folder);
      expect(upper.path.toLowerCase()).not.toBe(lower.path.toLowerCase());
      expect([await branchIn(upper.path), await branchIn(lower.path)]).toEqual(['ENG-1', 'eng-1']);
    });

    test('creates each of ten workspaces exactly once, even if all are requested concurrently', async () => {
      const { open, repository } = present();
      const workspaces = await open();
      const folder = await repository();
      const issues = Array.from({ length: 20 }, (_, index) => `eng-${(index % 10) + 100}`);
      const made = await Promise.all(issues.map((issue) => workspaces.ensure(issue, folder)));
      expect(made.map(({ issue }) => issue)).toEqual(issues);
      expect(await workspaces.list()).toHaveLength(10);
    });

    test('recreates a deleted workspace with its commits', async () => {
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

    test('accepts every valid id unchanged', async () => {
      const { open, root, repository, branchIn } = present();
      const workspaces = await open();
      const folder = await repository();
      for (const issue of VALID) {
        const { path } = await workspaces.ensure(issue, folder);
        expect(dirname(path)).toBe(root);
        expect(basename(path)).toBe(toFolderName(issue));
        expect(await branchIn(path)).toBe(issue);
      }
      expect(await workspaces.list()).toHaveLength(VALID.length);
    });

    test('refuses every invalid id in every call', async () => {
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
