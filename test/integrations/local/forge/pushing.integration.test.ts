/** Tests that a push from a clone never overwrites commits that were pushed from elsewhere. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Forge } from '../../../../src/ports/forge.ts';
import { pullRequest } from '../../../ports/forge/conformance/forge-under-test.ts';
import { git } from '../../../ports/forge/git.ts';
import { refusal } from '../../../ports/forge/refusal.ts';
import { type World, world } from './world.ts';

describe('a push from a clone', () => {
  let here: World;
  let forge: Forge;
  beforeEach(async () => {
    here = world('cloned');
    forge = await here.fresh();
  });
  afterEach(() => here.dispose());

  const workspace = () => here.hand.workspace('eng-1');
  const head = () => git(here.repository, 'rev-parse', 'eng-1');

  test('is rejected if the clone rewrote its history and someone else has moved the branch', async () => {
    await pullRequest(here, forge, 'eng-1', { 'a.txt': 'a' });
    const theirs = await git(
      here.repository,
      '-c',
      'user.name=x',
      'commit-tree',
      'eng-1^{tree}',
      '-p',
      'eng-1',
      '-m',
      'theirs',
    );
    await git(here.repository, 'update-ref', 'refs/heads/eng-1', theirs);
    await git(workspace(), 'commit', '--quiet', '--amend', '-m', 'rewritten');
    expect(await refusal(forge.push('eng-1', workspace()))).toMatchObject({
      code: 'forge.branch_moved',
      message: expect.stringContaining(theirs),
    });
    expect(await head()).toBe(theirs);
    await git(workspace(), 'pull', '--quiet', '--rebase', here.repository, 'eng-1');
    const sha = await forge.push('eng-1', workspace());
    expect(await git(here.repository, 'merge-base', '--is-ancestor', theirs, sha)).toBe('');
  });

  test('is rejected if the branch has other commits and was never pushed from this clone', async () => {
    await git(here.repository, 'branch', 'eng-1', 'main');
    const other = await git(here.repository, 'commit-tree', 'main^{tree}', '-p', 'main', '-m', 'other');
    await git(here.repository, 'update-ref', 'refs/heads/eng-1', other);
    await here.hand.commit('eng-1', { 'a.txt': 'a' });
    expect(await refusal(forge.push('eng-1', workspace()))).toMatchObject({ code: 'forge.branch_moved' });
    expect(await head()).toBe(other);
  });

  test('is rejected if a work tree of the repository has checked out the branch', async () => {
    await git(here.repository, 'worktree', 'add', '--quiet', '-b', 'eng-1', `${here.folder}/person`, 'main');
    await here.hand.commit('eng-1', { 'a.txt': 'a' });
    expect(await refusal(forge.push('eng-1', workspace()))).toMatchObject({
      code: 'forge.branch_checked_out',
      message: expect.stringContaining('person'),
    });
  });

  test('is rejected while HEAD is detached, as during a rebase; a later push transfers no other branch or tag', async () => {
    await here.hand.commit('eng-1', { 'a.txt': 'a' });
    await git(workspace(), 'tag', 'v1');
    await git(workspace(), 'branch', 'stowaway');
    await git(workspace(), 'checkout', '--quiet', '--detach');
    expect(await refusal(forge.push('eng-1', workspace()))).toMatchObject({
      code: 'forge.workspace_unusable',
    });
    await git(workspace(), 'checkout', '--quiet', 'eng-1');
    const sha = await forge.push('eng-1', workspace());
    expect(await git(here.repository, 'for-each-ref', '--format=%(refname) %(objectname)')).toBe(
      [
        `refs/heads/eng-1 ${sha}`,
        `refs/heads/main ${await here.hand.baseSha()}`,
        `refs/legion/pushed/eng-1 ${sha}`,
      ].join('\n'),
    );
  });

  test('does not allow opening a pull request for a history unrelated to the base', async () => {
    await here.hand.commit('eng-1', { 'a.txt': 'a' });
    await git(workspace(), 'checkout', '--quiet', '--orphan', 'fresh');
    await git(workspace(), 'commit', '--quiet', '-m', 'orphan');
    await git(workspace(), 'branch', '--quiet', '-M', 'eng-1');
    await forge.push('eng-1', workspace());
    const call = forge.open('eng-1', { issue: 'ENG-1', title: 't', body: '', draft: false, author: 'a' });
    expect(await refusal(call)).toMatchObject({
      code: 'forge.nothing_to_merge',
      message: expect.stringContaining('no history'),
    });
  });
});
