/**
 * Tests that a branch without its own commits is moved to the newest base. Any other branch stays
 * in place, and Legion reports how far it is behind.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Present } from './workspaces-under-test.ts';

export function updating(present: Present): void {
  async function begin() {
    const workspaces = await present().open();
    const repository = await present().repository();
    const { path } = await workspaces.ensure('eng-1', repository);
    return { workspaces, repository, path, head: async () => (await workspaces.readStatus('eng-1'))?.head };
  }

  describe('bringing a workspace to the base', () => {
    test('moves a branch without its own commits to the newest base', async () => {
      const { workspaces, repository, path, head } = await begin();
      await present().commitOnMain(repository, 'one.txt', 'one');
      const newest = await present().commitOnMain(repository, 'two.txt', 'two');
      expect(await workspaces.bringToBase('eng-1')).toMatchObject({ ahead: 0, behind: 0, moved: true });
      expect(await head()).toBe(newest);
      expect(existsSync(join(path, 'two.txt'))).toBe(true);
      expect(await present().branchIn(path)).toBe('eng-1');
      expect(await workspaces.bringToBase('eng-1')).toMatchObject({ behind: 0, moved: false });
    });

    test('leaves a branch with commits in place, reports how far it is behind, and reports that it merges cleanly', async () => {
      const { workspaces, repository, path, head } = await begin();
      writeFileSync(join(path, 'mine.txt'), 'mine');
      const mine = await present().commit(path, 'mine');
      await present().commitOnMain(repository, 'theirs.txt', 'theirs');
      await present().commitOnMain(repository, 'more.txt', 'more');
      const baseComparison = await workspaces.bringToBase('eng-1');
      expect(baseComparison).toMatchObject({
        ahead: 1,
        behind: 2,
        conflicts: [],
        uncommitted: [],
        moved: false,
      });
      expect(baseComparison?.base).toMatch(/\bmain\b/);
      expect(await head()).toBe(mine);
    });

    test('reports the conflicting files', async () => {
      const { workspaces, repository, path } = await begin();
      writeFileSync(join(path, 'both.txt'), 'mine');
      await present().commit(path, 'mine');
      await present().commitOnMain(repository, 'both.txt', 'theirs');
      expect(await workspaces.bringToBase('eng-1')).toMatchObject({ behind: 1, conflicts: ['both.txt'] });
    });

    test('does not move a branch with uncommitted changes, and reports them', async () => {
      const { workspaces, repository, path, head } = await begin();
      const before = await head();
      writeFileSync(join(path, 'open.txt'), 'open');
      await present().commitOnMain(repository, 'open.txt', 'theirs');
      const baseComparison = await workspaces.bringToBase('eng-1');
      expect(baseComparison).toMatchObject({ ahead: 0, behind: 1, uncommitted: ['open.txt'], moved: false });
      expect(await head()).toBe(before);
    });

    test('does nothing if the workspace does not exist', async () => {
      expect(await (await present().open()).bringToBase('eng-1')).toBeUndefined();
    });
  });
}
