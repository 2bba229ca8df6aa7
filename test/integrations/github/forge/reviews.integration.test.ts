/** Tests which reviews are valid, both with one shared account and with separate accounts. */
import { describe, expect, test } from 'vitest';
import { judgeReviews } from '../../../../src/core/model/pull-request.ts';
import { markReview } from '../../../../src/integrations/github/forge/legion-marks.ts';
import type { Forge } from '../../../../src/ports/forge.ts';
import { APPROVAL, NEVER, pullRequest, read } from '../../../ports/forge/conformance/forge-under-test.ts';
import { useWorld } from './use-world.ts';
import { IMPL, LEGION, OUTSIDER, REPO, REVIEW, type World, WRITER } from './world.ts';

const FILES = { 'a.txt': 'a' };

/** Returns the verdict on the head as the decision engine sees it, always from a full read. */
async function verdict(world: World, forge: Forge): Promise<string> {
  world.tell('eng-1');
  const { reviews, headSha } = await read(forge, 'eng-1');
  return judgeReviews(reviews, (sha) => sha === headSha);
}

const approvalBy = (reviewer: string, sha: string) =>
  markReview('Fine', { reviewer, verdict: 'approved', sha });

describe('with one account for everything', () => {
  const present = useWorld('one');

  test('a review is a comment on the commit plus a label, because GitHub would reject a native review', async () => {
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

  test('a label alone is not a review, and removing the label dismisses the review', async () => {
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

  test('a review marker written by another account is ignored', async () => {
    const { github } = present();
    const forge = await present().fresh();
    const { number, headSha } = await pullRequest(present(), forge, 'eng-1', FILES);
    github().people.label(WRITER, REPO, number, { add: ['worker-approved'] });
    await github().people.review(WRITER, REPO, number, 'COMMENTED', approvalBy('eng-1-review', headSha));
    github().people.comment(OUTSIDER, REPO, number, approvalBy('eng-1-review', headSha));
    expect(await verdict(present(), forge)).toBe('none');
  });

  test('two workers have separate reviews, and a label stays as long as either review needs it', async () => {
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

  test("besides the worker's review, a writer's review counts, but an outsider's does not", async () => {
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

describe('with role accounts', () => {
  const present = useWorld('roles');

  test('a review is a native GitHub review by the reviewing account, without a label', async () => {
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

  test('two workers behind one account have separate reviews', async () => {
    const forge = await present().fresh();
    const { number, headSha: sha } = await pullRequest(present(), forge, 'eng-1', FILES);
    await forge.review(number, { ...APPROVAL, reviewer: 'first', verdict: 'changes_requested', sha });
    await forge.review(number, { ...APPROVAL, reviewer: 'second', sha });
    expect(await verdict(present(), forge)).toBe('changes_requested');
  });

  test('an implementer cannot approve with a marker and a label', async () => {
    const { github } = present();
    const forge = await present().fresh();
    const { number, headSha } = await pullRequest(present(), forge, 'eng-1', FILES);
    github().people.label(IMPL, REPO, number, { add: ['worker-approved'] });
    await github().people.review(IMPL, REPO, number, 'COMMENTED', approvalBy('eng-1-review', headSha));
    expect(await verdict(present(), forge)).toBe('none');
  });
});
