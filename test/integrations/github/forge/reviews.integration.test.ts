/** Which reviews count, where workers and people share accounts and where they do not. */
import { describe, expect, test } from 'vitest';
import { reviewVerdict } from '../../../../src/core/model/pull-request.ts';
import { markReview } from '../../../../src/integrations/github/forge/legion-marks.ts';
import type { Forge } from '../../../../src/ports/forge.ts';
import { APPROVAL, NEVER, pullRequest, read } from '../../../ports/forge/conformance/forge-under-test.ts';
import { useWorld } from './use-world.ts';
import { IMPL, LEGION, OUTSIDER, REPO, REVIEW, type World, WRITER } from './world.ts';

const FILES = { 'a.txt': 'a' };

/** The verdict at the head, as the decision sees it; every read in full. */
async function verdict(world: World, forge: Forge): Promise<string> {
  world.tell('eng-1');
  const { reviews, headSha } = await read(forge, 'eng-1');
  return reviewVerdict(reviews, (sha) => sha === headSha);
}

const approvalBy = (reviewer: string, sha: string) =>
  markReview('Fine', { reviewer, verdict: 'approved', sha });

describe('with one account for everything', () => {
  const present = useWorld('one');

  test('a review is a comment of the commit, with a label; GitHub’s own would be refused', async () => {
    const forge = await present().fresh();
    const { number, headSha } = await pullRequest(present(), forge, 'eng-1', FILES);
    await forge.review(number, { ...APPROVAL, sha: headSha });
    const [seen] = present().github().snapshot().pullRequests;
    expect(seen).toMatchObject({
      author: LEGION,
      labels: ['worker-approved'],
      reviews: [{ author: LEGION, state: 'COMMENTED', sha: headSha }],
    });
    expect(await verdict(present(), forge)).toBe('approved');
    expect(await forge.remarks(number, NEVER)).toMatchObject([{ kind: 'approved', by: APPROVAL.reviewer }]);
  });

  test('the label alone counts for nothing; who takes it away dismisses the review', async () => {
    const { github } = present();
    const forge = await present().fresh();
    const { number, headSha } = await pullRequest(present(), forge, 'eng-1', FILES);
    github().people.label(WRITER, REPO, number, { add: ['worker-approved'] });
    expect(await verdict(present(), forge)).toBe('none');
    await forge.review(number, { ...APPROVAL, sha: headSha });
    expect(await verdict(present(), forge)).toBe('approved');
    github().people.label(WRITER, REPO, number, { remove: ['worker-approved'] });
    expect(await verdict(present(), forge)).toBe('none');
  });

  test('a mark that somebody else wrote is not Legion’s', async () => {
    const { github } = present();
    const forge = await present().fresh();
    const { number, headSha } = await pullRequest(present(), forge, 'eng-1', FILES);
    github().people.label(WRITER, REPO, number, { add: ['worker-approved'] });
    await github().people.review(WRITER, REPO, number, 'COMMENTED', approvalBy('eng-1-review', headSha));
    github().people.comment(OUTSIDER, REPO, number, approvalBy('eng-1-review', headSha));
    expect(await verdict(present(), forge)).toBe('none');
  });

  test('of two workers each has its own word, and the label of one stays while it is the other’s', async () => {
    const { github } = present();
    const forge = await present().fresh();
    const { number, headSha: sha } = await pullRequest(present(), forge, 'eng-1', FILES);
    await forge.review(number, { ...APPROVAL, reviewer: 'first', verdict: 'changes_requested', sha });
    await forge.review(number, { ...APPROVAL, reviewer: 'second', sha });
    expect(await verdict(present(), forge)).toBe('changes_requested');
    await forge.review(number, { ...APPROVAL, reviewer: 'first', sha });
    expect(await verdict(present(), forge)).toBe('approved');
    expect(github().snapshot().pullRequests[0]?.labels).toEqual(['worker-approved']);
  });

  test('a person who may write is heard beside the worker; one who may not is not', async () => {
    const forge = await present().fresh();
    const { people } = present().github();
    const { number, headSha: sha } = await pullRequest(present(), forge, 'eng-1', FILES);
    await people.review(OUTSIDER, REPO, number, 'CHANGES_REQUESTED', 'No');
    expect(await verdict(present(), forge)).toBe('none');
    await forge.review(number, { ...APPROVAL, sha });
    await people.review(WRITER, REPO, number, 'CHANGES_REQUESTED', 'Not like this');
    expect(await verdict(present(), forge)).toBe('changes_requested');
    await people.review(WRITER, REPO, number, 'APPROVED');
    expect(await verdict(present(), forge)).toBe('approved');
  });
});

describe('with accounts of roles', () => {
  const present = useWorld('roles');

  test('a review is GitHub’s own, by the account that reviews, and without a label', async () => {
    const forge = await present().fresh();
    const { number, headSha } = await pullRequest(present(), forge, 'eng-1', FILES);
    await forge.review(number, { ...APPROVAL, verdict: 'changes_requested', sha: headSha });
    await forge.review(number, { ...APPROVAL, sha: headSha });
    expect(present().github().snapshot().pullRequests).toMatchObject([
      {
        author: IMPL,
        labels: [],
        reviews: [
          { author: REVIEW, state: 'CHANGES_REQUESTED', sha: headSha },
          { author: REVIEW, state: 'APPROVED', sha: headSha },
        ],
      },
    ]);
    expect(await verdict(present(), forge)).toBe('approved');
  });

  test('of two workers behind one account each has its own word', async () => {
    const forge = await present().fresh();
    const { number, headSha: sha } = await pullRequest(present(), forge, 'eng-1', FILES);
    await forge.review(number, { ...APPROVAL, reviewer: 'first', verdict: 'changes_requested', sha });
    await forge.review(number, { ...APPROVAL, reviewer: 'second', sha });
    expect(await verdict(present(), forge)).toBe('changes_requested');
  });

  test('who implements cannot approve by a mark and a label', async () => {
    const { github } = present();
    const forge = await present().fresh();
    const { number, headSha } = await pullRequest(present(), forge, 'eng-1', FILES);
    github().people.label(IMPL, REPO, number, { add: ['worker-approved'] });
    await github().people.review(IMPL, REPO, number, 'COMMENTED', approvalBy('eng-1-review', headSha));
    expect(await verdict(present(), forge)).toBe('none');
  });
});
