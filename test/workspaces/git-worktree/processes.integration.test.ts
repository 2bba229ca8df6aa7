/** Several processes make workspaces of one repository at once without getting into each other's way. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { git } from './git-command.ts';
import { startEnsurer } from './script.ts';
import { useGit } from './use-harness.ts';

const ISSUES = 50;
/** 50 creations in a row at about 0.1 s; a busy machine may need some times that. */
const TIMEOUT_MS = 120_000;

const present = useGit();

test(`two processes make ${ISSUES} workspaces at once, none twice and none failing`, {
  timeout: TIMEOUT_MS,
}, async () => {
  const { root, repository, open } = present();
  const folder = await repository();
  const issues = Array.from({ length: ISSUES }, (_, index) => `ENG-${index}`);
  // Every other issue is asked for by both.
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
