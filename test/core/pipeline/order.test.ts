import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ACTIONS } from '../../../src/core/model/action.ts';
import type { IssuePriority } from '../../../src/core/model/issue.ts';
import {
  assignIceboxTurns,
  compareUrgency,
  computeNextDispatchAt,
  countTakenSlots,
  hasCapacity,
  type RankedIssue,
} from '../../../src/core/pipeline/order.ts';
import { assertProperty } from '../../support/property.ts';

const ranked = fc.record<RankedIssue>({
  issue: fc.constantFrom('A-1', 'A-2', 'A-10', 'B-1'),
  action: fc.constantFrom(...ACTIONS),
  status: fc.constantFrom('Icebox', 'Todo', 'Testing'),
  priority: fc.constantFrom<IssuePriority[]>(0, 1, 2, 3, 4),
  createdAt: fc.integer({ min: 0, max: 3 }),
});

describe('compareUrgency', () => {
  test('orders answers first, then finished work, returned work, new work, and the Icebox last', () => {
    const inOrder: RankedIssue[] = [
      doing('relay_user_feedback'),
      doing('transition_to_testing'),
      doing('resume_implementer_for_changes'),
      doing('dispatch_architect'),
      doing('transition_to_backlog', { status: 'Icebox' }),
      doing('skip'),
    ];
    expect(inOrder.toReversed().toSorted(compareUrgency)).toEqual(inOrder);
  });

  test.each([
    'add_needs_approval',
    'remove_worker_active_and_redispatch',
    'retry_ci_check',
    'investigate_no_pr',
    'transition_to_done',
  ] as const)('puts %s between an answer and a resumed worker', (action) => {
    expect(
      compareUrgency(doing('relay_user_feedback', { priority: 4 }), doing(action, { priority: 1 })),
    ).toBeLessThan(0);
    expect(
      compareUrgency(doing(action, { priority: 4 }), doing('resume_implementer_for_retro', { priority: 1 })),
    ).toBeLessThan(0);
  });

  test('puts higher priorities first, and issues without a priority last', () => {
    const priorities = ([0, 4, 3, 2, 1] as const).map((priority) => doing('dispatch_tester', { priority }));
    expect(priorities.toSorted(compareUrgency).map(({ priority }) => priority)).toEqual([1, 2, 3, 4, 0]);
  });

  test('at the same priority, puts the older issue first, then sorts by id', () => {
    const older = doing('dispatch_tester', { issue: 'Z-9', createdAt: 1 });
    const younger = doing('dispatch_tester', { issue: 'A-1', createdAt: 2 });
    const twin = doing('dispatch_tester', { issue: 'A-2', createdAt: 2 });
    expect([twin, younger, older].toSorted(compareUrgency)).toEqual([older, younger, twin]);
  });

  test('is a total order: two issues are never equal, and every list has exactly one sorted order', () => {
    assertProperty(
      fc.property(ranked, ranked, ranked, (a, b, c) => {
        expect(Math.sign(compareUrgency(a, b))).toBe(0 - Math.sign(compareUrgency(b, a)));
        if (a.issue !== b.issue) expect(compareUrgency(a, b)).not.toBe(0);
        if (compareUrgency(a, b) <= 0 && compareUrgency(b, c) <= 0)
          expect(compareUrgency(a, c)).toBeLessThanOrEqual(0);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('worker slots', () => {
  const places = { workers: 3, perMode: { test: 1 } };

  test.each([
    ['are free on an empty host', 'implement', {}, true],
    ['are free while one slot is left', 'implement', { plan: 1, implement: 1 }, true],
    ['are not free on a full host', 'implement', { plan: 1, implement: 2 }, false],
    ['are not free on an overfull host', 'plan', { implement: 5 }, false],
    ['are not taken by reviewers', 'implement', { implement: 2, review: 50 }, true],
    ['are free for a reviewer on a full host', 'review', { implement: 3 }, true],
    ['are not free beyond a mode’s own limit', 'test', { test: 1 }, false],
    ['are free below a mode’s own limit', 'test', { plan: 1 }, true],
    ['are free for other modes if one mode has reached its limit', 'plan', { test: 1 }, true],
  ] as const)('%s', (_, mode, taken, free) => {
    expect(hasCapacity(mode, taken, places)).toBe(free);
  });

  test('are limited for reviewers if the review mode has its own limit', () => {
    expect(hasCapacity('review', { review: 2 }, { workers: 3, perMode: { review: 2 } })).toBe(false);
  });

  test('are free only for reviewers if the worker limit is zero', () => {
    expect([
      hasCapacity('plan', {}, { workers: 0, perMode: {} }),
      hasCapacity('review', {}, { workers: 0, perMode: {} }),
    ]).toEqual([false, true]);
  });

  test('are counted without the slots that reviewers use', () => {
    expect([
      countTakenSlots({}),
      countTakenSlots({ review: 4 }),
      countTakenSlots({ plan: 1, merge: 2, review: 4 }),
    ]).toEqual([0, 0, 3]);
  });
});

describe('the Icebox', () => {
  const old = { issue: 'B-1', parked: false, clarified: true, createdAt: 1 };
  const twin = { issue: 'B-2', parked: false, clarified: true, createdAt: 1 };
  const young = { issue: 'A-1', parked: false, clarified: true, createdAt: 2 };
  const unclear = { issue: 'A-0', parked: false, clarified: false, createdAt: 0 };

  test.each([
    [
      'releases the oldest clarified issue',
      [young, unclear, twin, old],
      true,
      { 'A-1': 'not_its_turn', 'A-0': 'unclarified', 'B-2': 'not_its_turn', 'B-1': 'due' },
    ],
    [
      'releases nothing while all slots are taken',
      [old, unclear],
      false,
      { 'B-1': 'no_capacity', 'A-0': 'unclarified' },
    ],
    [
      'does not release an issue that a person put into the Icebox',
      [{ ...old, parked: true }, young],
      true,
      { 'B-1': 'parked', 'A-1': 'due' },
    ],
    ['does not release an unclarified issue', [unclear], true, { 'A-0': 'unclarified' }],
    ['may be empty', [], true, {}],
  ])('%s', (_, issues, capacity, turns) => {
    expect(Object.fromEntries(assignIceboxTurns(issues, capacity))).toEqual(turns);
  });

  test('releases one issue at a time, whatever the order of issues on the board', () => {
    const issue = fc.record({
      issue: fc.string(),
      parked: fc.boolean(),
      clarified: fc.boolean(),
      createdAt: fc.nat(3),
    });
    assertProperty(
      fc.property(fc.uniqueArray(issue, { selector: (each) => each.issue }), (issues) => {
        const due = (listed: typeof issues) =>
          [...assignIceboxTurns(listed, true)].filter(([, turn]) => turn === 'due').map(([id]) => id);
        expect(due(issues)).toHaveLength(
          issues.some(({ clarified, parked }) => clarified && !parked) ? 1 : 0,
        );
        expect(due(issues.toReversed())).toEqual(due(issues));
      }),
    );
  });
});

describe('a dispatch', () => {
  test.each([
    ['starts immediately if it is the first', undefined, 1_000, 1_000],
    ['waits for the rest of the stagger', 1_000, 1_500, 3_000],
    ['waits for the whole stagger if the previous worker has just started', 1_000, 1_000, 3_000],
    ['starts when the stagger ends', 1_000, 3_000, 3_000],
    ['starts immediately if the previous worker started long ago', 1_000, 9_000, 9_000],
    ['starts immediately if the clock was set back', 9_000, 1_000, 1_000],
  ])('%s', (_, last, now, at) => {
    expect(computeNextDispatchAt(last, now, 2_000)).toBe(at);
  });

  test('starts immediately if its agent needs no stagger', () => {
    expect(computeNextDispatchAt(1_000, 1_000, 0)).toBe(1_000);
  });
});

function doing(action: RankedIssue['action'], parts: Partial<RankedIssue> = {}): RankedIssue {
  return { issue: 'X-1', action, status: 'Todo', priority: 2, createdAt: 0, ...parts };
}
