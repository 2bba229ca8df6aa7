/** Hints for what GitHub is still working out come a bounded number of times, further and further apart. */
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { lookAgain } from '../../../../src/forges/github/look-again.ts';
import type { ForgePullRequest } from '../../../../src/ports/forge.ts';
import { settableClock } from '../../../ports/forge/clock.ts';

function seen(mergeable: ForgePullRequest['mergeable']): ReadonlyMap<string, ForgePullRequest> {
  return new Map([['eng-1', { mergeable } as ForgePullRequest]]);
}

test('2, 4, 8, 16 and 32 seconds later, then no more; once it is known, from the beginning', async () => {
  const waits: number[] = [];
  const heard: string[] = [];
  const clock = { ...settableClock(), sleep: async (ms: number) => void waits.push(ms) };
  const { saw } = lookAgain(clock, (branch) => heard.push(branch), new AbortController().signal);
  for (let times = 0; times < 9; times += 1) {
    saw(seen('unknown'));
    await setImmediate();
  }
  expect(waits).toEqual([2_000, 4_000, 8_000, 16_000, 32_000]);
  expect(heard).toHaveLength(5);
  saw(seen('mergeable'));
  saw(seen('unknown'));
  await setImmediate();
  expect(waits.at(-1)).toBe(2_000);
});

test('one hint is enough for many looks, and none comes after it was closed', async () => {
  const heard: string[] = [];
  const closing = new AbortController();
  const { saw } = lookAgain(settableClock(), (branch) => heard.push(branch), closing.signal);
  for (let times = 0; times < 5; times += 1) saw(seen('unknown'));
  closing.abort();
  await setImmediate();
  expect(heard).toEqual([]);
});
