import { expect, test } from 'vitest';
import { LegionError } from '../../../src/core/model/fault.ts';
import { type Reconciler, startReconciler } from '../../../src/lib/async/wakeable-loop.ts';
import { settled, VirtualClock } from '../../support/virtual-clock.ts';

test('passes at once, then again when the time the pass named has come', async () => {
  const { clock, passes, reconciler } = start();
  await settled();
  expect(passes).toEqual([false]);
  await clock.advance(29_999);
  expect(passes).toHaveLength(1);
  await clock.advance(1);
  expect(passes).toEqual([false, false]);
  await reconciler.stop();
});

test('passes at once when woken, and once for any number of wake-ups', async () => {
  const { passes, reconciler } = start();
  await settled();
  for (let times = 0; times < 100; times += 1) reconciler.wake();
  await settled();
  expect(passes).toEqual([false, true]);
  await reconciler.stop();
});

test('a wake-up during a pass leads to another pass right after it', async () => {
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

test('goes on after a failed pass, a little later each time, and not later than 30 s', async () => {
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

test('a service that names a time is asked again then, and within a quarter of an hour in any case', async () => {
  let retryAt = 120_000;
  const refused = async () => {
    await settled(); // the clock is there after the first pass has begun
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
  expect(passes, 'a wake-up is not kept waiting').toHaveLength(3);
  await reconciler.stop();
});

test('begins the back-off anew after a pass that worked', async () => {
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

test('stops after the pass that is under way, and leaves no sleeper behind', async () => {
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
  const reconciler: Reconciler = startReconciler({
    clock,
    async pass(woken) {
      passes.push(woken);
      await work();
      return 30_000;
    },
    onTrouble(error) {
      if (troubles === undefined) throw error;
      troubles.push(error);
    },
  });
  return { clock, passes, reconciler };
}
