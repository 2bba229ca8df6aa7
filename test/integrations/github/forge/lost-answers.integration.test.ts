/** Tests that a retry detects a write whose response was lost, instead of repeating it. */
import { describe, expect, test } from 'vitest';
import { APPROVAL, pullRequest, read, TEXT } from '../../../ports/forge/conformance/forge-under-test.ts';
import { refusal } from '../../../ports/forge/refusal.ts';
import { useWorld } from './use-world.ts';
import type { World } from './world.ts';

const LOST = { answer: { reset: true }, executed: true } as const;
const REQUEST = { issue: 'ENG-1', author: 'operator' };

function pullRequestsOn(world: World) {
  return world.github().snapshot().pullRequests;
}

for (const accounts of ['one', 'roles'] as const) {
  describe(`after a lost response, with ${accounts === 'one' ? 'one account' : 'role accounts'},`, () => {
    const present = useWorld(accounts);

    test('opens only one pull request', async () => {
      const { hand, github } = present();
      const forge = await present().fresh();
      await hand.commit('eng-1', { 'a.txt': 'a' });
      await forge.push('eng-1', hand.workspace('eng-1'));
      github().faults.next({ matching: 'OpenPullRequest', ...LOST });
      const number = await forge.open('eng-1', TEXT);
      expect(pullRequestsOn(present())).toMatchObject(
        [{ number, head: 'eng-1' }].map(({ head }) => ({ head })),
      );
      expect(await read(forge, 'eng-1')).toMatchObject({ number });
    });

    test('posts a comment only once', async () => {
      const forge = await present().fresh();
      const { number } = await pullRequest(present(), forge, 'eng-1', { 'a.txt': 'a' });
      present()
        .github()
        .faults.next({ matching: 'LegionComments', ...LOST });
      await forge.comment(number, 'ready', 'All hold');
      await forge.comment(number, 'ready', 'All hold');
      expect(pullRequestsOn(present())[0]?.comments).toHaveLength(1);
    });

    test('submits a review only once', async () => {
      const forge = await present().fresh();
      const { number, headSha: sha } = await pullRequest(present(), forge, 'eng-1', { 'a.txt': 'a' });
      present()
        .github()
        .faults.next({ matching: 'ReviewPullRequest', ...LOST });
      await forge.review(number, { ...APPROVAL, sha });
      await forge.review(number, { ...APPROVAL, sha });
      expect(pullRequestsOn(present())[0]?.reviews).toHaveLength(1);
      expect(await read(forge, 'eng-1')).toMatchObject({ reviews: [{ verdict: 'approved', sha }] });
    });

    test('merges the pull request only once', async () => {
      const { hand, github } = present();
      const forge = await present().fresh();
      const { number, headSha } = await pullRequest(present(), forge, 'eng-1', { 'a.txt': 'a' });
      github().faults.next({ matching: 'MergePullRequest', ...LOST });
      const { mergedSha } = await forge.merge(number, { headSha, baseSha: await hand.baseSha() });
      expect(await hand.baseSha()).toBe(mergedSha);
      expect(await hand.baseLength()).toBe(2);
    });

    test('opens only one pull request for a revert', async () => {
      const { hand, github } = present();
      const forge = await present().fresh();
      const { number, headSha } = await pullRequest(present(), forge, 'eng-1', { 'a.txt': 'a' });
      await forge.merge(number, { headSha, baseSha: await hand.baseSha() });
      github().faults.next({ matching: 'OpenPullRequest', ...LOST });
      const revert = await forge.revert(number, REQUEST);
      expect(await forge.revert(number, REQUEST)).toEqual(revert);
      expect(pullRequestsOn(present())).toHaveLength(2);
    });
  });
}

describe('a failed write', () => {
  const present = useWorld('one');

  test('is reported as retryable and succeeds on retry', async () => {
    const { hand, github } = present();
    const forge = await present().fresh();
    const { number, headSha: sha } = await pullRequest(present(), forge, 'eng-1', { 'a.txt': 'a' });
    const at = { headSha: sha, baseSha: await hand.baseSha() };
    const calls: [string, () => Promise<unknown>][] = [
      ['LegionComments', () => forge.comment(number, 'key', 'text')],
      ['ReviewPullRequest', () => forge.review(number, { ...APPROVAL, sha })],
      ['MergePullRequest', () => forge.merge(number, at)],
    ];
    for (const [matching, call] of calls) {
      github().faults.next({ matching, answer: { status: 502 } });
      expect(await refusal(call()), matching).toMatchObject({ code: 'github.unavailable', retryable: true });
      await call();
    }
    expect(pullRequestsOn(present())).toMatchObject([{ state: 'MERGED', comments: [{}], reviews: [{}] }]);
  });

  test('is executed exactly once in the end, although three of ten responses are lost', async () => {
    const { hand, github } = present();
    const forge = await present().fresh();
    const seed = Math.floor(Math.random() * 2 ** 31);
    github().faults.loseWrites(0.3, seed);
    const insist = async <T>(call: () => Promise<T>): Promise<T> => {
      for (let times = 0; times < 20; times += 1) {
        try {
          return await call();
        } catch {
          // Retries, as the daemon does.
        }
      }
      throw new Error(`never succeeded, seed ${seed}`);
    };
    await hand.commit('eng-1', { 'a.txt': 'a' });
    const sha = await insist(() => forge.push('eng-1', hand.workspace('eng-1')));
    const number = await insist(() => forge.open('eng-1', TEXT));
    for (const key of ['one', 'two', 'three']) await insist(() => forge.comment(number, key, key));
    for (const round of [1, 2, 3]) await insist(() => forge.putComment(number, 'test', `Round ${round}`));
    await insist(() => forge.label(number, { add: ['bug'], remove: [] }));
    await insist(() => forge.review(number, { ...APPROVAL, sha }));
    const baseSha = await hand.baseSha();
    await insist(() => forge.merge(number, { headSha: sha, baseSha }));
    await insist(() => forge.revert(number, REQUEST));
    expect(await hand.baseLength(), `seed ${seed}`).toBe(2);
    const [first, ...others] = pullRequestsOn(present());
    expect(first, `seed ${seed}`).toMatchObject({
      state: 'MERGED',
      labels: expect.arrayContaining(['bug', 'worker-approved']),
      comments: [{}, {}, {}, { body: expect.stringMatching(/^Round 3\n/) }],
      reviews: [{}],
    });
    expect(others, `seed ${seed}`).toHaveLength(1);
  });
});
