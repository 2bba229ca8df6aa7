/**
 * Tests how many git processes each workspace operation needs, because each fork blocks the daemon.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Workspaces } from '../../../src/ports/workspace.ts';
import { type CountingGit, countingGit } from '../../git/counting-git.ts';
import { git } from './git-command.ts';
import { useGit } from './use-harness.ts';

const present = useGit();

interface Counted {
  readonly counting: CountingGit;
  readonly repository: string;
  readonly workspaces: Workspaces;
}

/** Opens workspaces and first caches everything that is read only once per repository. */
async function openCounted(): Promise<Counted> {
  const { folder, openWith, repository: makeRepository } = present();
  const counting = countingGit(folder);
  const workspaces = await openWith({ environment: { PATH: counting.PATH } });
  const repository = await makeRepository();
  await workspaces.ensure('eng-0', repository);
  await workspaces.bringToBase('eng-0');
  counting.takeStarts();
  return { counting, repository, workspaces };
}

test('creates a workspace with one git process', async () => {
  const { counting, repository, workspaces } = await openCounted();
  await workspaces.ensure('eng-1', repository);
  expect(counting.takeStarts()).toEqual(['worktree']);
});

test('finds a workspace without starting a git process', async () => {
  const { counting, repository, workspaces } = await openCounted();
  await workspaces.ensure('eng-0', repository);
  expect(counting.takeStarts()).toEqual([]);
});

test('needs one git process to compare a workspace with its base while neither has changed', async () => {
  const { counting, repository, workspaces } = await openCounted();
  await workspaces.bringToBase('eng-0');
  expect(counting.takeStarts()).toEqual(['status']);
  const { path } = (await workspaces.find('eng-0')) ?? { path: '' };
  writeFileSync(join(path, 'work.txt'), 'work');
  await git(path, 'add', '--all');
  await git(path, 'commit', '--quiet', '-m', 'Work');
  await workspaces.bringToBase('eng-0');
  expect(counting.takeStarts()).toEqual(['status']);
  expect(await workspaces.bringToBase('eng-0')).toMatchObject({ ahead: 1, behind: 0 });
  expect(counting.takeStarts()).toEqual(['status']);
  expect(await git(repository, 'rev-parse', 'eng-0')).toBe(await git(path, 'rev-parse', 'HEAD'));
});

test('when the next worker starts, reuses the workspace state that was read for a report', async () => {
  const { counting, workspaces } = await openCounted();
  // On a busy machine the cached state may expire between the two calls.
  await expect
    .poll(
      async () => {
        counting.takeStarts();
        await workspaces.readStatus('eng-0');
        await workspaces.bringToBase('eng-0');
        return counting.takeStarts();
      },
      { timeout: 10_000 },
    )
    .toEqual(['status']);
  await workspaces.bringToBase('eng-0');
  expect(counting.takeStarts()).toEqual(['status']);
});

test('reads the workspace again if some time has passed since the report', async () => {
  const { workspaces } = await openCounted();
  const { path } = (await workspaces.find('eng-0')) ?? { path: '' };
  await workspaces.readStatus('eng-0');
  writeFileSync(join(path, 'late.txt'), 'written after the report');
  await sleep(150);
  expect(await workspaces.bringToBase('eng-0')).toMatchObject({ uncommitted: ['late.txt'] });
});

test("determines the base again when the remote's HEAD points to another branch", async () => {
  const { counting, repository, workspaces } = await openCounted();
  await git(repository, 'push', '--quiet', 'origin', 'origin/main:refs/heads/trunk');
  await git(repository, 'remote', 'set-head', 'origin', 'trunk');
  expect(await workspaces.bringToBase('eng-0')).toMatchObject({ base: 'origin/trunk' });
  counting.takeStarts();
  await workspaces.bringToBase('eng-0');
  expect(counting.takeStarts()).toEqual(['status']);
});

test('removes a merged workspace with five git processes', async () => {
  const { counting, repository, workspaces } = await openCounted();
  const { commit, squash } = present();
  const { path } = await workspaces.ensure('eng-1', repository);
  writeFileSync(join(path, 'work.txt'), 'work');
  await commit(path, 'Work');
  const mergedAs = await squash(repository, 'eng-1');
  counting.takeStarts();
  expect(await workspaces.remove('eng-1', { mergedAs })).toEqual({ removed: true });
  const starts = counting.takeStarts();
  expect(starts.toSorted()).toEqual(['ls-files', 'merge-base', 'merge-base', 'status', 'update-ref']);
});
