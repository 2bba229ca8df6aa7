import { describe, expect, it } from 'vitest';
import { readTeams } from '../../../../src/integrations/linear/client/teams.ts';
import { faultOf, json } from '../../github/client/loopback.ts';
import { linearStage } from './linear-client.ts';
import { never, wire } from './wire.ts';

const stage = linearStage();

describe('the teams', () => {
  it('are returned with their states in order, their labels and the workspace’s labels', async () => {
    const { linear, client, asked } = stage();
    const { people } = linear;
    const id = people.team({ key: 'ENG', name: 'Engineering', triage: true });
    people.team({ key: 'OPS', name: 'Operations' });
    const group = people.label({ name: 'Kind', team: 'ENG' });
    people.label({ name: 'worker-done', team: 'ENG', group: 'Kind' });
    people.label({ name: 'bug' });
    people.label({ name: 'theirs', team: 'OPS' });
    const [first, second] = await readTeams(client(), never);
    expect(first).toMatchObject({ id, key: 'ENG', name: 'Engineering', isPrivate: false });
    expect(first?.states.map(({ name, type }) => `${name} ${type}`)).toEqual([
      'Triage triage',
      'Backlog backlog',
      'Todo unstarted',
      'In Progress started',
      'In Review started',
      'Done completed',
      'Canceled canceled',
      'Duplicate duplicate',
    ]);
    expect(first?.labels).toEqual([
      { id: group, name: 'Kind', team: id, group: undefined, isGroup: true },
      {
        id: expect.any(String),
        name: 'worker-done',
        team: id,
        group: { id: group, name: 'Kind', isExclusive: true },
        isGroup: false,
      },
      { id: expect.any(String), name: 'bug', team: undefined, group: undefined, isGroup: false },
    ]);
    expect(second?.labels.map(({ name }) => name)).toEqual(['theirs', 'bug']);
    expect(asked()).toEqual(['Teams']);
  });

  it('are those that the account can see', async () => {
    const { linear, client } = stage();
    const { people } = linear;
    people.user('grace');
    people.team({ key: 'ENG', name: 'Engineering' });
    people.team({ key: 'SEC', name: 'Secret', private: true });
    people.join('grace', 'SEC');
    const seenBy = async (key?: string) =>
      (await readTeams(client(key === undefined ? {} : { key }), never)).map((team) => [
        team.key,
        team.isPrivate,
      ]);
    expect(await seenBy()).toEqual([['ENG', false]]);
    expect(await seenBy(people.apiKey('grace'))).toEqual([
      ['ENG', false],
      ['SEC', true],
    ]);
  });

  it('are complete across pages, and further pages are requested only for incomplete lists', async () => {
    const { linear, client, asked } = stage();
    for (let index = 0; index < 40; index += 1)
      linear.people.team({ key: `T${index}`, name: `Team ${index}` });
    for (let index = 0; index < 520; index += 1) linear.people.label({ name: `label ${index}` });
    const teams = await readTeams(client(), never);
    expect(teams).toHaveLength(40);
    for (const { states, labels } of teams) {
      expect(states).toHaveLength(7);
      expect(new Set(labels.map(({ name }) => name)).size).toBe(520);
    }
    expect(asked()).toEqual(['Teams', 'Teams', 'Teams']);
    for (const { complexity } of linear.requests()) expect(complexity).toBeLessThan(3_000);
  });

  it('cannot be read if one page fails', async () => {
    const { linear, client } = stage();
    linear.people.team({ key: 'ENG', name: 'Engineering' });
    linear.faults.next({ matching: 'Teams', answer: { partial: true } });
    expect((await faultOf(readTeams(client(), never))).code).toMatch(/^linear\./);
  });

  it('cannot be read if the pages never end', async () => {
    const endless = { nodes: [], pageInfo: { hasNextPage: true, endCursor: 'same' } };
    const data = { teams: endless, workflowStates: endless, issueLabels: endless };
    await using server = await wire((response) => json(response, 200, { data }));
    expect((await faultOf(readTeams(server.client(), never))).message).toContain('endless');
    expect(server.seen).toHaveLength(2);
  });
});
