/**
 * Tests that removal loses no work: it either removes everything, or refuses and lists the
 * remaining work.
 */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Workspaces } from '../../../../src/ports/workspace.ts';
import type { Present } from './workspaces-under-test.ts';

export function removing(present: Present): void {
  describe('removing', () => {
    let workspaces: Workspaces;
    let repository: string;
    let path: string;
    beforeEach(async () => {
      workspaces = await present().open();
      repository = await present().repository();
      ({ path } = await workspaces.ensure('eng-1', repository));
    });
    const write = (name: string, text = name) => writeFileSync(join(path, name), text);

    async function expectKept(...names: readonly string[]): Promise<void> {
      const removal = await workspaces.remove('eng-1');
      expect(removal.removed).toBe(false);
      for (const name of names) expect(!removal.removed && removal.holds.join('\n')).toContain(name);
      expect(await workspaces.find('eng-1')).toBeDefined();
    }

    async function expectRemoved(): Promise<void> {
      expect(await workspaces.remove('eng-1')).toEqual({ removed: true });
      expect(existsSync(path)).toBe(false);
      expect(await workspaces.list()).toEqual([]);
    }

    test('removes an untouched workspace with its branch', async () => {
      await expectRemoved();
      expect(await present().commitOfBranch(repository, 'eng-1')).toBeUndefined();
    });

    test('succeeds for a missing workspace, even repeatedly and even if it never existed', async () => {
      await expectRemoved();
      expect(await workspaces.remove('eng-1')).toEqual({ removed: true });
      expect(await workspaces.remove('never-there')).toEqual({ removed: true });
      await workspaces.ensure('eng-1', repository);
      rmSync(path, { recursive: true });
      expect(await workspaces.remove('eng-1')).toEqual({ removed: true });
    });

    test('keeps a workspace with a changed file', async () => {
      write('README.md', 'changed');
      await expectKept('README.md');
    });

    test('keeps a workspace with a deleted file', async () => {
      rmSync(join(path, 'README.md'));
      await expectKept('README.md');
    });

    test('keeps a workspace with an untracked file, whatever its name', async () => {
      write('new file.txt');
      write('two\nlines');
      await expectKept('new file.txt', 'two | lines');
    });

    test('removes a workspace even if it contains files that git ignores', async () => {
      write('.gitignore', 'build.log\n');
      await present().commit(path, 'Ignore the log');
      await present().fastForward(repository, 'eng-1');
      write('build.log');
      await expectRemoved();
    });

    test('keeps a workspace with a commit that is neither merged nor pushed', async () => {
      write('work.txt');
      await present().commit(path, 'Do the work');
      await expectKept('Do the work');
      expect(existsSync(join(path, 'work.txt'))).toBe(true);
    });

    test('keeps a workspace with commits made after the push', async () => {
      write('work.txt');
      await present().commit(path, 'First');
      await present().push(path, 'eng-1');
      write('more.txt');
      await present().commit(path, 'Second');
      await expectKept('Second');
    });

    test('removes a pushed workspace but keeps the branch', async () => {
      write('work.txt');
      const commit = await present().commit(path, 'Do the work');
      await present().push(path, 'eng-1');
      await expectRemoved();
      expect(await present().commitOfBranch(repository, 'eng-1')).toBe(commit);
    });

    test('removes a merged workspace with its branch', async () => {
      write('work.txt');
      await present().commit(path, 'Do the work');
      await present().fastForward(repository, 'eng-1');
      await present().commitOnMain(repository, 'later.txt', 'later');
      await expectRemoved();
      expect(await present().commitOfBranch(repository, 'eng-1')).toBeUndefined();
    });

    test('removes a workspace whose commits were squashed into one on the base, even if the base has moved on', async () => {
      for (const name of ['one', 'two', 'three']) {
        write(`${name}.txt`);
        await present().commit(path, name);
      }
      await present().commitOnMain(repository, 'meanwhile.txt', 'meanwhile');
      await present().squash(repository, 'eng-1');
      await present().commitOnMain(repository, 'two.txt', 'changed by somebody else since');
      await expectRemoved();
      expect(await present().commitOfBranch(repository, 'eng-1')).toBeUndefined();
    });

    test('keeps a workspace with a commit made after the squash, even if it changes only white space', async () => {
      write('code.py', 'if a:\n    b()\nc()\n');
      await present().commit(path, 'Write it');
      await present().squash(repository, 'eng-1');
      write('code.py', 'if a:\n    b()\n    c()\n');
      await present().commit(path, 'Indent it');
      await expectKept('Indent it');
    });

    test('keeps a workspace with commits that undo each other, although their combined change is empty', async () => {
      write('README.md', 'an attempt');
      await present().commit(path, 'Try it');
      write('README.md', 'read me\n');
      await present().commit(path, 'Undo it for now');
      await present().commitOnMain(repository, 'meanwhile.txt', 'meanwhile');
      await expectKept('Try it', 'Undo it for now');
    });

    test('accepts a merge commit from the caller only if it is on the base and contains the work', async () => {
      const other = await present().commitOnMain(repository, 'other.txt', 'other');
      write('work.txt');
      const mine = await present().commit(path, 'Do the work');
      for (const mergedAs of [other, mine, 'f'.repeat(40), 'main', '--all']) {
        expect(await workspaces.remove('eng-1', { mergedAs }), mergedAs).toMatchObject({ removed: false });
      }
      const squashed = await present().squash(repository, 'eng-1');
      expect(await workspaces.remove('eng-1', { mergedAs: squashed })).toEqual({ removed: true });
    });

    test('two concurrent removals both succeed', async () => {
      const other = await present().open();
      const removals = await Promise.all([workspaces, other, workspaces].map((each) => each.remove('eng-1')));
      expect(removals).toEqual([{ removed: true }, { removed: true }, { removed: true }]);
    });

    test('lets a removed workspace be created again', async () => {
      await expectRemoved();
      expect((await workspaces.ensure('eng-1', repository)).path).toBe(path);
    });

    test('touches no other workspace', async () => {
      const other = await workspaces.ensure('eng-2', repository);
      await workspaces.remove('eng-1');
      expect(await workspaces.list()).toEqual([other]);
      expect(await present().branchIn(other.path)).toBe('eng-2');
    });

    test('pruning a clean repository removes nothing', async () => {
      expect(await workspaces.prune(repository)).toEqual([]);
      expect(await workspaces.find('eng-1')).toBeDefined();
    });
  });
}
