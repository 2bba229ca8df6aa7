import { describe, expect, it } from 'vitest';
import { LABELS } from '../../../../src/core/model/label.ts';
import { STATUSES } from '../../../../src/core/model/status.ts';
import type { LinearClient } from '../../../../src/integrations/linear/client/client.ts';
import {
  type CreateMissingResult,
  createMissing,
  findMissingParts,
} from '../../../../src/integrations/linear/client/create-missing.ts';
import { type LinearTeam, readTeams } from '../../../../src/integrations/linear/client/teams.ts';
import { faultOf } from '../../github/client/loopback.ts';
import { linearStage } from './linear-client.ts';
import { never } from './wire.ts';

const stage = linearStage();

async function teamOf(client: LinearClient): Promise<LinearTeam> {
  const [team] = await readTeams(client, never);
  if (team === undefined) throw new Error('the team is missing');
  return team;
}

async function create(
  client: LinearClient,
  missing: ReturnType<typeof findMissingParts>,
): Promise<readonly CreateMissingResult[]> {
  const made: CreateMissingResult[] = [];
  const { id } = await teamOf(client);
  await createMissing({ client, team: id, missing, onResult: (each) => made.push(each), signal: never });
  return made;
}

describe('missing states and labels', () => {
  it('are created, and afterwards none is missing', async () => {
    const { linear, client } = stage();
    linear.people.team({ key: 'ENG', name: 'Engineering' });
    const it = client();
    const missing = findMissingParts(await teamOf(it), {});
    const made = await create(it, missing);
    expect(made.map(({ name }) => name)).toEqual(['Triage', 'Icebox', 'Testing', 'Retro', ...LABELS]);
    expect(new Set(made.map(({ outcome }) => outcome))).toEqual(new Set(['created']));
    const after = await teamOf(it);
    expect(findMissingParts(after, {})).toEqual({
      states: [],
      unsaid: [],
      unfit: [],
      labels: [],
      exclusive: [],
    });
    // Linear's default state "In Review" serves as Needs Review.
    const columns = after.states.map(({ name }) => (name === 'In Review' ? 'Needs Review' : name));
    expect(columns).toEqual([...STATUSES, 'Canceled', 'Duplicate']);
    expect(linear.snapshot().labels.map(({ team }) => team)).not.toContain(null);
  });

  it('are created once, however often they are requested', async () => {
    const { linear, client, asked } = stage();
    linear.people.team({ key: 'ENG', name: 'Engineering' });
    const it = client();
    const missing = findMissingParts(await teamOf(it), {});
    await create(it, missing);
    const before = linear.snapshot();
    asked();
    const again = await create(it, missing);
    expect(new Set(asked())).toEqual(new Set(['Teams']));
    expect(new Set(again.map(({ outcome }) => outcome))).toEqual(new Set(['found']));
    expect(again).toHaveLength(missing.states.length + missing.labels.length);
    expect(linear.snapshot()).toEqual(before);
  });

  it('are found if the response to their creation was lost or if another process created them first', async () => {
    const { linear, client } = stage();
    linear.people.team({ key: 'ENG', name: 'Engineering' });
    const it = client();
    const missing = findMissingParts(await teamOf(it), {});
    linear.faults.next({ matching: 'CreateState', answer: { reset: true }, executed: true });
    linear.faults.next({ matching: 'CreateLabel', answer: { status: 502 }, executed: true });
    const { id } = await teamOf(it);
    const made: CreateMissingResult[] = [];
    const told = (each: CreateMissingResult) => {
      made.push(each);
      // Runs after the states are read and before this label is created.
      if (each.name === 'worker-done') linear.people.label({ name: 'User-Input-Needed', team: 'ENG' });
    };
    await createMissing({ client: it, team: id, missing, onResult: told, signal: never });
    const found = made.filter(({ outcome }) => outcome === 'found').map(({ name }) => name);
    expect(found).toEqual(['Triage', 'worker-active', 'user-input-needed']);
    expect(findMissingParts(await teamOf(it), {}).labels).toEqual([]);
    const { states, labels } = linear.snapshot();
    expect(labels).toHaveLength(LABELS.length);
    expect(Object.values(states).flat()).toHaveLength(11);
  });

  it('are not reported as present if Linear refuses them', async () => {
    const { linear, client } = stage();
    linear.people.team({ key: 'ENG', name: 'Engineering' });
    const it = client();
    const missing = findMissingParts(await teamOf(it), {});
    linear.faults.next({
      matching: 'CreateLabel',
      answer: { errorType: 'forbidden', message: 'Admins only' },
    });
    const fault = await faultOf(create(it, missing));
    expect(fault).toMatchObject({
      code: 'linear.forbidden',
      message: expect.stringContaining('Admins only'),
    });
    linear.faults.next({
      matching: 'CreateLabel',
      answer: { errorType: 'invalid input', message: 'Too many' },
    });
    expect(await faultOf(create(it, missing))).toMatchObject({ code: 'linear.refused' });
  });

  it('get the given colours and descriptions', async () => {
    const { linear, client } = stage();
    linear.people.team({ key: 'ENG', name: 'Engineering' });
    const it = client();
    const { id } = await teamOf(it);
    const look = () => ({ color: 'd93f0b', description: 'Legion: waits' });
    const missing = { states: [], labels: ['rollback'] };
    await createMissing({
      client: it,
      team: id,
      missing,
      labelStyle: look,
      onResult: () => {},
      signal: never,
    });
    const { issueLabels } = await it.query<{ issueLabels: { nodes: unknown } }>(
      'query Looks { issueLabels { nodes { name color description } } }',
      {},
      { signal: never },
    );
    expect(issueLabels.nodes).toEqual([{ name: 'rollback', color: '#d93f0b', description: 'Legion: waits' }]);
  });

  it('are not created for a team that the account cannot see', async () => {
    const { client } = stage();
    const nowhere = { client: client(), team: '924320b3-c96b-410f-b8c4-43e1040229e8' };
    const fault = await faultOf(
      createMissing({ ...nowhere, missing: { states: [], labels: [] }, onResult: () => {}, signal: never }),
    );
    expect(fault.code).toBe('linear.missing');
  });
});
