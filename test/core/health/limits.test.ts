import { expect, test } from 'vitest';
import { DEFAULT_HEALTH_LIMITS, resolveHealthLimits } from '../../../src/core/health/limits.ts';

test('the default limits match the contract', () => {
  expect(DEFAULT_HEALTH_LIMITS).toMatchObject({
    notStarted: 300_000,
    thinking: 600_000,
    thinkingHard: 1_800_000,
    inTool: 7_200_000,
    reporting: 60_000,
    remind: 86_400_000,
    grace: 60_000,
    probeSilence: 120_000,
    respawns: 1,
    backoffFirst: 10_000,
    backoffMost: 300_000,
    backoffReset: 600_000,
    loopCrashes: 5,
    loopWindow: 1_800_000,
    breakerCrashes: 3,
    breakerWindow: 30_000,
    termToKill: 10_000,
    drain: 1_000,
  });
});

test('each limit can be set, and invalid values are replaced by the default', () => {
  expect(resolveHealthLimits({ thinking: 5, respawns: 0 })).toEqual({
    ...DEFAULT_HEALTH_LIMITS,
    thinking: 5,
    respawns: 0,
  });
  const strange = { thinking: Number.NaN, inTool: -1, grace: Number.POSITIVE_INFINITY };
  expect(resolveHealthLimits(strange)).toEqual(DEFAULT_HEALTH_LIMITS);
});

test("the daemon detects its own sleep before the sleep could be mistaken for a worker's silence", () => {
  expect(DEFAULT_HEALTH_LIMITS.watchGap).toBeLessThan(DEFAULT_HEALTH_LIMITS.probeSilence);
  expect(DEFAULT_HEALTH_LIMITS.watchGap).toBeGreaterThan(DEFAULT_HEALTH_LIMITS.heartbeat);
});
