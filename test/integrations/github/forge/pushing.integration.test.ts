/** Tests pushing to GitHub: no commits are lost, no token leaks, and errors state the reason. */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { changeSince, pullRequest, read } from '../../../ports/forge/conformance/forge-under-test.ts';
import { git } from '../../../ports/forge/git.ts';
import { refusal } from '../../../ports/forge/refusal.ts';
import { useWorld } from './use-world.ts';
import { LEGION, REPO, type World } from './world.ts';

const present = useWorld('one');

/** Returns an environment that authenticates git. */
function signedIn(world: World, basic: string): Record<string, string> {
  return {
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: `http.${world.github().url}/.extraHeader`,
    GIT_CONFIG_VALUE_0: `Authorization: Basic ${basic}`,
  };
}

/** Commits to a branch on GitHub as another person. */
async function somebodyElse(world: World, branch: string): Promise<string> {
  const bare = world.github().people.folder(REPO);
  const tree = await git(bare, 'rev-parse', `${branch}^{tree}`);
  const sha = await git(bare, 'commit-tree', tree, '-p', branch, '-m', 'Theirs');
  await git(bare, 'update-ref', `refs/heads/${branch}`, sha);
  return sha;
}

describe('pushing', () => {
  test('never replaces commits pushed by others, even if the local history was rewritten or has diverged', async () => {
    const { hand } = present();
    const forge = await present().fresh();
    await pullRequest(present(), forge, 'eng-1', { 'a.txt': 'a' });
    const theirs = await somebodyElse(present(), 'eng-1');
    await hand.commit('eng-1', { 'b.txt': 'b' });
    const call = forge.push('eng-1', hand.workspace('eng-1'));
    expect(await refusal(call)).toMatchObject({ code: 'forge.branch_moved', retryable: false });
    await hand.commitToBase({ 'c.txt': 'c' });
    await hand.rebase('eng-1');
    expect(await refusal(forge.push('eng-1', hand.workspace('eng-1')))).toMatchObject({
      code: 'forge.branch_moved',
    });
    expect(await read(forge, 'eng-1')).toMatchObject({ headSha: theirs });
  });

  test('after a fetch, can add commits on top of those pushed by others; can compare their changes even before the fetch', async () => {
    const { hand, github } = present();
    const forge = await present().fresh();
    const { headSha } = await pullRequest(present(), forge, 'eng-1', { 'a.txt': 'a' });
    await somebodyElse(present(), 'eng-1');
    expect(await changeSince(forge, 'eng-1', headSha)).toMatchObject({ own: [], overlap: [] });
    await git(hand.workspace('eng-1'), 'pull', '--quiet', github().people.folder(REPO), 'eng-1');
    const next = await hand.commit('eng-1', { 'b.txt': 'b' });
    expect(await forge.push('eng-1', hand.workspace('eng-1'))).toBe(next);
  });

  test('works from a workspace that is a separate clone', async () => {
    const { github, folder } = present();
    const forge = await present().fresh();
    const workspace = join(folder, 'own-clone');
    await git(folder, 'clone', '--quiet', github().people.folder(REPO), workspace);
    await git(workspace, 'checkout', '--quiet', '-b', 'eng-1');
    await git(workspace, 'commit', '--quiet', '--allow-empty', '-m', 'Work');
    const sha = await git(workspace, 'rev-parse', 'HEAD');
    expect(await forge.push('eng-1', workspace)).toBe(sha);
    expect(await git(github().people.folder(REPO), 'rev-parse', 'eng-1')).toBe(sha);
  });
});

describe('push errors', () => {
  test('have separate faults for a protected branch, a missing permission, an outage and a wrong token', async () => {
    const { hand, github } = present();
    const forge = await present().fresh();
    await hand.commit('eng-1', { 'a.txt': 'a' });
    const push = () => forge.push('eng-1', hand.workspace('eng-1'));
    github().people.protect(REPO, 'eng-1', {});
    expect(await refusal(push())).toMatchObject({ code: 'forge.protected' });
    github().people.protect(REPO, 'other', {});
    github().faults.outage(503);
    expect(await refusal(push())).toMatchObject({ code: 'github.unavailable', retryable: true });
    github().faults.outage(undefined);
    await hand.commit('eng-2', { 'b.txt': 'b' });
    github().people.grant(REPO, LEGION, 'READ');
    const denied = forge.push('eng-2', hand.workspace('eng-2'));
    expect(await refusal(denied)).toMatchObject({ code: 'github.forbidden' });
    const access = async () => signedIn(present(), Buffer.from('x-access-token:wrong').toString('base64'));
    const stranger = await present().open({ access });
    const unknown = stranger.push('eng-2', hand.workspace('eng-2'));
    expect(await refusal(unknown)).toMatchObject({ code: 'github.unauthorized' });
  });
});

describe('the token', () => {
  test('appears in no file of the clone and in no command line', async () => {
    const { hand, clone, folder } = present();
    await present().make();
    // A wrapper around the real git that records its arguments.
    const log = join(folder, 'called.txt');
    await mkdir(join(folder, 'bin'));
    const real = (await promisify(execFile)('which', ['git'])).stdout.trim();
    const script = `#!/bin/sh\nprintf '%s\\n' "$*" >> '${log}'\nexec '${real}' "$@"\n`;
    await writeFile(join(folder, 'bin', 'git'), script, { mode: 0o755 });
    const { PATH, HOME } = process.env;
    const environment = { PATH: `${join(folder, 'bin')}:${PATH}`, HOME };
    const token = present().github().people.token(LEGION);
    const basic = Buffer.from(`x-access-token:${token}`).toString('base64');
    const forge = await present().open({ environment, access: async () => signedIn(present(), basic) });
    const { number, headSha } = await pullRequest(present(), forge, 'eng-1', { 'a.txt': 'a' });
    await forge.merge(number, { headSha, baseSha: await hand.baseSha() });
    await forge.revert(number, { issue: 'ENG-1', author: 'operator' });
    const called = readFileSync(log, 'utf8');
    expect(called).toContain(' push ');
    expect(called).toContain(' fetch ');
    for (const secret of [token, basic]) {
      expect(called).not.toContain(secret);
      for (const entry of readdirSync(clone, { recursive: true, withFileTypes: true })) {
        if (!entry.isFile()) continue;
        expect(readFileSync(join(entry.parentPath, entry.name), 'latin1')).not.toContain(secret);
      }
    }
  });
});
