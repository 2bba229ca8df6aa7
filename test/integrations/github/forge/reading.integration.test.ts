/**
 * Tests reading pull requests from GitHub by branch and by issue, including unreadable data and
 * mergeability that is still unknown.
 */
import { describe, expect, test } from 'vitest';
import { NEVER, pullRequest, read, TEXT } from '../../../ports/forge/conformance/forge-under-test.ts';
import { eventually } from '../../../ports/forge/eventually.ts';
import { git } from '../../../ports/forge/git.ts';
import { refusal } from '../../../ports/forge/refusal.ts';
import { useWorld } from './use-world.ts';
import { REPO, WRITER } from './world.ts';

const present = useWorld('one');

/** Creates a branch with a commit on GitHub, without a workspace. */
async function branchOnGithub(name: string): Promise<void> {
  const bare = present().github().people.folder(REPO);
  const tree = await git(bare, 'rev-parse', 'main^{tree}');
  const commit = await git(bare, 'commit-tree', tree, '-p', 'main', '-m', name);
  await git(bare, 'update-ref', `refs/heads/${name}`, commit);
}

describe('choosing a pull request', () => {
  test('uses a pull request that closes the issue if the branch has none, and returns it under the requested branch', async () => {
    await present().make();
    const { people } = present().github();
    const issue = people.issue(REPO, { author: WRITER, title: 'Greet' });
    await branchOnGithub('by-hand');
    const text = { head: 'by-hand', title: 'By hand', body: `Fixes #${issue}` };
    const number = await people.pullRequest(WRITER, REPO, text);
    const issueOf = (branch: string) =>
      branch === 'eng-1' ? { owner: 'acme', repo: 'app', number: issue } : undefined;
    const forge = await present().open({ issueOf });
    expect(await read(forge, 'eng-1')).toMatchObject({ number, branch: 'by-hand', author: WRITER });
    present().asked();
    present().clock.advance(60_000);
    expect(await read(forge, 'eng-1'), 'the digest finds it again').toMatchObject({ number });
    const heard: string[] = [];
    forge.subscribe((branch) => heard.push(branch));
    await forge.label(number, { add: ['bug'], remove: [] });
    await eventually('a hint', () => heard.find((branch) => branch === 'eng-1'));
    expect(await read(forge, 'eng-1')).toMatchObject({ labels: ['bug'] });
    await people.merge(WRITER, REPO, number);
    expect(await read(forge, 'eng-1')).toMatchObject({ number, state: 'merged' });
    // The branch's own pull request takes precedence.
    const { number: own } = await pullRequest(present(), forge, 'eng-1', { 'a.txt': 'a' });
    expect(await read(forge, 'eng-1')).toMatchObject({ number: own, branch: 'eng-1' });
  });

  test('uses a pull request attached to the issue if the branch has none, and ignores attachments with an unknown number', async () => {
    await present().make();
    const { people } = present().github();
    await branchOnGithub('ada/eng-1-greet');
    await branchOnGithub('other-base');
    const text = { title: 'By hand', body: '' };
    const number = await people.pullRequest(WRITER, REPO, { ...text, head: 'ada/eng-1-greet' });
    const attached = (branch: string) => (branch === 'ENG-1' ? [number, 98, 99, 1_000_000] : []);
    const forge = await present().open({ attached });
    const found = await forge.pullRequests(['ENG-1', 'ENG-2'], NEVER);
    // Only the newest three attachments are read, and all three are unknown here, so no pull
    // request is found.
    expect([...found.keys()]).toEqual([]);
    const few = await present().open({ attached: (branch) => (branch === 'ENG-1' ? [number, 99] : []) });
    expect(await read(few, 'ENG-1')).toMatchObject({ number, branch: 'ada/eng-1-greet', author: WRITER });
    expect([...(await few.pullRequests(['ENG-1', 'ENG-2'], NEVER)).keys()]).toEqual(['ENG-1']);
    await people.merge(WRITER, REPO, number);
    expect(await read(few, 'ENG-1')).toMatchObject({ number, state: 'merged' });
  });

  test('finds no pull request for a deleted issue, but still finds those of other branches', async () => {
    await present().make();
    const forge = await present().open({ issueOf: () => ({ owner: 'acme', repo: 'app', number: 99 }) });
    await pullRequest(present(), forge, 'eng-1', { 'a.txt': 'a' });
    expect([...(await forge.pullRequests(['eng-1', 'eng-2'], NEVER)).keys()]).toEqual(['eng-1']);
  });

  test('opens a new pull request if a deleted branch is created again', async () => {
    const { hand } = present();
    const forge = await present().fresh();
    const { number } = await pullRequest(present(), forge, 'eng-1', { 'a.txt': 'a' });
    await hand.deleteBranch('eng-1');
    expect((await forge.pullRequests(['eng-1'], NEVER)).size).toBe(0);
    await hand.commit('eng-1', { 'c.txt': 'c' });
    await forge.push('eng-1', hand.workspace('eng-1'));
    const next = await forge.open('eng-1', TEXT);
    expect(next).toBeGreaterThan(number);
    expect(await read(forge, 'eng-1')).toMatchObject({ number: next });
  });

  test('finds the open pull request among many merged ones, even beyond the first page', async () => {
    await present().make();
    const { people } = present().github();
    await branchOnGithub('eng-1');
    const forge = await present().open();
    const numbers: number[] = [];
    for (let times = 0; times < 4; times += 1) {
      await branchOnGithub('eng-1');
      const number = await people.pullRequest(WRITER, REPO, { head: 'eng-1', title: 'Again', body: '' });
      numbers.push(number);
      await people.merge(WRITER, REPO, number);
    }
    expect(await read(forge, 'eng-1')).toMatchObject({ number: numbers.at(-1), state: 'merged' });
  });
});

