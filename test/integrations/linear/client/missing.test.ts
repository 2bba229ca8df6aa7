import { describe, expect, it } from 'vitest';
import { columnFor, STATUSES } from '../../../../src/core/model/status.ts';
import { LABELS } from '../../../../src/domain/label.ts';
import type { StateType, TeamLabel, TeamState } from '../../../../src/integrations/linear/client/teams.ts';
import { missingIn } from '../../../../src/linear/missing.ts';

const NEW_TEAM = [
  ['Backlog', 'backlog'],
  ['Todo', 'unstarted'],
  ['In Progress', 'started'],
  ['In Review', 'started'],
  ['Done', 'completed'],
  ['Canceled', 'canceled'],
  ['Duplicate', 'duplicate'],
] as const;

function states(list: readonly (readonly [string, StateType])[]): readonly TeamState[] {
  return list.map(([name, type], position) => ({ id: `id-${name}`, name, type, position }));
}

function label(name: string, more: Partial<TeamLabel> = {}): TeamLabel {
  return { id: `id-${name}`, name, team: 'team', group: undefined, isGroup: false, ...more };
}

const labels = LABELS.map((name) => label(name));

describe('states', () => {
  it('of a new Linear team lack Triage, Icebox, Testing and Retro', () => {
    const { states: missing, unsaid, unfit } = missingIn({ states: states(NEW_TEAM), labels }, {});
    expect(missing).toEqual([
      {
        status: 'Triage',
        name: 'Triage',
        type: 'backlog',
        position: -1,
        note: expect.stringContaining('settings'),
      },
      { status: 'Icebox', name: 'Icebox', type: 'backlog', position: -0.5 },
      { status: 'Testing', name: 'Testing', type: 'started', position: 2.5 },
      { status: 'Retro', name: 'Retro', type: 'started', position: 4 },
    ]);
    expect([unsaid, unfit]).toEqual([[], []]);
  });

  it('of a team that has none are all nine, each of its type', () => {
    const { states: missing } = missingIn({ states: [], labels }, {});
    expect(missing.map(({ status, type }) => [status, type])).toEqual([
      ['Triage', 'backlog'],
      ['Icebox', 'backlog'],
      ['Backlog', 'backlog'],
      ['Todo', 'unstarted'],
      ['In Progress', 'started'],
      ['Testing', 'started'],
      ['Needs Review', 'started'],
      ['Retro', 'started'],
      ['Done', 'completed'],
    ]);
  });

  it('whatever is there, the new ones put each type into the pipeline’s order', () => {
    for (let mask = 0; mask < 2 ** STATUSES.length; mask += 1) {
      const whole = missingIn({ states: [], labels }, {}).states;
      const there = whole
        .filter((_, index) => (mask >> index) % 2 === 1)
        .map(({ name, type }, index): TeamState => ({ id: name, name, type, position: index * 1000 }));
      const strangers = states([
        ['Someday', 'backlog'],
        ['Ready', 'unstarted'],
        ['Blocked', 'started'],
      ]).map((state) => ({ ...state, position: 500 }));
      const found = [...there, ...strangers];
      const { states: made } = missingIn({ states: found, labels }, {});
      const all = [...found, ...made];
      const positions = new Set(all.map(({ type, position }) => `${type} ${position}`));
      expect(positions.size, `mask ${mask}`).toBe(all.length);
      for (const type of ['backlog', 'unstarted', 'started', 'completed']) {
        const shown = all.filter((state) => state.type === type).toSorted((a, b) => a.position - b.position);
        const order = shown.flatMap(({ name }) =>
          STATUSES.flatMap((status, at) => (status === name ? [at] : [])),
        );
        expect(order, `mask ${mask}`).toEqual(order.toSorted((a, b) => a - b));
      }
      expect(missingIn({ states: all.map((state) => ({ id: '', ...state })), labels }, {}).states).toEqual(
        [],
      );
    }
  });

  it('that the operator has named are found by those names, and made under the first of them', () => {
    const columns = { Todo: ['Ready', 'Next'], Testing: ['QA', 'Verify'], Retro: ['Lessons'] };
    const found = states([...NEW_TEAM, ['Next', 'unstarted'], ['verify', 'started']]);
    const { states: missing } = missingIn({ states: found, labels }, columns);
    expect(missing.map(({ name }) => name)).toEqual(['Triage', 'Icebox', 'Lessons']);
    expect(
      columnFor(
        'Todo',
        found.map(({ name }) => name),
        columns,
      ),
    ).toBe('Next');
  });

  it('of the type triage are Linear’s own Triage, whatever they are called', () => {
    const own = states([['Triage', 'triage'], ...NEW_TEAM]);
    expect(missingIn({ states: own, labels }, {}).states.map(({ name }) => name)).not.toContain('Triage');
    const renamed = missingIn({ states: states([['Inbox', 'triage'], ...NEW_TEAM]), labels }, {});
    expect(renamed.states.map(({ name }) => name)).toEqual(['Icebox', 'Testing', 'Retro']);
    expect(renamed.unsaid).toEqual([{ status: 'Triage', state: 'Inbox' }]);
    const named = missingIn(
      { states: states([['Inbox', 'triage'], ...NEW_TEAM]), labels },
      { Triage: ['Inbox'] },
    );
    expect(named.unsaid).toEqual([]);
  });

  it('of a type that contradicts their status are named', () => {
    const { unfit } = missingIn(
      {
        states: states([
          ['Testing', 'completed'],
          ['Done', 'canceled'],
          ['Retro', 'started'],
        ]),
        labels,
      },
      {},
    );
    expect(unfit).toEqual([
      { status: 'Testing', state: 'Testing', type: 'completed' },
      { status: 'Done', state: 'Done', type: 'canceled' },
    ]);
  });
});

describe('labels', () => {
  it('that neither the team nor the workspace has are missing, however they are capitalised', () => {
    const found = [label('Worker-Active'), label('worker-done', { team: undefined }), label('bug')];
    const { labels: missing } = missingIn({ states: [], labels: found }, {});
    expect(missing).toEqual(LABELS.filter((name) => name !== 'worker-active' && name !== 'worker-done'));
  });

  it('that are groups are none', () => {
    const found = [...labels.slice(1), label('worker-active', { isGroup: true })];
    expect(missingIn({ states: [], labels: found }, {}).labels).toEqual(['worker-active']);
  });

  it('that exclude each other are named with their group', () => {
    const only = { id: 'g', name: 'Legion', isExclusive: true };
    const several = { id: 'h', name: 'Tests', isExclusive: false };
    const found = labels.map((each) => {
      if (each.name.startsWith('worker-')) return { ...each, group: only };
      return each.name.startsWith('test-') ? { ...each, group: several } : each;
    });
    expect(missingIn({ states: [], labels: found }, {}).exclusive).toEqual([
      { group: 'Legion', labels: ['worker-active', 'worker-done'] },
    ]);
    expect(missingIn({ states: [], labels }, {}).exclusive).toEqual([]);
  });
});
