import { expect, test } from 'vitest';
import { systemClock } from '../../../src/lib/async/system-clock.ts';

test('sleeps no shorter than asked', async () => {
  const begun = systemClock.monotonic();
  await systemClock.sleep(20);
  // Timers count whole milliseconds, so one of them may be missing at the edges.
  expect(systemClock.monotonic() - begun).toBeGreaterThanOrEqual(19);
});

test('a sleep that is aborted rejects at once and leaves no timer behind', async () => {
  const waking = new AbortController();
  const asleep = systemClock.sleep(1_000_000_000_000, waking.signal);
  waking.abort();
  await expect(asleep).rejects.toMatchObject({ name: 'AbortError' });
});

test('a sleep of nothing, or less, ends', async () => {
  await systemClock.sleep(0);
  await systemClock.sleep(-5);
});
