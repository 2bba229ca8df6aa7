import { expect, test } from 'vitest';
import { ALIVE, ago, DAY, examined, flagged, GONE, look, silentFor } from './world.ts';

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
