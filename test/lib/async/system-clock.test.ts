import { expect, test } from 'vitest';
import { systemClock } from '../../../src/lib/async/system-clock.ts';

test('sleeps at least as long as requested', async () => {
  const begun = systemClock.monotonic();
  await systemClock.sleep(20);
  // Timers count whole milliseconds, so the measured time may be one millisecond short.
  expect(systemClock.monotonic() - begun).toBeGreaterThanOrEqual(19);
});

test('an aborted sleep rejects immediately and leaves no timer', async () => {
  const waking = new AbortController();
  const asleep = systemClock.sleep(1_000_000_000_000, waking.signal);
  waking.abort();
  await expect(asleep).rejects.toMatchObject({ name: 'AbortError' });
});

test('a sleep of zero or less returns immediately', async () => {
  await systemClock.sleep(0);
  await systemClock.sleep(-5);
});
