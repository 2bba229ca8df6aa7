import { describe, expect, it } from 'vitest';
import { LABELS } from '../../../../src/core/model/label.ts';
import { findColumn, STATUSES } from '../../../../src/core/model/status.ts';
import { findMissingParts } from '../../../../src/integrations/linear/client/create-missing.ts';
import type { StateType, TeamLabel, TeamState } from '../../../../src/integrations/linear/client/teams.ts';

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

describe('missing states', () => {
  it('are Triage, Icebox, Testing and Retro for a new Linear team', () => {
    const { states: missing, unsaid, unfit } = findMissingParts({ states: states(NEW_TEAM), labels }, {});
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

  it('are all nine, each with its type, for a team without states', () => {
    const { states: missing } = findMissingParts({ states: [], labels }, {});
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

  it('get positions that keep each type in pipeline order, whichever states already exist', () => {
    for (let mask = 0; mask < 2 ** STATUSES.length; mask += 1) {
      const whole = findMissingParts({ states: [], labels }, {}).states;
      const there = whole
        .filter((_, index) => (mask >> index) % 2 === 1)
        .map(({ name, type }, index): TeamState => ({ id: name, name, type, position: index * 1000 }));
      const strangers = states([
        ['Someday', 'backlog'],
        ['Ready', 'unstarted'],
        ['Blocked', 'started'],
      ]).map((state) => ({ ...state, position: 500 }));
      const found = [...there, ...strangers];
      const { states: made } = findMissingParts({ states: found, labels }, {});
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
      expect(
        findMissingParts({ states: all.map((state) => ({ id: '', ...state })), labels }, {}).states,
      ).toEqual([]);
    }
  });

  it('exclude statuses that have a state with any configured name; the others get their first configured name', () => {
    const columns = { Todo: ['Ready', 'Next'], Testing: ['QA', 'Verify'], Retro: ['Lessons'] };
    const found = states([...NEW_TEAM, ['Next', 'unstarted'], ['verify', 'started']]);
    const { states: missing } = findMissingParts({ states: found, labels }, columns);
    expect(missing.map(({ name }) => name)).toEqual(['Triage', 'Icebox', 'Lessons']);
    expect(
      findColumn(
        'Todo',
        found.map(({ name }) => name),
        columns,
      ),
    ).toBe('Next');
  });

  it('exclude Triage if a state of type triage exists, whatever its name', () => {
    const own = states([['Triage', 'triage'], ...NEW_TEAM]);
    expect(findMissingParts({ states: own, labels }, {}).states.map(({ name }) => name)).not.toContain(
      'Triage',
    );
    const renamed = findMissingParts({ states: states([['Inbox', 'triage'], ...NEW_TEAM]), labels }, {});
    expect(renamed.states.map(({ name }) => name)).toEqual(['Icebox', 'Testing', 'Retro']);
    expect(renamed.unsaid).toEqual([{ status: 'Triage', state: 'Inbox' }]);
    const named = findMissingParts(
      { states: states([['Inbox', 'triage'], ...NEW_TEAM]), labels },
      { Triage: ['Inbox'] },
    );
    expect(named.unsaid).toEqual([]);
  });

  it('come with a list of states whose type contradicts their status', () => {
    const { unfit } = findMissingParts(
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

describe('missing labels', () => {
  it('are those that exist neither in the team nor in the workspace, ignoring case', () => {
    const found = [label('Worker-Active'), label('worker-done', { team: undefined }), label('bug')];
    const { labels: missing } = findMissingParts({ states: [], labels: found }, {});
    expect(missing).toEqual(LABELS.filter((name) => name !== 'worker-active' && name !== 'worker-done'));
  });

  it('include names that exist only as groups', () => {
    const found = [...labels.slice(1), label('worker-active', { isGroup: true })];
    expect(findMissingParts({ states: [], labels: found }, {}).labels).toEqual(['worker-active']);
  });

  it('come with a list of labels that exclude each other, and their group', () => {
    const only = { id: 'g', name: 'Legion', isExclusive: true };
    const several = { id: 'h', name: 'Tests', isExclusive: false };
    const found = labels.map((each) => {
      if (each.name.startsWith('worker-')) return { ...each, group: only };
      return each.name.startsWith('test-') ? { ...each, group: several } : each;
    });
    expect(findMissingParts({ states: [], labels: found }, {}).exclusive).toEqual([
      { group: 'Legion', labels: ['worker-active', 'worker-done'] },
    ]);
    expect(findMissingParts({ states: [], labels }, {}).exclusive).toEqual([]);
  });
});
