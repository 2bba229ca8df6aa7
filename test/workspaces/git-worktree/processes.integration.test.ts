/**
 * Tests that several processes create workspaces of one repository concurrently without conflicts.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { git } from './git-command.ts';
import { startEnsurer } from './script.ts';
import { useGit } from './use-harness.ts';

const ISSUES = 50;
/**
 * Time for 50 creations one after the other, of about 0.1 s each. A busy machine may need several
 * times as long.
 */
const TIMEOUT_MS = 120_000;

const present = useGit();

test(`two processes concurrently create ${ISSUES} workspaces, each of them exactly once, and without failures`, {
  timeout: TIMEOUT_MS,
}, async () => {
  const { root, repository, open } = present();
  const folder = await repository();
  const issues = Array.from({ length: ISSUES }, (_, index) => `ENG-${index}`);
  // Each process requests three quarters of the issues, so that half of the issues are requested by
  // both.
  const shares = [0, 1].map((half) => issues.filter((_, index) => index % 4 !== half * 2 + 1));
  const begun = performance.now();
  const ended = await Promise.all(shares.map((share) => startEnsurer('once', root, folder, share).ended));
  process.stdout.write(`${ISSUES} workspaces in ${Math.round(performance.now() - begun)} ms\n`);
  for (const { status, said } of ended) expect({ status, said }).toEqual({ status: 0, said: '' });

  const workspaces = await open();
  expect((await workspaces.list()).map(({ issue }) => issue)).toEqual([...issues].sort());
  expect(readdirSync(join(folder, '.git', 'worktrees'))).toHaveLength(ISSUES);
  expect(readdirSync(join(folder, '.git', 'legion-lock'))).toEqual([]);
  expect(await workspaces.prune(folder)).toEqual([]);
  await git(folder, 'fsck', '--no-dangling');
  for (const { path, branch } of await workspaces.list()) {
    expect(await git(path, 'status', '--porcelain', '--branch')).toBe(`## ${branch}`);
  }
});
