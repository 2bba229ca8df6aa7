import { describe, expect, test } from 'vitest';
import { DEFAULT_BUDGETS } from '../../../src/core/health/budget.ts';
import type { Action } from '../../../src/core/model/action.ts';
import type { IssuePriority } from '../../../src/core/model/issue.ts';
import type { Mode } from '../../../src/core/model/mode.ts';
import type { ObservedIssue } from '../../../src/core/model/observed-issue.ts';
import type { IssuePlan } from '../../../src/core/state/issue-plan.ts';
import type { StartContext } from '../../../src/core/state/starts.ts';
import { createLegionState } from '../../../src/core/state/state.ts';
import { BoardView } from '../../../src/daemon/context/board-view.ts';
import { StartQueue } from '../../../src/daemon/loop/start-queue.ts';

const NOW = 1_000_000;
const nobodyHeld = (_issue: string) => false;

function waiting(
  perMode: Partial<Record<Mode, number>>,
  ...given: readonly [string, Action, Mode, IssuePriority][]
) {
  const boardView = new BoardView();
  boardView.replaceAll(given.map(([id, , , priority], index) => seen(id, priority, index)));
  const starts = new StartQueue(boardView);
  starts.update(
    given.map(([id, action, mode]) => refused(id, action, mode)),
    false,
  );
  const context = {
    slots: { workers: 1, perMode },
    staggerMs: 0,
    health: {},
    budgets: DEFAULT_BUDGETS,
    agents: { choicesFor: () => [{ agent: 'any' }] as const, readinessOf: () => 'ready' as const },
    boardGoodUntil: Number.POSITIVE_INFINITY,
    holdOn: () => undefined,
    now: NOW,
  };
  const due = (held = nobodyHeld) => starts.findDue(createLegionState(), context, held).issues;
  return { starts, view: boardView, context, due };
}

function seen(id: string, priority: IssuePriority, createdAt: number): ObservedIssue {
  const issue = {
    id,
    priority,
    createdAt,
    openBlockers: [],
    labels: [],
  } as unknown as ObservedIssue['issue'];
  return { issue, status: 'Todo' } as unknown as ObservedIssue;
}

/**
 * Builds a step that was skipped for lack of capacity. Its evidence contains the action that would
 * otherwise have been taken.
 */
function refused(issue: string, would: Action, mode: Mode): IssuePlan {
  const until = { by: 'event', what: 'a worker ends' } as const;
  const evidence = [`would=${would}`, `mode=${mode}`];
  const decision = { action: 'skip', mode: 'plan', reason: 'no_capacity', evidence, until } as const;
  return { issue, decisions: [decision], events: [], commands: [] };
}

test('keeps the same order whether starts are added one by one, in batches or all at once', () => {
  const given = Array.from({ length: 120 }, (_, index): [string, Action, Mode, IssuePriority] => [
    `A-${(index * 37) % 120}`,
    index % 3 === 0 ? 'dispatch_tester' : 'dispatch_planner',
    index % 3 === 0 ? 'test' : 'plan',
    ((index * 7) % 5) as IssuePriority,
  ]);
  const atOnce = waiting({}, ...given);
  const inParts = waiting({}, ...given);
  const steps = given.map(([id, action, mode]) => refused(id, action, mode));
  // Adds each step a second time, because an issue must be queued only once, however often it is
  // reconciled.
  for (const step of steps.toReversed()) inParts.starts.update([step], false);
  inParts.starts.update(steps.slice(0, 70), false);
  const everybody = { workers: given.length, perMode: {} };
  const orderOf = ({ starts, context }: typeof atOnce) =>
    starts.findDue(createLegionState(), { ...context, slots: everybody }, nobodyHeld).issues;
  expect(orderOf(inParts)).toEqual(orderOf(atOnce));
  expect(orderOf(inParts)).toHaveLength(given.length);
  for (const { issue } of steps)
    inParts.starts.update([{ ...refused(issue, 'skip', 'plan'), decisions: [] }], false);
  expect(orderOf(inParts)).toEqual([]);
});

