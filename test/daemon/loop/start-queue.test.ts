import { describe, expect, test } from 'vitest';
import type { Action } from '../../../src/core/model/action.ts';
import type { SeenIssue } from '../../../src/core/state/observation.ts';
import type { StartContext } from '../../../src/core/state/starts.ts';
import { emptySwarm } from '../../../src/core/state/state.ts';
import { BoardView } from '../../../src/daemon/board-view.ts';
import { WaitingStarts } from '../../../src/daemon/loop/start-queue.ts';
import type { Priority } from '../../../src/domain/issue.ts';
import type { Mode } from '../../../src/domain/mode.ts';
import { DEFAULT_BUDGETS } from '../../../src/health/budget.ts';
import type { IssueStep } from '../../../src/swarm/step.ts';

const NOW = 1_000_000;
const nobodyHeld = (_issue: string) => false;

function waiting(
  perMode: Partial<Record<Mode, number>>,
  ...given: readonly [string, Action, Mode, Priority][]
) {
  const view = new BoardView();
  view.replaceAll(given.map(([id, , , priority], index) => seen(id, priority, index)));
  const starts = new WaitingStarts(view);
  starts.note(
    given.map(([id, action, mode]) => refused(id, action, mode)),
    false,
  );
  const context = {
    places: { workers: 1, perMode },
    staggerMs: 0,
    health: {},
    budgets: DEFAULT_BUDGETS,
    agents: { choicesFor: () => [{ agent: 'any' }] as const, readinessOf: () => 'ready' as const },
    boardGoodUntil: Number.POSITIVE_INFINITY,
    holdOn: () => undefined,
    now: NOW,
  };
  const due = (held = nobodyHeld) => starts.due(emptySwarm(), context, held).issues;
  return { starts, view, context, due };
}

function seen(id: string, priority: Priority, createdAt: number): SeenIssue {
  const issue = { id, priority, createdAt, openBlockers: [], labels: [] } as unknown as SeenIssue['issue'];
  return { issue, status: 'Todo' } as unknown as SeenIssue;
}

/** As the decision says it: what would be done, and that there is no room for it. */
function refused(issue: string, would: Action, mode: Mode): IssueStep {
  const until = { by: 'event', what: 'a worker ends' } as const;
  const evidence = [`would=${would}`, `mode=${mode}`];
  const decision = { action: 'skip', mode: 'plan', reason: 'no_capacity', evidence, until } as const;
  return { issue, decisions: [decision], events: [], commands: [] };
}

test('who waits is the same whether it was noted one by one, in parts or at once', () => {
  const given = Array.from({ length: 120 }, (_, index): [string, Action, Mode, Priority] => [
    `A-${(index * 37) % 120}`,
    index % 3 === 0 ? 'dispatch_tester' : 'dispatch_planner',
    index % 3 === 0 ? 'test' : 'plan',
    ((index * 7) % 5) as Priority,
  ]);
  const atOnce = waiting({}, ...given);
  const inParts = waiting({}, ...given);
  const steps = given.map(([id, action, mode]) => refused(id, action, mode));
  // Each is noted twice more: an issue waits once, however often it is looked at.
  for (const step of steps.toReversed()) inParts.starts.note([step], false);
  inParts.starts.note(steps.slice(0, 70), false);
  const everybody = { workers: given.length, perMode: {} };
  const orderOf = ({ starts, context }: typeof atOnce) =>
    starts.due(emptySwarm(), { ...context, places: everybody }, nobodyHeld).issues;
  expect(orderOf(inParts)).toEqual(orderOf(atOnce));
  expect(orderOf(inParts)).toHaveLength(given.length);
  for (const { issue } of steps)
    inParts.starts.note([{ ...refused(issue, 'skip', 'plan'), decisions: [] }], false);
  expect(orderOf(inParts)).toEqual([]);
});

