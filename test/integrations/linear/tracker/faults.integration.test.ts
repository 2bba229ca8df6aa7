/** What goes wrong on Linear's side is told with a code, and leaves the board as it was known. */
import { expect, test } from 'vitest';
import { labels, put, SIGNAL } from '../../../ports/tracker/issues.ts';
import { WRITER } from './simulated.ts';
import { useSimulated } from './use-simulated.ts';

const stage = useSimulated();

async function board() {
  const { linear, team, tracker } = stage();
  const eng = team('ENG');
  for (let number = 1; number <= 120; number += 1)
    linear.people.issue('ENG', { creator: WRITER, title: `Issue ${number}`, state: 'Todo' });
  return { legion: await tracker(eng), eng, linear };
}

test('is opened while Linear is away, and lists once it is back', async () => {
  const { linear, team, tracker } = stage();
  const eng = team('ENG');
  linear.faults.outage('refused');
  const legion = await tracker(eng);
  expect([legion.budget?.(), legion.troubles(), legion.idOf('ENG-1')]).toEqual([undefined, [], undefined]);
  await expect(legion.list(SIGNAL)).rejects.toMatchObject({ code: 'linear.unavailable', retryable: true });
  linear.faults.outage(undefined);
  expect(await legion.list(SIGNAL)).toEqual([]);
});

test('a rate limit is told with the time it ends, by reads and by writes', async () => {
  const { legion, linear } = await board();
  const retryAt = stage().clock.now() + 90_000;
  const refused = { code: 'linear.rate_limited', retryable: true, retryAt };
  const calls = [
    () => legion.list(SIGNAL),
    () => legion.read('ENG-1', SIGNAL),
    () => legion.commentsSince('ENG-1', 0, SIGNAL),
    () => legion.write('ENG-1', labels(['worker-done'])),
    () => put(legion, 'key'),
  ];
  for (const call of calls) {
    linear.faults.next({ answer: { rateLimit: 'requests', resetsInSeconds: 90 } });
    await expect(call()).rejects.toMatchObject(refused);
  }
  expect(await legion.list(SIGNAL)).toHaveLength(120);
});

test('what is left of the budget is passed on', async () => {
  const { legion, linear } = await board();
  linear.faults.limits({ requests: { limit: 5_000, remaining: 100 } });
  await legion.list(SIGNAL);
  expect(legion.budget?.()).toMatchObject({ limit: 5_000, remaining: expect.any(Number) });
  expect(legion.budget?.()?.remaining).toBeLessThan(100);
});

test('half an answer is none: neither of the first read nor of a look at what has changed', async () => {
  const { legion, linear } = await board();
  linear.faults.next({ matching: 'BoardPage', answer: { partial: true } });
  await expect(legion.list(SIGNAL)).rejects.toMatchObject({ retryable: true });
  const first = await legion.list(SIGNAL);
  expect(first).toHaveLength(120);
  stage().pass(300);
  await legion.list(SIGNAL);
  linear.people.move(WRITER, 'ENG-7', 'Testing');
  linear.people.archive(WRITER, 'ENG-8');
  for (const answer of [{ partial: true }, { status: 503 }, { reset: true }] as const) {
    linear.faults.next({ matching: 'BoardChanges', answer });
    await expect(legion.list(SIGNAL)).rejects.toMatchObject({ retryable: true });
  }
  const then = await legion.list(SIGNAL);
  expect(then).toHaveLength(119);
  expect(then[6]).toMatchObject({ id: 'ENG-7', column: 'Testing' });
});

test('a team that is not there, or that the account may not see, is told as missing', async () => {
  const { linear, tracker } = stage();
  const secret = linear.people.team({ key: 'SEC', name: 'Secret', private: true });
  for (const team of [secret, '7b1c9c1e-2f5a-4d0e-9a54-0d9a4f6a2b11'])
    await expect((await tracker(team)).list(SIGNAL)).rejects.toMatchObject({
      code: expect.stringMatching(/^linear\.(?:missing|forbidden)$/),
      retryable: false,
    });
});

test('a list that is given up ends at once, and the next one is complete', async () => {
  const { legion, linear } = await board();
  linear.faults.next({ matching: 'BoardPage', answer: { timeout: true } });
  const given = new AbortController();
  const listing = legion.list(given.signal);
  const other = legion.list(SIGNAL);
  const reason = new Error('the daemon stops');
  setTimeout(() => given.abort(reason), 50);
  await expect(listing).rejects.toBe(reason);
  expect(await other).toHaveLength(120);
});
