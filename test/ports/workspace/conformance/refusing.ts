/**
 * Tests that directories that do not belong to Legion are never touched, and that a refusal
 * explains what to do.
 */
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { refusal } from '../refusal.ts';
import type { Present } from './workspaces-under-test.ts';

export function refusing(present: Present): void {
  describe('refusing', () => {
    test('neither uses nor removes a directory without the marker', async () => {
      const { open, root, repository } = present();
      const workspaces = await open();
      mkdirSync(join(root, 'eng-1'));
      writeFileSync(join(root, 'eng-1', 'mine.txt'), 'mine');
      const folder = await repository();
      expect(await refusal(workspaces.ensure('eng-1', folder))).toMatchObject({ code: 'workspace.foreign' });
      expect(await refusal(workspaces.remove('eng-1'))).toMatchObject({ code: 'workspace.foreign' });
      expect(readFileSync(join(root, 'eng-1', 'mine.txt'), 'utf8')).toBe('mine');
    });

    test('does not use an empty directory that Legion did not create', async () => {
      const { open, root, repository } = present();
      const workspaces = await open();
      mkdirSync(join(root, 'eng-1'));
      expect(await refusal(workspaces.ensure('eng-1', await repository()))).toMatchObject({
        code: 'workspace.foreign',
      });
      expect(readdirSync(join(root, 'eng-1'))).toEqual([]);
    });

    test('refuses a symbolic link in place of a workspace in every call', async () => {
      const { open, root, repository } = present();
      const workspaces = await open();
      const elsewhere = join(dirname(root), 'elsewhere');
      mkdirSync(elsewhere);
      writeFileSync(join(elsewhere, 'precious.txt'), 'precious');
      symlinkSync(elsewhere, join(root, 'eng-1'));
      const outside = { code: 'workspace.outside' };
      expect(await refusal(workspaces.ensure('eng-1', await repository()))).toMatchObject(outside);
      expect(await refusal(workspaces.find('eng-1'))).toMatchObject(outside);
      expect(await refusal(workspaces.remove('eng-1'))).toMatchObject(outside);
      expect(await workspaces.list()).toEqual([]);
      expect(readdirSync(elsewhere)).toEqual(['precious.txt']);
    });

    test('refuses a dangling link and a link to another workspace', async () => {
      const { open, root, repository } = present();
      const workspaces = await open();
      const folder = await repository();
      const { path } = await workspaces.ensure('eng-1', folder);
      symlinkSync(join(root, 'nowhere'), join(root, 'eng-2'));
      symlinkSync(path, join(root, 'eng-3'));
      for (const issue of ['eng-2', 'eng-3']) {
        expect(await refusal(workspaces.ensure(issue, folder))).toMatchObject({ code: 'workspace.outside' });
        expect(await refusal(workspaces.remove(issue))).toMatchObject({ code: 'workspace.outside' });
      }
      expect(await workspaces.list()).toHaveLength(1);
    });

    test('refuses a second workspace for the same issue in another repository', async () => {
      const { open, repository, bareRepository } = present();
      const workspaces = await open();
      await workspaces.ensure('eng-1', await repository());
      const call = workspaces.ensure('eng-1', await bareRepository());
      expect(await refusal(call)).toMatchObject({ code: 'workspace.other_repository' });
    });

    test('refuses an issue with the name of the base branch', async () => {
      const { open, repository } = present();
      const call = (await open()).ensure('main', await repository());
      expect(await refusal(call)).toMatchObject({ code: 'workspace.branch_taken' });
    });

    test('reports the path of a directory that is missing or not a repository', async () => {
      const { open, root } = present();
      const workspaces = await open();
      const plain = join(dirname(root), 'plain');
      mkdirSync(plain);
      for (const folder of [plain, join(plain, 'missing')]) {
        const fault = await refusal(workspaces.ensure('eng-1', folder));
        expect(fault.code).toBe('workspace.not_a_repository');
        expect(fault.message).toContain(folder);
      }
      expect(await workspaces.list()).toEqual([]);
    });
  });
}
