import { describe, expect, it } from 'vitest';
import { STATUSES } from '../../../../src/core/model/status.ts';
import { LABELS } from '../../../../src/domain/label.ts';
import { readTeams, type Team } from '../../../../src/integrations/linear/client/teams.ts';
import type { LinearClient } from '../../../../src/linear/client.ts';
import { createMissing, type Made } from '../../../../src/linear/create-missing.ts';
import { missingIn } from '../../../../src/linear/missing.ts';
import { faultOf } from '../../github/client/loopback.ts';
import { linearStage } from './linear-client.ts';
import { never } from './wire.ts';

const stage = linearStage();

async function teamOf(client: LinearClient): Promise<Team> {
  const [team] = await readTeams(client, never);
  if (team === undefined) throw new Error('there is no team');
  return team;
}

async function create(client: LinearClient, missing: ReturnType<typeof missingIn>): Promise<readonly Made[]> {
  const made: Made[] = [];
  const { id } = await teamOf(client);
  await createMissing({ client, team: id, missing, told: (each) => made.push(each), signal: never });
  return made;
}

describe('what a team lacks', () => {
  it('is created, and then it lacks nothing', async () => {
    const { linear, client } = stage();
    linear.people.team({ key: 'ENG', name: 'Engineering' });
    const it = client();
    const missing = missingIn(await teamOf(it), {});
    const made = await create(it, missing);
    expect(made.map(({ name }) => name)).toEqual(['Triage', 'Icebox', 'Testing', 'Retro', ...LABELS]);
    expect(new Set(made.map(({ outcome }) => outcome))).toEqual(new Set(['created']));
    const after = await teamOf(it);
    expect(missingIn(after, {})).toEqual({ states: [], unsaid: [], unfit: [], labels: [], exclusive: [] });
    // Linear's own "In Review" is Needs Review.
    const columns = after.states.map(({ name }) => (name === 'In Review' ? 'Needs Review' : name));
    expect(columns).toEqual([...STATUSES, 'Canceled', 'Duplicate']);
    expect(linear.snapshot().labels.map(({ team }) => team)).not.toContain(null);
  });

  it('is created once, however often it is asked for', async () => {
    const { linear, client, asked } = stage();
    linear.people.team({ key: 'ENG', name: 'Engineering' });
    const it = client();
    const missing = missingIn(await teamOf(it), {});
    await create(it, missing);
    const before = linear.snapshot();
    asked();
    const again = await create(it, missing);
    expect(new Set(asked())).toEqual(new Set(['Teams']));
    expect(new Set(again.map(({ outcome }) => outcome))).toEqual(new Set(['found']));
    expect(again).toHaveLength(missing.states.length + missing.labels.length);
    expect(linear.snapshot()).toEqual(before);
  });

  it('is found again where the answer was lost, or somebody else was faster', async () => {
    const { linear, client } = stage();
    linear.people.team({ key: 'ENG', name: 'Engineering' });
    const it = client();
    const missing = missingIn(await teamOf(it), {});
    linear.faults.next({ matching: 'CreateState', answer: { reset: true }, executed: true });
    linear.faults.next({ matching: 'CreateLabel', answer: { status: 502 }, executed: true });
    const { id } = await teamOf(it);
    const made: Made[] = [];
    const told = (each: Made) => {
      made.push(each);
      // After the states are read, before this one is made.
      if (each.name === 'worker-done') linear.people.label({ name: 'User-Input-Needed', team: 'ENG' });
    };
    await createMissing({ client: it, team: id, missing, told, signal: never });
    const found = made.filter(({ outcome }) => outcome === 'found').map(({ name }) => name);
    expect(found).toEqual(['Triage', 'worker-active', 'user-input-needed']);
    expect(missingIn(await teamOf(it), {}).labels).toEqual([]);
    const { states, labels } = linear.snapshot();
    expect(labels).toHaveLength(LABELS.length);
    expect(Object.values(states).flat()).toHaveLength(11);
  });

  it('is not claimed to be there where Linear refuses it', async () => {
    const { linear, client } = stage();
    linear.people.team({ key: 'ENG', name: 'Engineering' });
    const it = client();
    const missing = missingIn(await teamOf(it), {});
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

  it('looks as it is told to', async () => {
    const { linear, client } = stage();
    linear.people.team({ key: 'ENG', name: 'Engineering' });
    const it = client();
    const { id } = await teamOf(it);
    const look = () => ({ color: 'd93f0b', description: 'Legion: waits' });
    const missing = { states: [], labels: ['rollback'] };
    await createMissing({ client: it, team: id, missing, look, told: () => {}, signal: never });
    const { issueLabels } = await it.query<{ issueLabels: { nodes: unknown } }>(
      'query Looks { issueLabels { nodes { name color description } } }',
      {},
      { signal: never },
    );
    expect(issueLabels.nodes).toEqual([{ name: 'rollback', color: '#d93f0b', description: 'Legion: waits' }]);
  });

  it('of a team that the account does not see is not created', async () => {
    const { client } = stage();
    const nowhere = { client: client(), team: '924320b3-c96b-410f-b8c4-43e1040229e8' };
    const fault = await faultOf(
      createMissing({ ...nowhere, missing: { states: [], labels: [] }, told: () => {}, signal: never }),
    );
    expect(fault.code).toBe('linear.missing');
  });
});
