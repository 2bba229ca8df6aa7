import { expect, test } from 'vitest';
import { setUpDaemons } from '../e2e/support/legion.ts';

const startDaemon = setUpDaemons();

const RESET_S = 3;
const JITTER_S = 1;
/** Time for a reconcile pass and a worker start on a slow machine. */
const PATIENCE_MS = 10_000;

test('resumes seconds after a quota reset, across two restarts, without counting a crash', async () => {
  const daemon = await startDaemon({
    yaml: `limits: { per_mode: { implement: 0 } }\nhealth: { grace: 60s, quota_jitter: ${JITTER_S}s }\n`,
    scenario: [{ attempt: 1, steps: [{ rate_limited: { reset_in: `${RESET_S}s` } }, { exit: 1 }] }],
  });
  const id = await daemon.add({ status: 'Todo' });
  await daemon.untilEvents('it waits', (events) => events.some(({ type }) => type === 'attempt.waiting'));
  for (let restart = 0; restart < 2; restart += 1) {
    await daemon.stop();
    await daemon.start();
  }
  await daemon.untilStatus(id, 'In Progress');
  const events = await daemon.client.events();
  const [wait, ...waits] = events.filter((event) => event.type === 'attempt.waiting');
  const [, again, ...more] = events.filter((event) => event.type === 'attempt.dispatched');
  expect([waits, more, events.filter(({ type }) => type === 'attempt.crashed')]).toEqual([[], [], []]);
  const reset = wait?.until ?? Number.POSITIVE_INFINITY;
  expect(again?.at).toBeGreaterThanOrEqual(reset);
  expect(again?.at).toBeLessThan(reset + JITTER_S * 1_000 + PATIENCE_MS);
});
