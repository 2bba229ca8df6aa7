/** A branch without work of its own follows the base; every other one is left alone, and says how far it is behind. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Present } from './workspaces-under-test.ts';

export function updating(present: Present): void {
  async function begin() {
    const workspaces = await present().open();
    const repository = await present().repository();
    const { path } = await workspaces.ensure('eng-1', repository);
    return { workspaces, repository, path, head: async () => (await workspaces.standing('eng-1'))?.head };
  }

  describe('bringing to the base', () => {
    test('a branch without commits of its own is brought to the newest base', async () => {
      const { workspaces, repository, path, head } = await begin();
      await present().commitOnMain(repository, 'one.txt', 'one');
      const newest = await present().commitOnMain(repository, 'two.txt', 'two');
      expect(await workspaces.bringToBase('eng-1')).toMatchObject({ ahead: 0, behind: 0, moved: true });
      expect(await head()).toBe(newest);
      expect(existsSync(join(path, 'two.txt'))).toBe(true);
      expect(await present().branchIn(path)).toBe('eng-1');
      expect(await workspaces.bringToBase('eng-1')).toMatchObject({ behind: 0, moved: false });
    });

    test('a branch with commits stays, and says how far it is behind and that it merges', async () => {
      const { workspaces, repository, path, head } = await begin();
      writeFileSync(join(path, 'mine.txt'), 'mine');
      const mine = await present().commit(path, 'mine');
      await present().commitOnMain(repository, 'theirs.txt', 'theirs');
      await present().commitOnMain(repository, 'more.txt', 'more');
      const standing = await workspaces.bringToBase('eng-1');
      expect(standing).toMatchObject({ ahead: 1, behind: 2, conflicts: [], uncommitted: [], moved: false });
      expect(standing?.base).toMatch(/main$/);
      expect(await head()).toBe(mine);
    });

    test('a conflict is told with its files', async () => {
      const { workspaces, repository, path } = await begin();
      writeFileSync(join(path, 'both.txt'), 'mine');
      await present().commit(path, 'mine');
      await present().commitOnMain(repository, 'both.txt', 'theirs');
      expect(await workspaces.bringToBase('eng-1')).toMatchObject({ behind: 1, conflicts: ['both.txt'] });
    });

    test('uncommitted changes are not moved, and are told', async () => {
      const { workspaces, repository, path, head } = await begin();
      const before = await head();
      writeFileSync(join(path, 'open.txt'), 'open');
      await present().commitOnMain(repository, 'open.txt', 'theirs');
      const standing = await workspaces.bringToBase('eng-1');
      expect(standing).toMatchObject({ ahead: 0, behind: 1, uncommitted: ['open.txt'], moved: false });
      expect(await head()).toBe(before);
    });

    test('where there is no workspace there is nothing to bring', async () => {
      expect(await (await present().open()).bringToBase('eng-1')).toBeUndefined();
    });
  });
}