describe('unreadable data', () => {
  test('makes only its own pull request unknown and leaves the others intact', async () => {
    const { github } = present();
    const forge = await present().fresh();
    for (const branch of ['eng-1', 'eng-2', 'eng-3'])
      await pullRequest(present(), forge, branch, { [`${branch}.txt`]: branch });
    github().faults.next({ matching: 'PullRequests', times: 2, answer: { partial: true } });
    const found = await forge.pullRequests(['eng-1', 'eng-2', 'eng-3'], NEVER);
    expect([...found.values()].filter((each) => each === 'unknown')).toHaveLength(1);
    expect([...found.values()].filter((each) => typeof each === 'object')).toHaveLength(2);
    // A partial response is not cached.
    const again = await forge.pullRequests(['eng-1', 'eng-2', 'eng-3'], NEVER);
    expect([...again.values()].map((each) => typeof each)).toEqual(['object', 'object', 'object']);
  });

  test('causes a retryable fault during an outage, not an empty result', async () => {
    const { github } = present();
    const forge = await present().fresh();
    await pullRequest(present(), forge, 'eng-1', { 'a.txt': 'a' });
    github().faults.outage(502);
    const call = forge.pullRequests(['eng-1'], NEVER);
    expect(await refusal(call)).toMatchObject({ code: 'github.unavailable', retryable: true });
    github().faults.outage(undefined);
    await read(forge, 'eng-1');
  });
});

describe('a failed read', () => {
  test('halves the size of the next batch, and a success doubles it again', async () => {
    const { github } = present();
    const forge = await present().fresh();
    const branches = Array.from({ length: 12 }, (_, at) => `eng-${at}`);
    github().faults.next({ matching: 'PullRequests', times: 2, answer: { status: 502 } });
    await refusal(forge.pullRequests(branches, NEVER));
    const look = async () => {
      present().asked();
      for (const branch of branches) present().tell(branch);
      await forge.pullRequests(branches, NEVER);
      return present().asked().length;
    };
    expect([await look(), await look()]).toEqual([2, 1]);
  });
});

describe('a change during a read', () => {
  test('is seen even if two changes happen within the same second, the resolution of GitHub’s times', async () => {
    const { github } = present();
    const forge = await present().fresh();
    const { number } = await pullRequest(present(), forge, 'eng-1', { 'a.txt': 'a' });
    const labels: string[] = [];
    for (const label of ['one', 'two', 'three', 'four', 'five']) {
      labels.push(label);
      github().people.label(WRITER, REPO, number, { add: [label] });
      expect((await read(forge, 'eng-1')).labels).toEqual(labels);
    }
  });
});

describe('reading a pull request', () => {
  test('reports mergeability as unknown while GitHub computes it, and emits a hint later', async () => {
    const forge = await present().fresh();
    present().github().faults.unknownMergeability(1);
    const heard: string[] = [];
    await pullRequest(present(), forge, 'eng-1', { 'a.txt': 'a' });
    forge.subscribe((branch) => heard.push(branch));
    expect(await read(forge, 'eng-1')).toMatchObject({ mergeable: 'unknown' });
    await eventually('a hint', () => heard.find((branch) => branch === 'eng-1'));
    expect(await read(forge, 'eng-1')).toMatchObject({ mergeable: 'mergeable' });
  });

  test('lists all 120 changed files', async () => {
    const forge = await present().fresh();
    const many = Object.fromEntries(Array.from({ length: 120 }, (_, at) => [`many/${at}.txt`, `${at}\n`]));
    await pullRequest(present(), forge, 'eng-1', many);
    const { changedFiles, additions } = await read(forge, 'eng-1');
    expect({ files: changedFiles.length, additions }).toEqual({ files: 120, additions: 120 });
  });
});
