import { expect, test } from 'vitest';
import { schedule } from '../../chaos/schedule.ts';

test('the seed alone determines the kills, and a longer run begins with the same kills as a shorter one', () => {
  expect(schedule(7, 50)).toEqual(schedule(7, 50));
  expect(schedule(7, 500).slice(0, 50)).toEqual(schedule(7, 50));
  expect(schedule(8, 50)).not.toEqual(schedule(7, 50));
});

test('the schedule kills every kind of process, at any time and right after each relevant event', () => {
  const kills = schedule(1, 500);
  expect(new Set(kills.map(({ victim }) => victim))).toEqual(
    new Set(['daemon', 'worker', 'runner', 'daemon and worker']),
  );
  const moments = Object.groupBy(kills, ({ moment }) => moment.event ?? 'time');
  expect(Object.keys(moments)).toEqual(
    expect.arrayContaining([
      'time',
      'intent.opened',
      'attempt.dispatched',
      'attempt.spawned',
      'merge.landed',
    ]),
  );
  const isAtOnce = kills.filter(({ moment }) => moment.event !== undefined && moment.after === 0);
  expect(isAtOnce.length).toBeGreaterThan(50);
});
