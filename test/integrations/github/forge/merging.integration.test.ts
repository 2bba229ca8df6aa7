/** Tests merging on GitHub: branch protection, pending mergeability and concurrent changes. */
import { describe, expect, test } from 'vitest';
import { NEVER, pullRequest, read } from '../../../ports/forge/conformance/forge-under-test.ts';
import { refusal } from '../../../ports/forge/refusal.ts';
import { useWorld } from './use-world.ts';
import { REPO, WRITER } from './world.ts';

const present = useWorld('one');

describe('branch protection', () => {
  test('reports missing approvals and checks, and allows the merge once they are present', async () => {
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

  test('is respected even with a token that could bypass it', async () => {
    const { hand, github } = present();
    const forge = await present().fresh();
    github().people.grant(REPO, 'legion', 'ADMIN');
    github().people.protect(REPO, 'main', { requiredApprovals: 2 });
    const { number, headSha } = await pullRequest(present(), forge, 'eng-1', { 'a.txt': 'a' });
    present().asked();
    const call = forge.merge(number, { headSha, baseSha: await hand.baseSha() });
    expect(await refusal(call)).toMatchObject({ code: 'forge.protected' });
    expect(present().asked(), 'no merge was attempted').not.toContain('MergePullRequest');
  });

  test('reports a branch that must be up to date with its base', async () => {
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
      message: expect.stringContaining('up to date with the base'),
    });
  });

  test('reports CI as pending, not none, while a required check is missing', async () => {
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

describe('pending mergeability', () => {
  test('is polled until it is known', async () => {
    const { hand, github } = present();
    const forge = await present().fresh();
    github().faults.unknownMergeability(2);
    const { number, headSha } = await pullRequest(present(), forge, 'eng-1', { 'a.txt': 'a' });
    const { mergedSha } = await forge.merge(number, { headSha, baseSha: await hand.baseSha() });
    expect(await hand.baseSha()).toBe(mergedSha);
  });

  test('makes a merge give up after a limited time without merging anything', async () => {
    const { hand, github, clock } = present();
    await present().make();
    // The clock skips all waits, because mergeability stays unknown in this test.
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

describe('a merge on GitHub', () => {
  test('returns a note if another commit reaches the base between the check and the merge', async () => {
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

  test('returns the existing merge commit if a person has already merged', async () => {
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

  test('uses the issue’s GitHub number in the squash commit to close the issue', async () => {
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
    expect(message, 'the hidden marker stays on GitHub').not.toContain('<!--');
    expect((await forge.remarks(number, NEVER)).length).toBe(0);
  });
});
