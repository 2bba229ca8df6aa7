import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ACTIONS } from '../../../src/core/model/action.ts';
import {
  byUrgency,
  hasPlace,
  iceboxTurns,
  nextDispatchAt,
  placesTaken,
  type Ranked,
} from '../../../src/core/pipeline/order.ts';
import type { Priority } from '../../../src/domain/issue.ts';
import { assertProperty } from '../../support/property.ts';

const ranked = fc.record<Ranked>({
  issue: fc.constantFrom('A-1', 'A-2', 'A-10', 'B-1'),
  action: fc.constantFrom(...ACTIONS),
  status: fc.constantFrom('Icebox', 'Todo', 'Testing'),
  priority: fc.constantFrom<Priority[]>(0, 1, 2, 3, 4),
  createdAt: fc.integer({ min: 0, max: 3 }),
});

describe('what is done first', () => {
  test('keeps work moving: answers, then what is finished, what came back, what is new, and the Icebox last', () => {
    const inOrder: Ranked[] = [
      doing('relay_user_feedback'),
      doing('transition_to_testing'),
      doing('resume_implementer_for_changes'),
      doing('dispatch_architect'),
      doing('transition_to_backlog', { status: 'Icebox' }),
      doing('skip'),
    ];
    expect(inOrder.toReversed().toSorted(byUrgency)).toEqual(inOrder);
  });

  test.each([
    'add_needs_approval',
    'remove_worker_active_and_redispatch',
    'retry_ci_check',
    'investigate_no_pr',
    'transition_to_done',
  ] as const)('%s goes between an answer and a resumed worker', (action) => {
    expect(
      byUrgency(doing('relay_user_feedback', { priority: 4 }), doing(action, { priority: 1 })),
    ).toBeLessThan(0);
    expect(
      byUrgency(doing(action, { priority: 4 }), doing('resume_implementer_for_retro', { priority: 1 })),
    ).toBeLessThan(0);
  });

  test('of two alike the higher priority goes first, and none at all last', () => {
    const priorities = ([0, 4, 3, 2, 1] as const).map((priority) => doing('dispatch_tester', { priority }));
    expect(priorities.toSorted(byUrgency).map(({ priority }) => priority)).toEqual([1, 2, 3, 4, 0]);
  });

  test('of the same priority the older goes first, then the id decides', () => {
    const older = doing('dispatch_tester', { issue: 'Z-9', createdAt: 1 });
    const younger = doing('dispatch_tester', { issue: 'A-1', createdAt: 2 });
    const twin = doing('dispatch_tester', { issue: 'A-2', createdAt: 2 });
    expect([twin, younger, older].toSorted(byUrgency)).toEqual([older, younger, twin]);
  });

  test('is a total order: two issues are never equal, and every list has one order', () => {
    assertProperty(
      fc.property(ranked, ranked, ranked, (a, b, c) => {
        expect(Math.sign(byUrgency(a, b))).toBe(0 - Math.sign(byUrgency(b, a)));
        if (a.issue !== b.issue) expect(byUrgency(a, b)).not.toBe(0);
        if (byUrgency(a, b) <= 0 && byUrgency(b, c) <= 0) expect(byUrgency(a, c)).toBeLessThanOrEqual(0);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('places', () => {
  const places = { workers: 3, perMode: { test: 1 } };

  test.each([
    ['an empty host takes a worker', 'implement', {}, true],
    ['the last place is taken', 'implement', { plan: 1, implement: 1 }, true],
    ['a full host takes none', 'implement', { plan: 1, implement: 2 }, false],
    ['an overfull host takes none', 'plan', { implement: 5 }, false],
    ['reviewers take no place from others', 'implement', { implement: 2, review: 50 }, true],
    ['a full host still takes a reviewer', 'review', { implement: 3 }, true],
    ['a mode’s own limit holds on an empty host', 'test', { test: 1 }, false],
    ['below its own limit a mode has a place', 'test', { plan: 1 }, true],
    ['a mode’s own limit does not hold back others', 'plan', { test: 1 }, true],
  ] as const)('%s', (_, mode, taken, free) => {
    expect(hasPlace(mode, taken, places)).toBe(free);
  });

  test('a limit for reviewers holds them back', () => {
    expect(hasPlace('review', { review: 2 }, { workers: 3, perMode: { review: 2 } })).toBe(false);
  });

  test('with no places only reviewers start', () => {
    expect([
      hasPlace('plan', {}, { workers: 0, perMode: {} }),
      hasPlace('review', {}, { workers: 0, perMode: {} }),
    ]).toEqual([false, true]);
  });

  test('are counted without reviewers', () => {
    expect([
      placesTaken({}),
      placesTaken({ review: 4 }),
      placesTaken({ plan: 1, merge: 2, review: 4 }),
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
      'lets out the oldest clarified one',
      [young, unclear, twin, old],
      true,
      { 'A-1': 'not_its_turn', 'A-0': 'unclarified', 'B-2': 'not_its_turn', 'B-1': 'due' },
    ],
    [
      'lets out none while all places are taken',
      [old, unclear],
      false,
      { 'B-1': 'no_capacity', 'A-0': 'unclarified' },
    ],
    [
      'lets out none that a person put there',
      [{ ...old, parked: true }, young],
      true,
      { 'B-1': 'parked', 'A-1': 'due' },
    ],
    ['lets out none that nobody clarified', [unclear], true, { 'A-0': 'unclarified' }],
    ['may be empty', [], true, {}],
  ])('%s', (_, issues, capacity, turns) => {
    expect(Object.fromEntries(iceboxTurns(issues, capacity))).toEqual(turns);
  });

  test('lets out one at a time, the same whatever the order of the board', () => {
    const issue = fc.record({
      issue: fc.string(),
      parked: fc.boolean(),
      clarified: fc.boolean(),
      createdAt: fc.nat(3),
    });
    assertProperty(
      fc.property(fc.uniqueArray(issue, { selector: (each) => each.issue }), (issues) => {
        const due = (listed: typeof issues) =>
          [...iceboxTurns(listed, true)].filter(([, turn]) => turn === 'due').map(([id]) => id);
        expect(due(issues)).toHaveLength(
          issues.some(({ clarified, parked }) => clarified && !parked) ? 1 : 0,
        );
        expect(due(issues.toReversed())).toEqual(due(issues));
      }),
    );
  });
});

describe('two dispatches', () => {
  test.each([
    ['the first goes at once', undefined, 1_000, 1_000],
    ['the next waits out the rest of the stagger', 1_000, 1_500, 3_000],
    ['at the same moment it waits the whole of it', 1_000, 1_000, 3_000],
    ['at its end it goes', 1_000, 3_000, 3_000],
    ['long after it goes at once', 1_000, 9_000, 9_000],
    ['when the clock was set back it goes at once', 9_000, 1_000, 1_000],
  ])('%s', (_, last, now, at) => {
    expect(nextDispatchAt(last, now, 2_000)).toBe(at);
  });

  test('of agents that need no stagger go together', () => {
    expect(nextDispatchAt(1_000, 1_000, 0)).toBe(1_000);
  });
});

function doing(action: Ranked['action'], parts: Partial<Ranked> = {}): Ranked {
  return { issue: 'X-1', action, status: 'Todo', priority: 2, createdAt: 0, ...parts };
}
