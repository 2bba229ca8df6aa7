import { describe, expect, test } from 'vitest';
import { BoardView } from '../../src/daemon/board-view.ts';
import { WaitingStarts } from '../../src/daemon/waiting-starts.ts';
import type { Action } from '../../src/domain/action.ts';
import type { Priority } from '../../src/domain/issue.ts';
import type { Mode } from '../../src/domain/mode.ts';
import { DEFAULT_BUDGETS } from '../../src/health/budget.ts';
import type { SeenIssue } from '../../src/swarm/observation.ts';
import { emptySwarm } from '../../src/swarm/state.ts';
import type { IssueStep } from '../../src/swarm/step.ts';

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
  return { starts, view, due: (held = nobodyHeld) => starts.due(emptySwarm(), context, held).issues };
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
