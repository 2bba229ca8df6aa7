import { describe, expect, test } from 'vitest';
import type { ObservedIssue } from '../../../src/core/model/observed-issue.ts';
import type { DaemonSettings } from '../../../src/daemon/context/daemon-context.ts';
import { IssueBackoff } from '../../../src/daemon/loop/issue-backoff.ts';
import { hasPaceChanged, PollSchedule } from '../../../src/daemon/loop/poll-schedule.ts';
import { describePace } from '../../../src/daemon/present/pace.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

describe('issue backoff', () => {
  test('doubles after each failure up to five minutes, and ends after a success', () => {
    const clock = new VirtualClock();
    const cooling = new IssueBackoff(clock);
    const rests = Array.from({ length: 9 }, () => {
      cooling.recordFailure('A-1');
      return (cooling.wakeAt ?? 0) - clock.now();
    });
    expect(rests).toEqual([5_000, 10_000, 20_000, 40_000, 80_000, 160_000, 300_000, 300_000, 300_000]);
    expect([cooling.isBackingOff('A-1'), cooling.isBackingOff('A-2')]).toEqual([true, false]);
    cooling.recordSuccess('A-1');
    expect([cooling.isBackingOff('A-1'), cooling.wakeAt]).toEqual([false, undefined]);
  });
});

describe('an issue whose backoff has ended', () => {
  test('is returned once for another pass, and keeps its failure count', async () => {
    const clock = new VirtualClock();
    const cooling = new IssueBackoff(clock);
    cooling.recordFailure('A-1');
    expect(cooling.takeDue()).toEqual([]);
    await clock.advance(5_000);
    expect([cooling.takeDue(), cooling.takeDue()]).toEqual([['A-1'], []]);
    cooling.recordFailure('A-1');
    expect((cooling.wakeAt ?? 0) - clock.now()).toBe(10_000);
  });
});

describe('a full board read', () => {
  const polling = {
    normalMs: 30_000,
    holding: [
      { unchanged: 20, ms: 900_000 },
      { unchanged: 5, ms: 300_000 },
    ],
  };
  const settings = () => ({ polling }) as unknown as DaemonSettings;

  test('happens immediately, then every 30 s, and less often while nothing changes', () => {
    const clock = new VirtualClock();
    const pace = new PollSchedule(clock, settings, () => undefined);
    expect(pace.isDue).toBe(true);
    const waits = Array.from({ length: 22 }, () => {
      pace.recordRead([], clock.now());
      return pace.nextAt - clock.now();
    });
    expect([waits[0], waits[4], waits[5], waits[6], waits[20], waits[21]]).toEqual([
      30_000, 30_000, 300_000, 300_000, 900_000, 900_000,
    ]);
  });

  test('does not happen less often while a pull request waits for CI', () => {
    const clock = new VirtualClock();
    const pace = new PollSchedule(clock, settings, () => undefined);
    const board = (ci: 'pending' | 'passing') =>
      [{ issue: { id: 'A-1' }, pullRequest: { state: 'open', ci } }] as unknown as ObservedIssue[];
    for (let read = 0; read < 30; read += 1) pace.recordRead(board('pending'), clock.now());
    expect(pace.pace).toMatchObject({
      intervalMs: 30_000,
      reason: 'waiting_for_ci',
      waitingForCi: ['A-1'],
    });
    expect(describePace(pace.pace)).toBe('The board is read every 30s, because CI runs for A-1.');
    for (let read = 0; read < 6; read += 1) pace.recordRead(board('passing'), clock.now());
    expect(pace.pace).toMatchObject({ intervalMs: 300_000, reason: 'unchanged', waitingForCi: [] });
    expect(describePace(pace.pace)).toBe(
      'The board is read every 5m, because nothing changed in the last 5 reads.',
    );
  });

  test('happens less often while the API budget is low and, once the budget is used up, only after its reset', () => {
    const clock = new VirtualClock();
    const budget = { limit: 5_000, remaining: 1_250, resetsAt: clock.now() + 3_600_000 };
    const pace = new PollSchedule(clock, settings, () => budget);
    pace.recordRead([], clock.now());
    expect(pace.pace).toMatchObject({ intervalMs: 4 * 30_000, reason: 'api_budget' });
    budget.remaining = 100;
    expect(pace.nextAt - clock.now()).toBe(3_600_000);
    pace.scheduleNow();
    expect(pace.isDue).toBe(true);
  });

  test('happens soon after a change, and later changes do not postpone it', async () => {
    const clock = new VirtualClock();
    const pace = new PollSchedule(clock, settings, () => undefined);
    pace.recordRead([], clock.now());
    pace.scheduleFollowUp();
    const due = pace.nextAt;
    await clock.advance(200);
    pace.scheduleFollowUp();
    expect([pace.nextAt, due - clock.now()]).toEqual([due, 50]);
    await clock.advance(50);
    expect(pace.isDue).toBe(true);
  });
});

test.each([
  ['the same pace', 'normal', 30_000, 'normal', 30_000, false],
  ['another reason', 'normal', 30_000, 'waiting_for_ci', 30_000, true],
  ['another interval', 'unchanged', 300_000, 'unchanged', 900_000, true],
  ['another interval of a low API budget', 'api_budget', 60_000, 'api_budget', 70_000, false],
] as const)('decides whether the pace has changed: %s', (_, before, beforeMs, after, afterMs, changed) => {
  const pace = { unchanged: 0, waitingForCi: [] };
  expect(
    hasPaceChanged(
      { ...pace, reason: before, intervalMs: beforeMs },
      { ...pace, reason: after, intervalMs: afterMs },
    ),
  ).toBe(changed);
});
