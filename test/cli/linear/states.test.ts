import { describe, expect, test } from 'vitest';
import { compareStates, listFreeStates } from '../../../src/cli/linear-team.ts';
import { STATUSES } from '../../../src/core/model/status.ts';
import type { LinearTeam, StateType } from '../../../src/integrations/linear/client/teams.ts';

function team(states: Readonly<Record<string, StateType>>): LinearTeam {
  return {
    id: 'a-team',
    key: 'ENG',
    name: 'Engineering',
    isPrivate: false,
    labels: [],
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
  test('are recognised by name in a new team, and end states that match no status are ignored', () => {
    const { columns, missing, problems } = compareStates(team(NEW), {});
    expect(columns.missing).toEqual(['Triage', 'Icebox', 'Testing', 'Retro']);
    expect(columns.names).toEqual({ 'Needs Review': ['In Review'] });
    expect(columns.others).toEqual([]);
    expect(missing.states.map(({ name }) => name)).toEqual(columns.missing);
    expect(problems).toEqual([]);
  });

  test('must be configured explicitly if their names differ from the statuses in punctuation; so must Linear’s own triage state', () => {
    const { columns } = compareStates(team({ ...NEW, Inbox: 'triage', re_tro: 'started' }), {});
    expect(columns.unconfigured).toEqual({ Triage: ['Inbox'], Retro: ['re_tro'] });
    expect(columns.missing).toEqual(['Icebox', 'Testing']);
  });

  test('are not created under the default name if the operator has configured another name', () => {
    const given = { Testing: ['QA'], Icebox: ['Some day'] };
    const { columns, missing } = compareStates(team({ ...NEW, QA: 'started' }), given);
    expect(columns.missing).toEqual(['Triage', 'Icebox', 'Retro']);
    expect(missing.states.map(({ name }) => name)).toEqual(['Triage', 'Some day', 'Retro']);
  });

  test('are reported as problems if Testing uses an end state, or Done uses a state that is not completed', () => {
    const { problems } = compareStates(team({ ...NEW, Testing: 'canceled', Done: 'started' }), {});
    expect(problems).toEqual([
      expect.stringContaining('The state Testing has type canceled, but Testing cannot use an end state'),
      expect.stringContaining('The state Done has type started, but Done needs a state of type completed'),
    ]);
  });

  test('can be mapped by type: completed states to Done, open ones to all other statuses', () => {
    const { Done: _, ...others } = NEW;
    const own = team({ ...others, Shipped: 'completed', Ideas: 'backlog' });
    const { columns } = compareStates(own, {});
    expect(listFreeStates(own, columns, 'Done')).toEqual(['Shipped']);
    for (const status of STATUSES.filter((each) => each !== 'Done'))
      expect(listFreeStates(own, columns, status)).toEqual(['Ideas']);
  });
});
