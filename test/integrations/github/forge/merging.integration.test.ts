/** Merging on GitHub: what its protection asks for, what it has not worked out yet, and what others do in between. */
import { describe, expect, test } from 'vitest';
import { NEVER, pullRequest, read } from '../../../ports/forge/conformance/forge-under-test.ts';
import { refusal } from '../../../ports/forge/refusal.ts';
import { useWorld } from './use-world.ts';
import { REPO, WRITER } from './world.ts';

const present = useWorld('one');

describe('protection', () => {
  test('names the approvals and checks that are missing, and merges once they are there', async () => {
    const { hand, github } = present();
    const forge = await present().fresh();
    const { people, checks } = github();
    people.protect(REPO, 'main', { requiredChecks: ['build', 'unit'], requiredApprovals: 1 });
    const { number, headSha } = await pullRequest(present(), forge, 'eng-1', { 'a.txt': 'a' });
    const at = { headSha, baseSha: await hand.baseSha() };
    checks.run(REPO, headSha, { name: 'build', conclusion: 'FAILURE' });
    const { message, ...fault } = await refusal(forge.merge(number, at));
    expect(fault).toMatchObject({ code: 'forge.protected', retryable: false });
    expect(message).toContain('1 approving review');
    expect(message).toContain('the check "build", which is failure');
    expect(message).toContain('the check "unit", which has not run');
    expect(await hand.baseSha()).toBe(at.baseSha);

    await people.review(WRITER, REPO, number, 'APPROVED');
    for (const name of ['build', 'unit']) checks.run(REPO, headSha, { name, conclusion: 'SUCCESS' });
    await forge.merge(number, at);
  });

  test('a token that could pass over it does not', async () => {
    const { hand, github } = present();
    const forge = await present().fresh();
    github().people.grant(REPO, 'legion', 'ADMIN');
    github().people.protect(REPO, 'main', { requiredApprovals: 2 });
    const { number, headSha } = await pullRequest(present(), forge, 'eng-1', { 'a.txt': 'a' });
    present().asked();
    const call = forge.merge(number, { headSha, baseSha: await hand.baseSha() });
    expect(await refusal(call)).toMatchObject({ code: 'forge.protected' });
    expect(present().asked(), 'it was not even tried').not.toContain('MergePullRequest');
  });

  test('a branch that must hold the newest base says so', async () => {
    const { hand, github } = present();
    const forge = await present().fresh();
    github().people.protect(REPO, 'main', { strict: true });
    const { number, headSha } = await pullRequest(present(), forge, 'eng-1', { 'a.txt': 'a' });
    github().people.protect(REPO, 'main', {});
    await present().hand.commit('eng-2', { 'b.txt': 'b' });
    const other = await pullRequest(present(), forge, 'eng-2', { 'c.txt': 'c' });
    await forge.merge(other.number, { headSha: other.headSha, baseSha: await hand.baseSha() });
    github().people.protect(REPO, 'main', { strict: true });
    const call = forge.merge(number, { headSha, baseSha: await hand.baseSha() });
    expect(await refusal(call)).toMatchObject({
      code: 'forge.protected',
      message: expect.stringContaining('newest base'),
    });
  });

  test('a required check that has not come yet is pending, not none', async () => {
    const forge = await present().fresh();
    const { people, checks } = present().github();
    people.protect(REPO, 'main', { requiredChecks: ['build'] });
    const { headSha } = await pullRequest(present(), forge, 'eng-1', { 'a.txt': 'a' });
    expect((await read(forge, 'eng-1')).ci).toBe('pending');
    checks.run(REPO, headSha, { name: 'lint', conclusion: 'SUCCESS' });
    expect((await read(forge, 'eng-1')).ci).toBe('pending');
    checks.status(REPO, headSha, 'build', 'SUCCESS');
    expect((await read(forge, 'eng-1')).ci).toBe('passing');
  });
});

