import { expect, test } from 'vitest';
import { judgeHealth } from '../../../src/core/health/judge.ts';
import { DEFAULT_HEALTH_LIMITS } from '../../../src/core/health/limits.ts';
import {
  ALIVE,
  ago,
  DAY,
  examined,
  flagged,
  GONE,
  look,
  SECOND,
  silentFor,
  worker,
} from './support/world.ts';

const ENDS = ['finished', 'stopped', 'crashed', 'paused'] as const;

test.each(ENDS)(
  'a %s attempt whose process is still running is a zombie; the process is left to the cleanup, not killed at once',
  (state) => {
    const judgement = look(
      silentFor(DAY, { state, process: ALIVE, suspicion: flagged(ago(DAY), examined(ago(DAY))) }),
    );
    expect(judgement).toMatchObject({
      verdict: 'zombie',
      next: 'reap_at_cleanup',
      state: 'ended',
      until: 'event',
    });
  },
);

test.each(ENDS)(
  'a %s attempt is left alone if its process is gone or unreadable, or if its pid may belong to another process',
  (state) => {
    const others = [
      GONE,
      'unavailable',
      { state: 'never_seen' },
      { state: 'alive', identity: 'differs' },
      { state: 'alive', identity: 'unchecked' },
    ] as const;
    for (const process of others) {
      expect(look(silentFor(DAY, { state, process }))).toMatchObject({
        verdict: 'ended',
        next: 'leave_alone',
      });
    }
  },
);

test('a paused attempt waits for a person', () => {
  expect(look(silentFor(DAY, { state: 'paused', process: GONE })).until).toBe('person');
});

test('the process of a finished attempt gets 30 s to exit before it counts as a zombie', () => {
  const finished = (ms: number) => look(worker({ state: 'finished', stateSince: ago(ms), process: ALIVE }));
  expect(finished(30 * SECOND - 1)).toMatchObject({ verdict: 'ended', next: 'leave_alone', until: 'time' });
  expect(finished(30 * SECOND)).toMatchObject({ verdict: 'zombie', next: 'reap_at_cleanup' });
});

test('the process of a finished attempt immediately counts as a zombie if the clock is unreadable', () => {
  const evidence = worker({ state: 'finished', stateSince: Number.MAX_VALUE, process: ALIVE });
  expect(judgeHealth(evidence, Number.MAX_VALUE, DEFAULT_HEALTH_LIMITS)).toMatchObject({
    verdict: 'zombie',
    until: 'event',
  });
});
