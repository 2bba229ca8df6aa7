import { describe, expect, test } from 'vitest';
import { Cooling } from '../../../src/daemon/loop/issue-backoff.ts';
import { PollPace } from '../../../src/daemon/poll-pace.ts';
import type { Settings } from '../../../src/daemon/settings.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

describe('an issue whose step failed', () => {
  test('rests longer each time, five minutes at the most, and is free once it succeeds', () => {
    const clock = new VirtualClock();
    const cooling = new Cooling(clock);
    const rests = Array.from({ length: 9 }, () => {
      cooling.failed('A-1');
      return (cooling.wakeAt ?? 0) - clock.now();
    });
    expect(rests).toEqual([5_000, 10_000, 20_000, 40_000, 80_000, 160_000, 300_000, 300_000, 300_000]);
    expect([cooling.isResting('A-1'), cooling.isResting('A-2')]).toEqual([true, false]);
    cooling.succeeded('A-1');
    expect([cooling.isResting('A-1'), cooling.wakeAt]).toEqual([false, undefined]);
  });
});

describe('an issue that has rested', () => {
  test('is named once, so that somebody looks at it, and keeps its count', async () => {
    const clock = new VirtualClock();
    const cooling = new Cooling(clock);
    cooling.failed('A-1');
    expect(cooling.rested()).toEqual([]);
    await clock.advance(5_000);
    expect([cooling.rested(), cooling.rested()]).toEqual([['A-1'], []]);
    cooling.failed('A-1');
    expect((cooling.wakeAt ?? 0) - clock.now()).toBe(10_000);
  });
});

describe('the whole board is read', () => {
  const polling = {
    normalMs: 30_000,
    holding: [
      { unchanged: 20, ms: 900_000 },
      { unchanged: 5, ms: 300_000 },
    ],
  };
  const settings = () => ({ polling }) as unknown as Settings;

  test('at once, every 30 s, and more seldom while nothing changes', () => {
    const clock = new VirtualClock();
    const pace = new PollPace(clock, settings, () => undefined);
    expect(pace.isDue).toBe(true);
    const waits = Array.from({ length: 22 }, () => {
      pace.seen([], clock.now());
      return pace.nextAt - clock.now();
    });
    expect([waits[0], waits[4], waits[5], waits[6], waits[20], waits[21]]).toEqual([
      30_000, 30_000, 300_000, 300_000, 900_000, 900_000,
    ]);
  });

  test('less often while the service’s budget is short, and not before it is whole again when it is used up', () => {
    const clock = new VirtualClock();
    const budget = { limit: 5_000, remaining: 1_250, resetsAt: clock.now() + 3_600_000 };
    const pace = new PollPace(clock, settings, () => budget);
    pace.seen([], clock.now());
    expect(pace.intervalMs).toBe(4 * 30_000);
    budget.remaining = 100;
    expect(pace.nextAt - clock.now()).toBe(3_600_000);
    pace.hurry();
    expect(pace.isDue).toBe(true);
  });

  test('soon after a part of it changed, however steadily more changes come', async () => {
    const clock = new VirtualClock();
    const pace = new PollPace(clock, settings, () => undefined);
    pace.seen([], clock.now());
    pace.followUp();
    const due = pace.nextAt;
    await clock.advance(200);
    pace.followUp();
    expect([pace.nextAt, due - clock.now()]).toEqual([due, 50]);
    await clock.advance(50);
    expect(pace.isDue).toBe(true);
  });
});
