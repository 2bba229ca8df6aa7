/**
 * Tests the hints that request another read of unknown mergeability: their number is limited, and
 * their intervals grow.
 */
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createMergeabilityRecheck } from '../../../../src/integrations/github/forge/github-forge.ts';
import type { ForgePullRequest } from '../../../../src/ports/forge.ts';
import { settableClock } from '../../../ports/forge/clock.ts';

function seen(mergeable: ForgePullRequest['mergeable']): ReadonlyMap<string, ForgePullRequest> {
  return new Map([['eng-1', { mergeable } as ForgePullRequest]]);
}

test('while mergeability is unknown, emits hints after 2, 4, 8, 16 and 32 s; restarts the series when it becomes unknown again', async () => {
  const waits: number[] = [];
  const heard: string[] = [];
  const clock = { ...settableClock(), sleep: async (ms: number) => void waits.push(ms) };
  const { observe: saw } = createMergeabilityRecheck(
    clock,
    (branch) => heard.push(branch),
    new AbortController().signal,
  );
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

test('emits no hint after the forge is closed, even if mergeability was read as unknown several times', async () => {
  const heard: string[] = [];
  const closing = new AbortController();
  const { observe: saw } = createMergeabilityRecheck(
    settableClock(),
    (branch) => heard.push(branch),
    closing.signal,
  );
  for (let times = 0; times < 5; times += 1) saw(seen('unknown'));
  closing.abort();
  await setImmediate();
  expect(heard).toEqual([]);
});
