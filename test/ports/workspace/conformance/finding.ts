/**
 * Tests that existing workspaces are found, other directories are hidden, and unreadable ones cause
 * an error.
 */
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { refusal } from '../refusal.ts';
import type { Present } from './workspaces-under-test.ts';

/** Resolution of file times: the kernel stamps files with the time of its last clock tick. */
const CLOCK_GRAIN_MS = 10;
const SECOND_MS = 1_000;

export function finding(present: Present): void {
  describe('finding', () => {
    test('lists no workspaces in an empty root', async () => {
      const workspaces = await present().open();
      expect(await workspaces.list()).toEqual([]);
      expect(await workspaces.find('eng-1')).toBeUndefined();
    });

    test('finds and lists workspaces in issue order, even after a restart', async () => {
      const { open, repository, bareRepository } = present();
      const workspaces = await open();
      const [one, other] = [await repository(), await bareRepository()];
      const second = await workspaces.ensure('eng-2', one);
      const first = await workspaces.ensure('ENG-1', other);
      const again = await open();
      expect(await again.list()).toEqual([first, second]);
      expect(await again.find('eng-2')).toEqual(second);
      expect(await again.find('ENG-1')).toEqual(first);
      expect(await again.find('eng-1')).toBeUndefined();
    });

    test('reports the current commit and the uncommitted files', async () => {
      const { open, repository, commit } = present();
      const workspaces = await open();
      expect(await workspaces.readStatus('eng-1')).toBeUndefined();
      const { path } = await workspaces.ensure('eng-1', await repository());
      writeFileSync(join(path, 'new file.txt'), 'new');
      const head = await commit(path, 'one');
      expect(await workspaces.readStatus('eng-1')).toEqual({ head, uncommitted: [] });
      writeFileSync(join(path, 'README.md'), 'changed');
      writeFileSync(join(path, 'another file.txt'), 'new');
      expect(await workspaces.readStatus('eng-1')).toEqual({
        head,
        uncommitted: ['README.md', 'another file.txt'],
      });
    });

    test('reports the time of the last change: a commit, an edit, a new file even deep in a new directory, or a deletion', async () => {
      const { open, repository, commit } = present();
      const workspaces = await open();
      expect(await workspaces.changedAt('eng-1')).toBeUndefined();
      const { path } = await workspaces.ensure('eng-1', await repository());
      // Git stores commit times in whole seconds, and `changedAt` rounds them up.
      await sleep(SECOND_MS);
      let before = await workspaces.changedAt('eng-1');
      const changes: (() => unknown)[] = [
        () => writeFileSync(join(path, 'README.md'), 'changed'),
        () => writeFileSync(join(path, 'README.md'), 'changed'),
        () => mkdirSync(join(path, 'a', 'b'), { recursive: true }),
        () => writeFileSync(join(path, 'a', 'b', 'new.txt'), 'one'),
        () => writeFileSync(join(path, 'a', 'b', 'new.txt'), 'two'),
        () => rmSync(join(path, 'README.md')),
        () => commit(path, 'work'),
      ];
      // Git ignores an empty directory, so creating one is not a change.
      const unseen = changes[2];
      for (const change of changes) {
        await sleep(2 * CLOCK_GRAIN_MS);
        const begun = Date.now();
        await change();
        const after = await workspaces.changedAt('eng-1');
        if (change === unseen) expect(after).toBe(before);
        else expect(after).toBeGreaterThanOrEqual(begun - CLOCK_GRAIN_MS);
        expect(await workspaces.changedAt('eng-1')).toBe(after);
        before = after;
      }
    });

    test('does not find or list directories and files that are not workspaces', async () => {
      const { open, root } = present();
      const workspaces = await open();
      mkdirSync(join(root, 'eng-1'));
      writeFileSync(join(root, 'notes.txt'), 'mine');
      expect(await workspaces.list()).toEqual([]);
      expect(await workspaces.find('eng-1')).toBeUndefined();
    });

    test('fails if the root is missing, instead of returning an empty list', async () => {
      const { open, root } = present();
      const workspaces = await open();
      renameSync(root, `${root}-away`);
      expect(await refusal(workspaces.list())).toMatchObject({ code: 'workspace.unavailable' });
    });
  });
}
