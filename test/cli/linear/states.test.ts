import { describe, expect, test } from 'vitest';
import { compareStates, freeStates } from '../../../src/cli/linear/states.ts';
import { STATUSES } from '../../../src/core/model/status.ts';
import type { StateType, Team } from '../../../src/integrations/linear/client/teams.ts';

function team(states: Readonly<Record<string, StateType>>): Team {
  return {
    ...{ id: 'a-team', key: 'ENG', name: 'Engineering', isPrivate: false, labels: [] },
    states: Object.entries(states).map(([name, type], position) => ({ id: name, name, type, position })),
  };
}

const NEW = {
  Backlog: 'backlog',
  Todo: 'unstarted',
  'In Progress': 'started',
  'In Review': 'started',
  Done: 'completed',
  Canceled: 'canceled',
  Duplicate: 'duplicate',
} as const;

describe('the states of a team', () => {
  test('of a new one are known by their names, and its ends are left out', () => {
    const { columns, missing, problems } = compareStates(team(NEW), {});
    expect(columns.missing).toEqual(['Triage', 'Icebox', 'Testing', 'Retro']);
    expect(columns.names).toEqual({ 'Needs Review': ['In Review'] });
    expect(columns.others).toEqual([]);
    expect(missing.states.map(({ name }) => name)).toEqual(columns.missing);
    expect(problems).toEqual([]);
  });

  test('that are alike but for marks, and Linear’s own Triage, count only with their names', () => {
    const { columns } = compareStates(team({ ...NEW, Inbox: 'triage', re_tro: 'started' }), {});
    expect(columns.unsaid).toEqual({ Triage: ['Inbox'], Retro: ['re_tro'] });
    expect(columns.missing).toEqual(['Icebox', 'Testing']);
  });

  test('as an operator calls them are not made again', () => {
    const given = { Testing: ['QA'], Icebox: ['Some day'] };
    const { columns, missing } = compareStates(team({ ...NEW, QA: 'started' }), given);
    expect(columns.missing).toEqual(['Triage', 'Icebox', 'Retro']);
    expect(missing.states.map(({ name }) => name)).toEqual(['Triage', 'Some day', 'Retro']);
  });

  test('that end an issue are no place to work in, and one that does not is not Done', () => {
    const { problems } = compareStates(team({ ...NEW, Testing: 'canceled', Done: 'started' }), {});
    expect(problems).toEqual([
      expect.stringContaining('The state Testing is of the type canceled, but Testing must not be an end'),
      expect.stringContaining(
        'The state Done is of the type started, but Done must be of the type completed',
      ),
    ]);
  });

  test('may be given to a status by what they are: an end to Done, all others to the rest', () => {
    const { Done: _, ...others } = NEW;
    const own = team({ ...others, Shipped: 'completed', Ideas: 'backlog' });
    const { columns } = compareStates(own, {});
    expect(freeStates(own, columns, 'Done')).toEqual(['Shipped']);
    for (const status of STATUSES.filter((each) => each !== 'Done'))
      expect(freeStates(own, columns, status)).toEqual(['Ideas']);
  });
});