describe('mergeability that is not known yet', () => {
  test('is asked for again until it is known', async () => {
    const { hand, github } = present();
    const forge = await present().fresh();
    github().faults.unknownMergeability(2);
    const { number, headSha } = await pullRequest(present(), forge, 'eng-1', { 'a.txt': 'a' });
    const { mergedSha } = await forge.merge(number, { headSha, baseSha: await hand.baseSha() });
    expect(await hand.baseSha()).toBe(mergedSha);
  });

  test('is given up after a bounded time, with nothing merged', async () => {
    const { hand, github, clock } = present();
    await present().make();
    // Time that passes at once: what is waited for never comes.
    const waits: number[] = [];
    const hasty = { ...clock, sleep: async (ms: number) => void waits.push(ms) };
    const forge = await present().open({ clock: hasty });
    github().faults.unknownMergeability(1_000);
    const { number, headSha } = await pullRequest(present(), forge, 'eng-1', { 'a.txt': 'a' });
    const baseSha = await hand.baseSha();
    waits.length = 0;
    expect(await refusal(forge.merge(number, { headSha, baseSha }))).toMatchObject({
      code: 'forge.mergeability_unknown',
      retryable: true,
    });
    expect(waits.reduce((sum, each) => sum + each, 0)).toBe(30_000);
    expect(await hand.baseSha()).toBe(baseSha);
  });
});

describe('others', () => {
  test('what somebody lands in the moment between the look and the merge is told', async () => {
    const { hand } = present();
    const first = await present().fresh();
    const { number, headSha } = await pullRequest(present(), first, 'eng-1', { 'a.txt': 'a' });
    const baseSha = await hand.baseSha();
    const client = present().client();
    let theirs = '';
    const beaten: typeof client = {
      ...client,
      async mutate(document, variables, how) {
        theirs = await hand.commitToBase({ 'b.txt': 'b' });
        return client.mutate(document, variables, how);
      },
    };
    const forge = await present().open({ client: beaten });
    const { mergedSha, note } = await forge.merge(number, { headSha, baseSha });
    expect(await hand.baseSha()).toBe(mergedSha);
    expect(note).toContain(theirs);
    expect(await hand.baseLength()).toBe(3);
  });

  test('what a person has merged is merged, and says as what', async () => {
    const { hand, github } = present();
    const forge = await present().fresh();
    const { number, headSha } = await pullRequest(present(), forge, 'eng-1', { 'a.txt': 'a' });
    const baseSha = await hand.baseSha();
    const merged = await github().people.merge(WRITER, REPO, number);
    expect(await forge.merge(number, { headSha, baseSha })).toEqual({ mergedSha: merged });
    const request = { issue: 'ENG-1', author: 'operator' };
    const revert = await forge.revert(number, request);
    expect(await read(forge, revert.branch)).toMatchObject({ changedFiles: ['a.txt'], deletions: 1 });
  });

  test('a squash commit closes the issue by the number GitHub knows it by', async () => {
    const { hand } = present();
    await present().make();
    const issueOf = () => ({ owner: 'acme', repo: 'app', number: 12 });
    const forge = await present().open({ issueOf });
    await hand.commit('eng-1', { 'a.txt': 'a' });
    const headSha = await forge.push('eng-1', hand.workspace('eng-1'));
    const text = { issue: 'acme-app-12', title: 'Greet', body: 'Says hello', draft: false, author: 'w' };
    const number = await forge.open('eng-1', text);
    const { mergedSha } = await forge.merge(number, { headSha, baseSha: await hand.baseSha() });
    const message = await hand.messageOf(mergedSha);
    expect(message).toContain('\n\nCloses acme/app#12\n\nLegion-Issue: acme-app-12\n');
    expect(message, 'the hidden mark stays on GitHub').not.toContain('<!--');
    expect((await forge.remarks(number, NEVER)).length).toBe(0);
  });
});
