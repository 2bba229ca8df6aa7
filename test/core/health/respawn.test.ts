import { describe, expect, test } from 'vitest';
import { type CrashFacts, respawn } from '../../../src/health/respawn.ts';
import { ago, DAY, HOUR, MINUTE, NOW, SECOND } from './support/world.ts';

/** A first crash, 10 s ago, everything before the new start done. */
function crash(change: Partial<CrashFacts> = {}): CrashFacts {
  return {
    attempt: 1,
    lives: [{ startedAt: ago(5 * MINUTE), crashedAt: ago(10 * SECOND) }],
    remains: 'none',
    isBreakerOpen: false,
    session: 'resumable',
    hasCheckpoint: true,
    ...change,
  };
}

/** This many short lives, the last of them ended this long ago. */
function lives(count: number, endedAgo: number, length = MINUTE) {
  return Array.from({ length: count }, (_, index) => {
    const crashedAt = ago(endedAgo + (count - 1 - index) * HOUR);
    return { startedAt: crashedAt - length, crashedAt };
  });
}

const step = (change: Partial<CrashFacts>, limits = {}) => respawn(crash(change), NOW, limits).step;

describe('the order of the steps', () => {
  test.each<[string, Partial<CrashFacts>, string]>([
    ['what is left is stopped before anything new starts', { remains: 'alive' }, 'stop_remains'],
    [
      'what is left is stopped also before a pause',
      { remains: 'alive', lives: lives(2, MINUTE) },
      'stop_remains',
    ],
    ['a recorded zombie does not hold the worker up', { remains: 'zombie' }, 'resume'],
    ['the same session is resumed first', {}, 'resume'],
    ['a dead session is not resumed at all', { session: 'dead' }, 'start_fresh'],
    ['an open breaker holds the respawn', { isBreakerOpen: true }, 'wait'],
  ])('%s', (_, change, expected) => {
    expect(step(change)).toBe(expected);
  });

  test('a fresh session says whether it has a checkpoint to go by', () => {
    const fresh = (hasCheckpoint: boolean) => respawn(crash({ session: 'dead', hasCheckpoint }), NOW, {});
    expect(fresh(true).why).toContain('its checkpoint in the prompt');
    expect(fresh(false).why).toContain('no checkpoint');
  });
});

describe('the limit', () => {
  test('one respawn, then a pause and one escalation to a person', () => {
    expect(step({ lives: lives(1, MINUTE) })).toBe('resume');
    const second = respawn(crash({ lives: lives(2, MINUTE) }), NOW, {});
    expect(second).toMatchObject({ step: 'pause_and_escalate', until: 'person' });
    expect(second.why).toContain('2 times');
  });

  test('is configurable; none at all pauses at the first crash', () => {
    expect(step({ lives: lives(1, MINUTE) }, { respawns: 0 })).toBe('pause_and_escalate');
    expect(step({ lives: lives(3, HOUR) }, { respawns: 3 })).toBe('resume');
    expect(step({ lives: lives(4, HOUR) }, { respawns: 3 })).toBe('pause_and_escalate');
  });

  test('five crashes in 30 min pause whatever the limit is', () => {
    const fast = (count: number) =>
      Array.from({ length: count }, (_, n) => ({
        startedAt: ago(29 * MINUTE),
        crashedAt: ago((count - n) * 5 * MINUTE),
      }));
    expect(step({ lives: fast(4) }, { respawns: 100 })).not.toBe('pause_and_escalate');
    expect(step({ lives: fast(5) }, { respawns: 100 })).toBe('pause_and_escalate');
  });

  test('a limit that cannot be true is the default one', () => {
    expect(step({ lives: lives(2, MINUTE) }, { respawns: Number.NaN })).toBe('pause_and_escalate');
    expect(step({ lives: lives(2, MINUTE) }, { respawns: Number.POSITIVE_INFINITY })).toBe(
      'pause_and_escalate',
    );
  });
});

describe('the back-off', () => {
  test('is 10, 20, 40, 80, 160, 300, 300 s', () => {
    const series = [1, 2, 3, 4, 5, 6, 7].map((count) => {
      const answer = respawn(crash({ lives: lives(count, 0) }), NOW, { respawns: 100 });
      return ((answer.lookAgainAt ?? 0) - NOW) / SECOND;
    });
    expect(series).toEqual([10, 20, 40, 80, 160, 300, 300]);
  });

  test('ends exactly when it says', () => {
    expect(step({ lives: lives(1, 10 * SECOND - 1) })).toBe('wait');
    expect(step({ lives: lives(1, 10 * SECOND) })).toBe('resume');
  });

  test('begins anew after a life of 10 min', () => {
    const long = { startedAt: ago(HOUR), crashedAt: NOW };
    expect(respawn(crash({ lives: [...lives(5, DAY), long] }), NOW, { respawns: 100 }).lookAgainAt).toBe(
      NOW + 10 * SECOND,
    );
    const older = [
      ...lives(5, DAY),
      { startedAt: ago(2 * HOUR), crashedAt: ago(HOUR) },
      { startedAt: ago(MINUTE), crashedAt: NOW },
    ];
    expect(respawn(crash({ lives: older }), NOW, { respawns: 100 }).lookAgainAt).toBe(NOW + 10 * SECOND);
  });

  test('a crash time that cannot be read neither throws nor waits for ever', () => {
    for (const crashedAt of [Number.NaN, Number.POSITIVE_INFINITY, NOW + DAY]) {
      expect(step({ lives: [{ startedAt: ago(HOUR), crashedAt }] })).toBe('resume');
    }
    expect(step({ lives: [] })).toBe('resume');
  });
});
