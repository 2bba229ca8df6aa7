import { expect, test } from 'vitest';
import { stage } from '../e2e/support/legion.ts';

const begin = stage();

const RESET_S = 3;
const JITTER_S = 1;
/** A look, a start and a slow machine; others waited for hours. */
const PATIENCE_MS = 10_000;

test('a quota that is back in seconds ends the wait in seconds, over two restarts, and is no crash', async () => {
  const life = await begin({
    yaml: `limits: { per_mode: { implement: 0 } }\nhealth: { grace: 60s, quota_jitter: ${JITTER_S}s }\n`,
    scenario: [{ attempt: 1, steps: [{ rate_limited: { reset_in: `${RESET_S}s` } }, { exit: 1 }] }],
  });
  const id = await life.add({ status: 'Todo' });
  await life.untilEvents('it waits', (events) => events.some(({ type }) => type === 'attempt.waiting'));
  for (let restart = 0; restart < 2; restart += 1) {
    await life.stop();
    await life.start();
  }
  await life.untilStatus(id, 'In Progress');
  const events = await life.door.events();
  const [wait, ...waits] = events.filter((event) => event.type === 'attempt.waiting');
  const [, again, ...more] = events.filter((event) => event.type === 'attempt.dispatched');
  expect([waits, more, events.filter(({ type }) => type === 'attempt.crashed')]).toEqual([[], [], []]);
  const reset = wait?.until ?? Number.POSITIVE_INFINITY;
  expect(again?.at).toBeGreaterThanOrEqual(reset);
  expect(again?.at).toBeLessThan(reset + JITTER_S * 1_000 + PATIENCE_MS);
});
