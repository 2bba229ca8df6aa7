import { expect, test } from 'vitest';
import { LegionError } from '../../../src/core/model/fault.ts';
import { watchPermissions } from '../../../src/daemon/preflight/preflight.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

const { signal } = new AbortController();
const MINUTE_MS = 60_000;

test('checks rarely while no permission is missing, and often while a permission is missing', async () => {
  const clock = new VirtualClock();
  let asked = 0;
  let missing: readonly string[] = [];
  const findMissing = watchPermissions(clock, [
    async () => {
      asked += 1;
      return missing;
    },
  ]);
  expect(await findMissing(signal)).toEqual([]);
  missing = ['it may not push'];
  await clock.advance(14 * MINUTE_MS);
  expect([await findMissing(signal), asked]).toEqual([[], 1]);
  await clock.advance(MINUTE_MS);
  expect([await findMissing(signal), asked]).toEqual([['it may not push'], 2]);
  missing = [];
  await clock.advance(20_000);
  expect([await findMissing(signal), asked]).toEqual([['it may not push'], 2]);
  await clock.advance(10_000);
  expect([await findMissing(signal), asked]).toEqual([[], 3]);
});

test('keeps the last known result while a service is unreachable, and checks again soon', async () => {
  const clock = new VirtualClock();
  let answer: readonly string[] | undefined = ['it may not push'];
  const findMissing = watchPermissions(clock, [
    async () => {
      if (answer === undefined) throw new LegionError('github.unavailable', 'away');
      return answer;
    },
  ]);
  await findMissing(signal);
  answer = undefined;
  await clock.advance(30_000);
  expect(await findMissing(signal)).toEqual(['it may not push']);
  answer = [];
  await clock.advance(30_000);
  expect(await findMissing(signal)).toEqual([]);
});
