import { expect, test } from 'vitest';
import { LegionError } from '../../../src/core/model/fault.ts';
import { startWakeableLoop, type WakeableLoop } from '../../../src/lib/async/wakeable-loop.ts';
import { settled, VirtualClock } from '../../support/virtual-clock.ts';

test('runs a pass immediately, then another after the delay that the pass returned', async () => {
  const { clock, passes, reconciler } = start();
  await settled();
  expect(passes).toEqual([false]);
  await clock.advance(29_999);
  expect(passes).toHaveLength(1);
  await clock.advance(1);
  expect(passes).toEqual([false, false]);
  await reconciler.stop();
});

test('when woken, runs a pass immediately, and runs only one pass for any number of wake-ups', async () => {
  const { passes, reconciler } = start();
  await settled();
  for (let times = 0; times < 100; times += 1) reconciler.wake();
  await settled();
  expect(passes).toEqual([false, true]);
  await reconciler.stop();
});

test('runs another pass immediately if the loop is woken during a pass', async () => {
  const gate = Promise.withResolvers<void>();
  const { passes, reconciler } = start(() => gate.promise);
  await settled();
  reconciler.wake();
  await settled();
  expect(passes).toEqual([false]);
  gate.resolve();
  await settled();
  expect(passes).toEqual([false, true]);
  await reconciler.stop();
});

test('continues after a failed pass, with a backoff of up to 30 s', async () => {
  const troubles: unknown[] = [];
  const { clock, reconciler } = start(() => Promise.reject(new Error('tracker away')), troubles);
  const rests: (number | undefined)[] = [];
  for (let failure = 0; failure < 7; failure += 1) {
    await settled();
    rests.push(clock.nextIn);
    await clock.advance(clock.nextIn ?? 0);
  }
  expect(rests).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  expect(troubles.length).toBeGreaterThanOrEqual(7);
  await reconciler.stop();
});

test('waits until the retry time that a service specifies, but at most 15 minutes', async () => {
  let retryAt = 120_000;
  const refused = async () => {
    await settled(); // the clock exists only after the first pass has begun
    throw new LegionError('linear.rate_limited', 'too many', { retryAt: clock.now() + retryAt });
  };
  const { clock, passes, reconciler } = start(refused, []);
  await settled();
  await settled();
  expect(clock.nextIn).toBe(120_000);
  retryAt = 3_600_000;
  await clock.advance(120_000);
  await settled();
  await settled();
  expect(clock.nextIn).toBe(900_000);
  reconciler.wake();
  await settled();
  expect(passes, 'a wake-up does not wait').toHaveLength(3);
  await reconciler.stop();
});

test('resets the backoff after a successful pass', async () => {
  let fails = true;
  const { clock, reconciler } = start(
    () => (fails ? Promise.reject(new Error('away')) : Promise.resolve()),
    [],
  );
  await settled();
  await clock.advance(1_000);
  fails = false;
  await clock.advance(2_000);
  fails = true;
  await clock.advance(30_000);
  expect(clock.nextIn).toBe(1_000);
  await reconciler.stop();
});

test('stops after the running pass and leaves no pending sleep behind', async () => {
  const gate = Promise.withResolvers<void>();
  const { clock, passes, reconciler } = start(() => gate.promise);
  await settled();
  const stopping = reconciler.stop();
  reconciler.wake();
  gate.resolve();
  await stopping;
  await clock.advance(1_000_000);
  expect(passes).toEqual([false]);
  expect(clock.nextIn).toBeUndefined();
});

function start(work: () => Promise<void> = () => Promise.resolve(), troubles?: unknown[]) {
  const clock = new VirtualClock();
  const passes: boolean[] = [];
  const reconciler: WakeableLoop = startWakeableLoop({
    clock,
    async pass(woken) {
      passes.push(woken);
      await work();
      return 30_000;
    },
    onError(error) {
      if (troubles === undefined) throw error;
      troubles.push(error);
    },
  });
  return { clock, passes, reconciler };
}