describe('a free place', () => {
  test('goes to the most urgent of those who wait, whenever they came', () => {
    const { due } = waiting(
      {},
      ['A-1', 'dispatch_planner', 'plan', 0],
      ['A-2', 'dispatch_planner', 'plan', 1],
    );
    expect(due()).toEqual(['A-2']);
  });

  test('is not kept from others by one whose mode has no place', () => {
    const { due } = waiting(
      { implement: 0 },
      ['A-1', 'resume_implementer_for_changes', 'implement', 1],
      ['A-2', 'dispatch_planner', 'plan', 0],
    );
    expect(due()).toEqual(['A-2']);
  });

  test('is not kept from others by one that rests', () => {
    const { due } = waiting(
      {},
      ['A-1', 'dispatch_planner', 'plan', 1],
      ['A-2', 'dispatch_planner', 'plan', 0],
    );
    expect(due((issue) => issue === 'A-1')).toEqual(['A-2']);
  });

  test('is nobody’s any more who has moved on', () => {
    const { starts, due } = waiting({}, ['A-1', 'dispatch_planner', 'plan', 0]);
    starts.note([{ issue: 'A-1', decisions: [], events: [], commands: [] }], false);
    expect(due()).toEqual([]);
  });
});

describe('thousands that wait', () => {
  const ISSUES = 3_000;
  const many = Array.from({ length: ISSUES }, (_, index): [string, Action, Mode, Priority] => [
    `A-${index}`,
    'dispatch_planner',
    'plan',
    0,
  ]);

  test('are not asked about one by one while there is no place', () => {
    const { starts, asked, context } = counting({ workers: 0, perMode: {} });
    expect(starts.due(emptySwarm(), context, nobodyHeld).issues).toEqual([]);
    expect(asked).toEqual([]);
  });

  test('are asked about only until the places are taken', () => {
    const { starts, asked, context } = counting({ workers: 2, perMode: {} });
    expect(starts.due(emptySwarm(), context, nobodyHeld).issues).toEqual(['A-0', 'A-1']);
    expect(asked).toEqual(['A-0', 'A-1']);
  });

  test.each([
    ['the board is too old', { boardGoodUntil: NOW - 1 }],
    ['every repository is held', { isEverythingHeld: true }],
    ['no agent can work', { agents: { choicesFor: () => [], readinessOf: () => 'ready' as const } }],
  ])('are not asked about while %s', (_, change) => {
    const { starts, asked, context } = counting({ workers: 2, perMode: {} });
    const due = starts.due(emptySwarm(), { ...context, ...change }, nobodyHeld);
    expect([due.issues, asked]).toEqual([[], []]);
  });

  test('are not asked about while the breaker is open', () => {
    const { starts, asked, context } = counting({ workers: 2, perMode: {} });
    const breaker = { serial: 1, open: { kind: 'deaths', since: 1, why: 'many' } } as const;
    expect(starts.due({ ...emptySwarm(), breaker }, context, nobodyHeld).issues).toEqual([]);
    expect(asked).toEqual([]);
  });

  test('say when the next could start, where only the gap between two starts is in the way', () => {
    const { starts, asked, context } = counting({ workers: 2, perMode: {} });
    const swarm = { ...emptySwarm(), lastDispatchAt: NOW - 500 };
    const due = starts.due(swarm, { ...context, staggerMs: 2_000 }, nobodyHeld);
    expect([due, asked]).toEqual([{ issues: [], wakeAt: NOW + 1_500 }, []]);
  });

  test('let a reviewer pass, who needs no place', () => {
    const reviewer: [string, Action, Mode, Priority] = ['A-9999', 'dispatch_reviewer', 'review', 0];
    const { starts, asked, context } = counting({ workers: 0, perMode: {} }, reviewer);
    expect(starts.due(emptySwarm(), context, nobodyHeld).issues).toEqual(['A-9999']);
    expect(asked).toEqual(['A-9999']);
  });

  test('keep their order when some of them are looked at again', () => {
    const { starts, view, context } = counting({ workers: ISSUES, perMode: {} });
    view.replace('A-7', seen('A-7', 1, 7));
    view.replace('A-9', seen('A-9', 2, 9));
    starts.note(
      ['A-9', 'A-7', 'A-8'].map((issue) => refused(issue, 'dispatch_planner', 'plan')),
      false,
    );
    const { issues } = starts.due(emptySwarm(), context, nobodyHeld);
    expect(issues.slice(0, 4)).toEqual(['A-7', 'A-9', 'A-0', 'A-1']);
    expect(issues.slice(9, 11)).toEqual(['A-8', 'A-10']);
    expect(issues).toHaveLength(ISSUES);
  });

  function counting(places: StartContext['places'], ...others: [string, Action, Mode, Priority][]) {
    const asked: string[] = [];
    const { starts, view, context } = waiting({}, ...many, ...others);
    const holdOn = (issue: string) => {
      asked.push(issue);
      return undefined;
    };
    return { starts, view, asked, context: { ...context, places, holdOn } };
  }
});
