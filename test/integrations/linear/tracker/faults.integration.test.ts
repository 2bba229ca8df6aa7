/** Tests that errors from Linear are reported with a code, and that the known board is kept. */
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

test('opens while Linear is unavailable, and lists the board once Linear is available again', async () => {
  const { linear, team, tracker } = stage();
  const eng = team('ENG');
  linear.faults.outage('refused');
  const legion = await tracker(eng);
  expect([legion.budget?.(), legion.problems(), legion.idOf('ENG-1')]).toEqual([undefined, [], undefined]);
  await expect(legion.list(SIGNAL)).rejects.toMatchObject({ code: 'linear.unavailable', retryable: true });
  linear.faults.outage(undefined);
  expect(await legion.list(SIGNAL)).toEqual([]);
});

test('reports a rate limit with its end time, on reads and writes', async () => {
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

test('reports the remaining budget', async () => {
  const { legion, linear } = await board();
  linear.faults.limits({ requests: { limit: 5_000, remaining: 100 } });
  await legion.list(SIGNAL);
  expect(legion.budget?.()).toMatchObject({ limit: 5_000, remaining: expect.any(Number) });
  expect(legion.budget?.()?.remaining).toBeLessThan(100);
});

test('rejects a partial response, on the first read and when reading changes', async () => {
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

test('reports a missing or invisible team', async () => {
  const { linear, tracker } = stage();
  const secret = linear.people.team({ key: 'SEC', name: 'Secret', private: true });
  for (const team of [secret, '7b1c9c1e-2f5a-4d0e-9a54-0d9a4f6a2b11'])
    await expect((await tracker(team)).list(SIGNAL)).rejects.toMatchObject({
      code: expect.stringMatching(/^linear\.(?:missing|forbidden)$/),
      retryable: false,
    });
});

test('ends an aborted list at once, and the next list is complete', async () => {
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
