import { expect, test } from 'vitest';
import { HEALTH_LIMITS, healthLimits } from '../../../src/health/limits.ts';

test('the numbers of the contract', () => {
  expect(HEALTH_LIMITS).toMatchObject({
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

test('each can be set, and what cannot be true is the default', () => {
  expect(healthLimits({ thinking: 5, respawns: 0 })).toEqual({ ...HEALTH_LIMITS, thinking: 5, respawns: 0 });
  const strange = { thinking: Number.NaN, inTool: -1, grace: Number.POSITIVE_INFINITY };
  expect(healthLimits(strange)).toEqual(HEALTH_LIMITS);
});

test('a sleep of the daemon is noticed before it could pass for the silence of a worker', () => {
  expect(HEALTH_LIMITS.watchGap).toBeLessThan(HEALTH_LIMITS.probeSilence);
  expect(HEALTH_LIMITS.watchGap).toBeGreaterThan(HEALTH_LIMITS.heartbeat);
});