describe('a free worker slot', () => {
  test('goes to the most urgent waiting issue, regardless of when that issue arrived', () => {
    const { due } = waiting(
      {},
      ['A-1', 'dispatch_planner', 'plan', 0],
      ['A-2', 'dispatch_planner', 'plan', 1],
    );
    expect(due()).toEqual(['A-2']);
  });

  test('is not blocked by an issue whose mode has no slot', () => {
    const { due } = waiting(
      { implement: 0 },
      ['A-1', 'resume_implementer_for_changes', 'implement', 1],
      ['A-2', 'dispatch_planner', 'plan', 0],
    );
    expect(due()).toEqual(['A-2']);
  });

  test('is not blocked by an issue in backoff', () => {
    const { due } = waiting(
      {},
      ['A-1', 'dispatch_planner', 'plan', 1],
      ['A-2', 'dispatch_planner', 'plan', 0],
    );
    expect(due((issue) => issue === 'A-1')).toEqual(['A-2']);
  });

  test('does not go to an issue that no longer waits', () => {
    const { starts, due } = waiting({}, ['A-1', 'dispatch_planner', 'plan', 0]);
    starts.update([{ issue: 'A-1', decisions: [], events: [], commands: [] }], false);
    expect(due()).toEqual([]);
  });
});

describe('thousands of waiting issues', () => {
  const ISSUES = 3_000;
  const many = Array.from({ length: ISSUES }, (_, index): [string, Action, Mode, IssuePriority] => [
    `A-${index}`,
    'dispatch_planner',
    'plan',
    0,
  ]);

  test('are not checked individually while there is no free slot', () => {
    const { starts, asked, context } = counting({ workers: 0, perMode: {} });
    expect(starts.findDue(createLegionState(), context, nobodyHeld).issues).toEqual([]);
    expect(asked).toEqual([]);
  });

  test('are checked only until all slots are taken', () => {
    const { starts, asked, context } = counting({ workers: 2, perMode: {} });
    expect(starts.findDue(createLegionState(), context, nobodyHeld).issues).toEqual(['A-0', 'A-1']);
    expect(asked).toEqual(['A-0', 'A-1']);
  });

  test.each([
    ['the board is too old', { boardGoodUntil: NOW - 1 }],
    ['every repository is blocked', { isEverythingHeld: true }],
    ['no agent can work', { agents: { choicesFor: () => [], readinessOf: () => 'ready' as const } }],
  ])('are not checked while %s', (_, change) => {
    const { starts, asked, context } = counting({ workers: 2, perMode: {} });
    const due = starts.findDue(createLegionState(), { ...context, ...change }, nobodyHeld);
    expect([due.issues, asked]).toEqual([[], []]);
  });

  test('are not checked while the breaker is open', () => {
    const { starts, asked, context } = counting({ workers: 2, perMode: {} });
    const breaker = { serial: 1, open: { kind: 'deaths', since: 1, why: 'many' } } as const;
    expect(starts.findDue({ ...createLegionState(), breaker }, context, nobodyHeld).issues).toEqual([]);
    expect(asked).toEqual([]);
  });

  test('are not checked before the gap between two starts is over, but the time of the next start is known', () => {
    const { starts, asked, context } = counting({ workers: 2, perMode: {} });
    const swarm = { ...createLegionState(), lastDispatchAt: NOW - 500 };
    const due = starts.findDue(swarm, { ...context, staggerMs: 2_000 }, nobodyHeld);
    expect([due, asked]).toEqual([{ issues: [], wakeAt: NOW + 1_500 }, []]);
  });

  test('do not block a reviewer, which needs no slot', () => {
    const reviewer: [string, Action, Mode, IssuePriority] = ['A-9999', 'dispatch_reviewer', 'review', 0];
    const { starts, asked, context } = counting({ workers: 0, perMode: {} }, reviewer);
    expect(starts.findDue(createLegionState(), context, nobodyHeld).issues).toEqual(['A-9999']);
    expect(asked).toEqual(['A-9999']);
  });

  test('are ordered by urgency again after some of them are reconciled', () => {
    const { starts, view: boardView, context } = counting({ workers: ISSUES, perMode: {} });
    boardView.replace('A-7', seen('A-7', 1, 7));
    boardView.replace('A-9', seen('A-9', 2, 9));
    starts.update(
      ['A-9', 'A-7', 'A-8'].map((issue) => refused(issue, 'dispatch_planner', 'plan')),
      false,
    );
    const { issues } = starts.findDue(createLegionState(), context, nobodyHeld);
    expect(issues.slice(0, 4)).toEqual(['A-7', 'A-9', 'A-0', 'A-1']);
    expect(issues.slice(9, 11)).toEqual(['A-8', 'A-10']);
    expect(issues).toHaveLength(ISSUES);
  });

  function counting(slots: StartContext['slots'], ...others: [string, Action, Mode, IssuePriority][]) {
    const asked: string[] = [];
    const { starts, view: boardView, context } = waiting({}, ...many, ...others);
    const holdOn = (issue: string) => {
      asked.push(issue);
      return undefined;
    };
    return { starts, view: boardView, asked, context: { ...context, slots, holdOn } };
  }
});
