/** Tests commit lookups that do not start a process per lookup. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { countOnTop, createOneShotLookup, type ObjectLookup } from '../../src/git/lookup.ts';
import { createGitRunner } from '../../src/git/runner.ts';
import { git } from '../workspaces/git-worktree/git-command.ts';
import { useGit } from '../workspaces/git-worktree/use-harness.ts';

const present = useGit();
let folder: string;
let lookup: ObjectLookup;

beforeEach(async () => {
  folder = await present().repository();
  lookup = createOneShotLookup(createGitRunner({ environment: process.env }), join(folder, '.git'));
});

async function commit(message: string): Promise<string> {
  writeFileSync(join(folder, 'work.txt'), message);
  await git(folder, 'add', '--all');
  await git(folder, 'commit', '--quiet', '-m', message);
  return git(folder, 'rev-parse', 'HEAD');
}

test('counts the commits of a branch on top of its base', async () => {
  const base = await commit('base');
  const first = await commit('first');
  const second = await commit('second');
  expect(await countOnTop(lookup, base, base)).toBe(0);
  expect(await countOnTop(lookup, base, first)).toBe(1);
  expect(await countOnTop(lookup, base, second)).toBe(2);
  expect(await countOnTop(lookup, second, base)).toBeUndefined();
});

test('returns undefined for a branch with more than eight commits or with a merge', async () => {
  const base = await commit('base');
  for (let number = 1; number <= 8; number += 1) await commit(`work ${number}`);
  const eighth = await git(folder, 'rev-parse', 'HEAD');
  expect(await countOnTop(lookup, base, eighth)).toBe(8);
  expect(await countOnTop(lookup, base, await commit('work 9'))).toBeUndefined();
  await git(folder, 'checkout', '--quiet', '-b', 'other', eighth);
  writeFileSync(join(folder, 'other.txt'), 'other');
  await git(folder, 'add', '--all');
  await git(folder, 'commit', '--quiet', '-m', 'other');
  await git(folder, 'merge', '--quiet', '--no-ff', '-m', 'merge', 'main');
  expect(await countOnTop(lookup, eighth, await git(folder, 'rev-parse', 'HEAD'))).toBeUndefined();
});
