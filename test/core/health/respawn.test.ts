import { describe, expect, test } from 'vitest';
import { type CrashFacts, decideRespawnStep } from '../../../src/core/health/respawn.ts';
import { ago, DAY, HOUR, MINUTE, NOW, SECOND } from './support/world.ts';

/**
 * Facts about a worker whose first crash was 10 s ago and for which everything that must precede a
 * new start is done.
 */
function crash(change: Partial<CrashFacts> = {}): CrashFacts {
  return {
    attempt: 1,
    failedAttempts: [{ startedAt: ago(5 * MINUTE), crashedAt: ago(10 * SECOND) }],
    remains: 'none',
    isBreakerOpen: false,
    session: 'resumable',
    hasCheckpoint: true,
    ...change,
  };
}

/** Creates `count` short attempts. The last one ended `endedAgo` ms ago. */
function createCrashes(count: number, endedAgo: number, length = MINUTE) {
  return Array.from({ length: count }, (_, index) => {
    const crashedAt = ago(endedAgo + (count - 1 - index) * HOUR);
    return { startedAt: crashedAt - length, crashedAt };
  });
}

const step = (change: Partial<CrashFacts>, limits = {}) => decideRespawnStep(crash(change), NOW, limits).step;

describe('the respawn decision', () => {
  test.each<[string, Partial<CrashFacts>, string]>([
    [
      'stops remaining processes of the crashed attempt before a new start',
      { remains: 'alive' },
      'stop_remains',
    ],
    [
      'also stops remaining processes of the crashed attempt before a pause',
      { remains: 'alive', failedAttempts: createCrashes(2, MINUTE) },
      'stop_remains',
    ],
    ['does not wait for a process that is recorded as a zombie', { remains: 'zombie' }, 'resume'],
    ['resumes the session of the crashed attempt instead of starting a new one', {}, 'resume'],
    ['never resumes a dead session', { session: 'dead' }, 'start_fresh'],
    ['waits while the breaker is open', { isBreakerOpen: true }, 'wait'],
  ])('%s', (_, change, expected) => {
    expect(step(change)).toBe(expected);
  });

  test('states whether a fresh session has a checkpoint', () => {
    const fresh = (hasCheckpoint: boolean) =>
      decideRespawnStep(crash({ session: 'dead', hasCheckpoint }), NOW, {});
    expect(fresh(true).why).toContain('its checkpoint in the prompt');
    expect(fresh(false).why).toContain('no checkpoint');
  });
});

describe('the respawn limit', () => {
  test('allows one respawn, then pauses and escalates to a person', () => {
    expect(step({ failedAttempts: createCrashes(1, MINUTE) })).toBe('resume');
    const second = decideRespawnStep(crash({ failedAttempts: createCrashes(2, MINUTE) }), NOW, {});
    expect(second).toMatchObject({ step: 'pause_and_escalate', until: 'person' });
    expect(second.why).toContain('2 times');
  });

  test('is configurable; with a limit of 0, the first crash causes a pause', () => {
    expect(step({ failedAttempts: createCrashes(1, MINUTE) }, { respawns: 0 })).toBe('pause_and_escalate');
    expect(step({ failedAttempts: createCrashes(3, HOUR) }, { respawns: 3 })).toBe('resume');
    expect(step({ failedAttempts: createCrashes(4, HOUR) }, { respawns: 3 })).toBe('pause_and_escalate');
  });

  test('is irrelevant after five crashes in 30 min, which always cause a pause', () => {
    const fast = (count: number) =>
      Array.from({ length: count }, (_, n) => ({
        startedAt: ago(29 * MINUTE),
        crashedAt: ago((count - n) * 5 * MINUTE),
      }));
    expect(step({ failedAttempts: fast(4) }, { respawns: 100 })).not.toBe('pause_and_escalate');
    expect(step({ failedAttempts: fast(5) }, { respawns: 100 })).toBe('pause_and_escalate');
  });

  test('is the default if the configured limit is invalid', () => {
    expect(step({ failedAttempts: createCrashes(2, MINUTE) }, { respawns: Number.NaN })).toBe(
      'pause_and_escalate',
    );
    expect(step({ failedAttempts: createCrashes(2, MINUTE) }, { respawns: Number.POSITIVE_INFINITY })).toBe(
      'pause_and_escalate',
    );
  });
});

describe('the backoff', () => {
  test('is 10, 20, 40, 80, 160, 300, 300 s', () => {
    const series = [1, 2, 3, 4, 5, 6, 7].map((count) => {
      const answer = decideRespawnStep(crash({ failedAttempts: createCrashes(count, 0) }), NOW, {
        respawns: 100,
      });
      return ((answer.lookAgainAt ?? 0) - NOW) / SECOND;
    });
    expect(series).toEqual([10, 20, 40, 80, 160, 300, 300]);
  });

  test('ends exactly at the announced time', () => {
    expect(step({ failedAttempts: createCrashes(1, 10 * SECOND - 1) })).toBe('wait');
    expect(step({ failedAttempts: createCrashes(1, 10 * SECOND) })).toBe('resume');
  });

  test('starts over at 10 s after an attempt that lasted at least 10 min', () => {
    const long = { startedAt: ago(HOUR), crashedAt: NOW };
    expect(
      decideRespawnStep(crash({ failedAttempts: [...createCrashes(5, DAY), long] }), NOW, { respawns: 100 })
        .lookAgainAt,
    ).toBe(NOW + 10 * SECOND);
    const older = [
      ...createCrashes(5, DAY),
      { startedAt: ago(2 * HOUR), crashedAt: ago(HOUR) },
      { startedAt: ago(MINUTE), crashedAt: NOW },
    ];
    expect(decideRespawnStep(crash({ failedAttempts: older }), NOW, { respawns: 100 }).lookAgainAt).toBe(
      NOW + 10 * SECOND,
    );
  });

  test('neither throws nor waits forever if the crash time is unreadable', () => {
    for (const crashedAt of [Number.NaN, Number.POSITIVE_INFINITY, NOW + DAY]) {
      expect(step({ failedAttempts: [{ startedAt: ago(HOUR), crashedAt }] })).toBe('resume');
    }
    expect(step({ failedAttempts: [] })).toBe('resume');
  });
});
