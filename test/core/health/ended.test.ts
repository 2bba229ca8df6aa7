import { expect, test } from 'vitest';
import { judge } from '../../../src/health/judge.ts';
import { HEALTH_LIMITS } from '../../../src/health/limits.ts';
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
  'a %s attempt whose process is still there is a zombie for the cleanup, not a kill',
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

test.each(ENDS)('a %s attempt whose process is gone, or another’s, or unreadable is left alone', (state) => {
  const others = [
    GONE,
    'unavailable',
    { state: 'never_seen' },
    { state: 'alive', identity: 'differs' },
    { state: 'alive', identity: 'unchecked' },
  ] as const;
  for (const process of others) {
    expect(look(silentFor(DAY, { state, process }))).toMatchObject({ verdict: 'ended', next: 'leave_alone' });
  }
});

test('a paused attempt names the person it waits for', () => {
  expect(look(silentFor(DAY, { state: 'paused', process: GONE })).until).toBe('person');
});

test('a process gets 30 s to leave before it is called a zombie', () => {
  const finished = (ms: number) => look(worker({ state: 'finished', stateSince: ago(ms), process: ALIVE }));
  expect(finished(30 * SECOND - 1)).toMatchObject({ verdict: 'ended', next: 'leave_alone', until: 'time' });
  expect(finished(30 * SECOND)).toMatchObject({ verdict: 'zombie', next: 'reap_at_cleanup' });
});

test('where the clock cannot be read, no process is given a time to leave by', () => {
  const evidence = worker({ state: 'finished', stateSince: Number.MAX_VALUE, process: ALIVE });
  expect(judge(evidence, Number.MAX_VALUE, HEALTH_LIMITS)).toMatchObject({
    verdict: 'zombie',
    until: 'event',
  });
});
