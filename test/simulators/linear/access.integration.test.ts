/**
 * Checks which data each requester may see, depending on keys, tokens, scopes, guest status and
 * private teams.
 */
import { afterEach, expect, test } from 'vitest';
import { closeStages, stage } from './simulated-linear.ts';

afterEach(closeStages);

const VIEWER = '{ viewer { name app } }';
const COMMENT = 'mutation { commentCreate(input: {issueId: "ENG-1", body: "hello"}) { success } }';
const CREATE = 'mutation($team: String!) { issueCreate(input: {teamId: $team, title: "New"}) { success } }';

test('a personal key is accepted only without the Bearer prefix, and a token only with it', async () => {
  const { ask, key, linear } = await stage();
  const { accessToken } = linear.people.app('Legion');
  expect((await ask(VIEWER, {}, key)).data.viewer).toEqual({ name: 'ada', app: false });
  expect((await ask(VIEWER, {}, `Bearer ${accessToken}`)).data.viewer).toEqual({ name: 'Legion', app: true });
  for (const wrong of ['', 'lin_api_nonsense', `Bearer ${key}`, accessToken]) {
    expect(await ask(VIEWER, {}, wrong), wrong).toMatchObject({
      status: 401,
      errors: [
        { extensions: { type: 'authentication error', code: 'AUTHENTICATION_ERROR', statusCode: 401 } },
      ],
    });
  }
});

test('the key of a deactivated user is rejected', async () => {
  const { ask, linear } = await stage();
  linear.people.user('carl', { active: false });
  expect((await ask(VIEWER, {}, linear.people.apiKey('carl'))).status).toBe(401);
});

test('a key can write only within its scopes, and can always read', async () => {
  const { ask, team, linear } = await stage();
  linear.people.issue('ENG', { creator: 'ada', title: 'First' });
  const allowed = async (scopes: string[]) => {
    const key = linear.people.apiKey('ada', scopes);
    const read = await ask(VIEWER, {}, key);
    const comment = await ask(COMMENT, {}, key);
    const create = await ask(CREATE, { team }, key);
    for (const { status, errors } of [comment, create]) {
      expect(status).toBe(200);
      if (errors.length > 0)
        expect(errors).toMatchObject([{ extensions: { type: 'forbidden', code: 'FORBIDDEN' } }]);
    }
    return [read, comment, create].map(({ errors }) => errors.length === 0);
  };
  expect(await allowed(['read'])).toEqual([true, false, false]);
  expect(await allowed(['read', 'comments:create'])).toEqual([true, true, false]);
  expect(await allowed(['read', 'issues:create'])).toEqual([true, false, true]);
  expect(await allowed(['read', 'write'])).toEqual([true, true, true]);
});

test('a guest sees only the teams it was invited to', async () => {
  const { ask, refusal, linear } = await stage();
  const { people } = linear;
  const ops = people.team({ key: 'OPS', name: 'Operations' });
  people.user('gast', { guest: true });
  people.join('gast', 'OPS');
  people.issue('ENG', { creator: 'ada', title: 'Hidden' });
  people.issue('OPS', { creator: 'ada', title: 'Shown', parent: 'ENG-1' });
  people.comment('ada', 'ENG-1', 'hidden');
  people.block('OPS-1', 'ENG-1');
  people.label({ name: 'secret', team: 'ENG' });
  const key = people.apiKey('gast');
  const { data } = await ask(
    `{ teams { nodes { key } } issues { nodes { identifier parent { id } inverseRelations { nodes { id } } } }
       comments { nodes { id } } issueLabels { nodes { name } } viewer { guest teams { nodes { key } } } }`,
    {},
    key,
  );
  expect(data).toEqual({
    teams: { nodes: [{ key: 'OPS' }] },
    issues: { nodes: [{ identifier: 'OPS-1', parent: null, inverseRelations: { nodes: [] } }] },
    comments: { nodes: [] },
    issueLabels: { nodes: [] },
    viewer: { guest: true, teams: { nodes: [{ key: 'OPS' }] } },
  });
  expect((await refusal('{ issue(id: "ENG-1") { id } }', {}, key))?.message).toBe('Entity not found: Issue');
  expect((await refusal(COMMENT, {}, key))?.message).toBe('Entity not found: Issue');
  expect((await ask(CREATE, { team: ops }, key)).errors).toEqual([]);
  const state =
    'mutation($t: String!) { workflowStateCreate(input: {teamId: $t, name: "x", type: "started", color: "#fff"}) { success } }';
  expect((await refusal(state, { t: ops }, key))?.extensions.type).toBe('forbidden');
});

test('a private team is visible only to its members, which may include an app', async () => {
  const { ask, linear } = await stage();
  const { people } = linear;
  people.team({ key: 'SEC', name: 'Secret', private: true });
  const { accessToken } = people.app('Legion');
  const keys = async (authorization?: string) => {
    const { data } = await ask('{ teams { nodes { key visibility } } }', {}, authorization);
    return data.teams.nodes;
  };
  expect(await keys()).toEqual([{ key: 'ENG', visibility: 'public' }]);
  people.join('ada', 'SEC');
  expect(await keys()).toEqual([
    { key: 'SEC', visibility: 'private' },
    { key: 'ENG', visibility: 'public' },
  ]);
  expect(await keys(`Bearer ${accessToken}`)).toHaveLength(1);
  people.join('Legion', 'SEC');
  expect(await keys(`Bearer ${accessToken}`)).toHaveLength(2);
});
