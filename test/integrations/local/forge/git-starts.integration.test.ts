/**
 * Counts the git processes that a pull request needs, because starting a process blocks the daemon.
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Forge } from '../../../../src/ports/forge.ts';
import { type CountingGit, countingGit } from '../../../git/counting-git.ts';
import { NEVER, read, TEXT, withLine } from '../../../ports/forge/conformance/forge-under-test.ts';
import { eventually } from '../../../ports/forge/eventually.ts';
import { git } from '../../../ports/forge/git.ts';
import { type World, world } from './world.ts';

const PASSED = { verdict: 'passed', name: 'unit', logTail: '' } as const;

describe('the local forge', () => {
  let here: World;
  let counting: CountingGit;
  beforeEach(async () => {
    here = world('ordinary');
    await here.make();
    counting = countingGit(here.folder);
  });
  afterEach(() => here.dispose());

  const open = (changes: Parameters<World['open']>[0] = {}) =>
    here.open({ environment: { ...here.options().environment, PATH: counting.PATH }, ...changes });

  async function openPullRequest(forge: Forge, branch: string): Promise<number> {
    await here.hand.commit(branch, { 'app.txt': withLine(2, branch) });
    await forge.push(branch, here.hand.workspace(branch));
    return forge.open(branch, TEXT);
  }

  test('starts no git process to push from a workspace of the repository', async () => {
    const forge = await open();
    await here.hand.commit('eng-1', { 'app.txt': withLine(2, 'mine') });
    await forge.pullRequests(['eng-1'], NEVER);
    counting.takeStarts();
    await forge.push('eng-1', here.hand.workspace('eng-1'));
    expect(counting.takeStarts()).toEqual([]);
  });

  test('starts one git process to read a pull request, and none while branch and base are unchanged', async () => {
    const forge = await open();
    counting.takeStarts();
    await openPullRequest(forge, 'eng-1');
    await read(forge, 'eng-1');
    expect(counting.takeStarts()).toEqual(['diff-tree']);
    await read(forge, 'eng-1');
    expect(counting.takeStarts()).toEqual([]);
  });

  test('starts two git processes to find obstacles before a merge, and five to merge', async () => {
    const forge = await open();
    const number = await openPullRequest(forge, 'eng-1');
    const { headSha, baseSha } = await read(forge, 'eng-1');
    // The repository is a copy, so git considers all files changed until it has checked them.
    await git(here.repository, 'status');
    await forge.obstacles?.('eng-1', NEVER);
    counting.takeStarts();
    expect(await forge.obstacles?.('eng-1', NEVER)).toEqual([]);
    expect(counting.takeStarts().toSorted()).toEqual(['read-tree', 'status']);
    await forge.merge(number, { headSha, baseSha });
    const starts = counting.takeStarts();
    // The commit is created in parallel with the search for obstacles.
    expect(starts.slice(0, 3).toSorted()).toEqual(['commit-tree', 'read-tree', 'status']);
    expect(starts.slice(3)).toEqual(['update-ref', 'read-tree']);
    // The merged pull request still reports the files that the branch changed.
    expect(await read(forge, 'eng-1')).toMatchObject({ state: 'merged', changedFiles: ['app.txt'] });
    expect(counting.takeStarts()).toEqual([]);
    expect(await git(here.repository, 'status', '--porcelain')).toBe('');
  });

  test('merges the same two commits in memory only once', async () => {
    const forge = await open();
    const number = await openPullRequest(forge, 'eng-1');
    await here.hand.commitToBase({ 'other.txt': 'other' });
    const { headSha, baseSha } = await read(forge, 'eng-1');
    await forge.obstacles?.('eng-1', NEVER);
    await forge.merge(number, { headSha, baseSha });
    expect(counting.takeStarts().filter((command) => command === 'merge-tree')).toHaveLength(1);
    expect(await here.hand.readOnBase('other.txt')).toBe('other');
  });

  test('merges in memory again if garbage collection removed the first result', async () => {
    const forge = await open();
    const number = await openPullRequest(forge, 'eng-1');
    await here.hand.commitToBase({ 'other.txt': 'other' });
    const { headSha, baseSha } = await read(forge, 'eng-1');
    await git(here.repository, 'gc', '--quiet', '--prune=now');
    await forge.merge(number, { headSha, baseSha });
    expect(await here.hand.readOnBase('app.txt')).toBe(withLine(2, 'eng-1'));
  });

  test('starts one git process to check out a commit for CI', async () => {
    const forge = await open({ ci: { run: async () => PASSED } });
    for (const branch of ['eng-1', 'eng-2']) {
      counting.takeStarts();
      await openPullRequest(forge, branch);
      await eventually('CI', async () => ((await read(forge, branch)).ci === 'passing' ? true : undefined));
    }
    const forCi = counting.takeStarts().filter((command) => command === 'init' || command === 'checkout');
    expect(forCi).toEqual(['checkout']);
  });
});
