/** Reading from GitHub: by branch and by issue, what cannot be read, and what is not known yet. */
import { describe, expect, test } from 'vitest';
import { NEVER, pullRequest, read, TEXT } from '../../../ports/forge/conformance/forge-under-test.ts';
import { eventually } from '../../../ports/forge/eventually.ts';
import { git } from '../../../ports/forge/git.ts';
import { refusal } from '../../../ports/forge/refusal.ts';
import { useWorld } from './use-world.ts';
import { REPO, WRITER } from './world.ts';

const present = useWorld('one');

/** A branch on GitHub with a commit of its own, without a workspace. */
async function branchOnGithub(name: string): Promise<void> {
  const bare = present().github().people.folder(REPO);
  const tree = await git(bare, 'rev-parse', 'main^{tree}');
  const commit = await git(bare, 'commit-tree', tree, '-p', 'main', '-m', name);
  await git(bare, 'update-ref', `refs/heads/${name}`, commit);
}

describe('which pull request', () => {
  test('one that says it closes the issue counts where its branch has none, under the branch that was asked for', async () => {
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
    expect(await read(forge, 'eng-1'), 'found again by a digest').toMatchObject({ number });
    const heard: string[] = [];
    forge.subscribe((branch) => heard.push(branch));
    await forge.label(number, { add: ['bug'], remove: [] });
    await eventually('a hint', () => heard.find((branch) => branch === 'eng-1'));
    expect(await read(forge, 'eng-1')).toMatchObject({ labels: ['bug'] });
    await people.merge(WRITER, REPO, number);
    expect(await read(forge, 'eng-1')).toMatchObject({ number, state: 'merged' });
    // Its own branch's comes first.
    const { number: own } = await pullRequest(present(), forge, 'eng-1', { 'a.txt': 'a' });
    expect(await read(forge, 'eng-1')).toMatchObject({ number: own, branch: 'eng-1' });
  });

  test('one attached to the issue counts where its branch has none; those of other numbers or bases do not', async () => {
    await present().make();
    const { people } = present().github();
    await branchOnGithub('ada/eng-1-greet');
    await branchOnGithub('other-base');
    const text = { title: 'By hand', body: '' };
    const number = await people.pullRequest(WRITER, REPO, { ...text, head: 'ada/eng-1-greet' });
    const attached = (branch: string) => (branch === 'ENG-1' ? [number, 98, 99, 1_000_000] : []);
    const forge = await present().open({ attached });
    const found = await forge.pullRequests(['ENG-1', 'ENG-2'], NEVER);
    // The newest three of the issue's are asked for: what is attached and gone must not hide what is there.
    expect([...found.keys()]).toEqual([]);
    const few = await present().open({ attached: (branch) => (branch === 'ENG-1' ? [number, 99] : []) });
    expect(await read(few, 'ENG-1')).toMatchObject({ number, branch: 'ada/eng-1-greet', author: WRITER });
    expect([...(await few.pullRequests(['ENG-1', 'ENG-2'], NEVER)).keys()]).toEqual(['ENG-1']);
    await people.merge(WRITER, REPO, number);
    expect(await read(few, 'ENG-1')).toMatchObject({ number, state: 'merged' });
  });

  test('an issue that is gone has no pull request, and hides none', async () => {
    await present().make();
    const forge = await present().open({ issueOf: () => ({ owner: 'acme', repo: 'app', number: 99 }) });
    await pullRequest(present(), forge, 'eng-1', { 'a.txt': 'a' });
    expect([...(await forge.pullRequests(['eng-1', 'eng-2'], NEVER)).keys()]).toEqual(['eng-1']);
  });

  test('after its branch was deleted a new one is opened when the branch is back', async () => {
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

  test('the open one among many that were merged, also behind the first page', async () => {
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

describe('what cannot be read', () => {
  test('an error of one pull request leaves it unknown, and the others as they are', async () => {
    const { github } = present();
    const forge = await present().fresh();
    for (const branch of ['eng-1', 'eng-2', 'eng-3'])
      await pullRequest(present(), forge, branch, { [`${branch}.txt`]: branch });
    github().faults.next({ matching: 'PullRequests', times: 2, answer: { partial: true } });
    const found = await forge.pullRequests(['eng-1', 'eng-2', 'eng-3'], NEVER);
    expect([...found.values()].filter((each) => each === 'unknown')).toHaveLength(1);
    expect([...found.values()].filter((each) => typeof each === 'object')).toHaveLength(2);
    // Half an answer is not remembered.
    const again = await forge.pullRequests(['eng-1', 'eng-2', 'eng-3'], NEVER);
    expect([...again.values()].map((each) => typeof each)).toEqual(['object', 'object', 'object']);
  });

  test('an outage is a fault that passes, not an empty board', async () => {
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

describe('a look that fails', () => {
  test('asks for fewer at once the next time, and for more again after that', async () => {
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

describe('what changes while it is looked at', () => {
  test('twice within one of GitHub’s seconds is seen both times', async () => {
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

describe('what is not known yet', () => {
  test('mergeability that GitHub works out is unknown, and a hint follows by itself', async () => {
    const forge = await present().fresh();
    present().github().faults.unknownMergeability(1);
    const heard: string[] = [];
    await pullRequest(present(), forge, 'eng-1', { 'a.txt': 'a' });
    forge.subscribe((branch) => heard.push(branch));
    expect(await read(forge, 'eng-1')).toMatchObject({ mergeable: 'unknown' });
    await eventually('a hint', () => heard.find((branch) => branch === 'eng-1'));
    expect(await read(forge, 'eng-1')).toMatchObject({ mergeable: 'mergeable' });
  });

  test('a renamed file among a hundred others is there by both of its names', async () => {
    const forge = await present().fresh();
    const many = Object.fromEntries(Array.from({ length: 120 }, (_, at) => [`many/${at}.txt`, `${at}\n`]));
    await pullRequest(present(), forge, 'eng-1', many);
    const { changedFiles, additions } = await read(forge, 'eng-1');
    expect({ files: changedFiles.length, additions }).toEqual({ files: 120, additions: 120 });
  });
});
