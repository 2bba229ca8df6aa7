import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertProperty } from '../../support/property.ts';
import { course, dead, type World } from './support/course.ts';
import { ALIVE, DAY, ENDING, HOUR, NOW, SECOND } from './support/world.ts';

const IDLE = { agent: { kind: 'turn_ended', at: NOW } } as const;
const MUTE = { state: 'spawned', agent: { kind: 'none' }, sessionFile: 'missing', output: 'none' } as const;

test('a worker that sends an event at least every 10 min is not even flagged', () => {
  const gaps = fc.array(fc.integer({ min: 1, max: 600 * SECOND - 1 }), { minLength: 1, maxLength: 20 });
  assertProperty(
    fc.property(gaps, (gapsMs) => {
      const { steps } = course(speaker(gapsMs), 6 * HOUR);
      expect(new Set(steps)).toEqual(new Set(['leave_alone']));
    }),
  );
});

test('a worker that uses CPU is never stopped, however silent it is', () => {
  const doings = fc.constantFrom({}, IDLE, { ...MUTE, spawnedAt: NOW, stateSince: NOW });
  assertProperty(
    fc.property(fc.integer({ min: 500, max: 60_000 }), doings, (msPerSecond, doing) => {
      const world: World = {
        seen: (now) => ({
          ...dead(doing).seen(now),
          process: ALIVE,
          cpu: { usedMs: ((now - NOW) / SECOND) * msPerSecond },
        }),
      };
      expect(course(world, DAY).steps.filter((step) => ENDING.has(step))).toEqual([]);
    }),
  );
});

test('a worker that reacts within 2 min of a probe is never stopped, whatever its pauses', () => {
  assertProperty(
    fc.property(fc.integer({ min: 1, max: 120 * SECOND - 1 }), fc.boolean(), (delayMs, isIdle) => {
      const { steps } = course(lateRiser(delayMs, isIdle ? 'turn_ended' : 'text'), 6 * HOUR);
      expect(steps.filter((step) => ENDING.has(step))).toEqual([]);
      expect(steps).toContain('clear');
    }),
  );
});

/** Creates a worker that sends an event after each of these gaps, repeatedly. */
function speaker(gapsMs: readonly number[]): World {
  const period = gapsMs.reduce((sum, gap) => sum + gap, 0);
  return {
    seen: (now) => {
      let left = (now - NOW) % period;
      let at = now - left;
      for (const gap of gapsMs) {
        if (left < gap) break;
        left -= gap;
        at += gap;
      }
      return { agent: { kind: 'text', at }, sessionFile: { at }, screen: { changedAt: at } };
    },
  };
}

/** Creates a worker that stays silent except for one event this long after each probe. */
function lateRiser(delayMs: number, kind: 'turn_ended' | 'text'): World {
  let stirsAt = Number.POSITIVE_INFINITY;
  let at = NOW;
  return {
    seen: (now) => {
      if (now >= stirsAt) {
        at = stirsAt;
        stirsAt = Number.POSITIVE_INFINITY;
      }
      return { agent: { kind, at }, sessionFile: { at: NOW }, screen: { changedAt: NOW } };
    },
    probe: (_, now) => {
      stirsAt = now + delayMs;
      return 'runs';
    },
  };
}
