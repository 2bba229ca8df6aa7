/** Tests responses with malformed records, and with nulls where GitHub's schema allows them. */
import { describe, expect, it } from 'vitest';
import { createMarkedComment } from '../../../../src/integrations/github/client/marked-comment.ts';
import { readLabelIds } from '../../../../src/integrations/github/client/repository-labels.ts';
import { faultOf, json, loopback } from './loopback.ts';

const signal = new AbortController().signal;
const repository = { owner: { login: 'acme' }, name: 'app' };

/** Starts a server that returns these responses in order and then repeats the last one. */
function answering(...answers: readonly unknown[]) {
  const left = [...answers];
  return loopback((response) => json(response, 200, { data: left.length > 1 ? left.shift() : left[0] }));
}

describe('permissions', () => {
  it.each([
    ['no repository', null],
    ['no collaborators', { collaborators: null }],
    ['no edges', { collaborators: { edges: null } }],
    ['a null edge', { collaborators: { edges: [null] } }],
    ['an edge without a person', { collaborators: { edges: [{ permission: 'ADMIN', node: null }] } }],
  ])(
    'deny write access to an account whose response has %s, and do not affect other accounts',
    async (_, first) => {
      const second = { collaborators: { edges: [{ permission: 'WRITE', node: { login: 'bob' } }] } };
      await using server = await answering({ a0: first, a1: second });
      const { permissions } = server.client();
      const asked = ['ada', 'bob'].map((login) => ({ login, repository }));
      await permissions.learn(asked, signal);
      expect(asked.map(permissions.mayWrite)).toEqual([false, true]);
    },
  );
});

describe('label ids', () => {
  it('are omitted for labels that the repository does not have', async () => {
    await using server = await answering({ repository: { id: 'R1', l0: null, l1: { id: 'L1' } } });
    const found = await readLabelIds(server.client(), { owner: 'acme', name: 'app' }, ['a', 'b'], signal);
    expect(found).toEqual({ id: 'R1', ids: new Map([['b', 'L1']]) });
  });

  it('cannot be read if the repository is not visible', async () => {
    await using server = await answering({ repository: null });
    const read = readLabelIds(server.client(), { owner: 'acme', name: 'app' }, ['a'], signal);
    expect(await faultOf(read)).toMatchObject({
      code: 'github.missing',
      message: 'The repository acme/app is not visible on GitHub',
    });
  });
});

describe('a posted comment', () => {
  const post = async (...answers: readonly unknown[]) => {
    await using server = await answering(...answers);
    const { post: send } = createMarkedComment({
      client: server.client(),
      isLegion: (login) => login === 'legion',
      name: 'key',
      body: 'text\n\n<!-- legion:key -->',
      read: async () => ({ subject: 'I1', comments: [] }),
    });
    const outcome = await send().catch((error: unknown) => error);
    return { outcome, asked: server.seen.map(({ body }) => JSON.parse(body).variables) };
  };
  const shown = (...nodes: readonly unknown[]) => ({ addComment: { subject: { comments: { nodes } } } });
  const mine = (id: string, fullDatabaseId: unknown) => ({
    id,
    fullDatabaseId,
    body: 'text\n\n<!-- legion:key -->',
    author: { __typename: 'User', login: 'legion' },
  });

  it.each([
    ['no payload', { addComment: null }],
    ['no subject', { addComment: { subject: null } }],
    ['a subject of another type', { addComment: { subject: {} } }],
    ['no comments', { addComment: { subject: { comments: { nodes: null } } } }],
  ])('is treated as possibly posted if the response has %s', async (_, answer) => {
    expect((await post(answer)).outcome).toMatchObject({ code: 'github.unavailable' });
  });

  it('exists only once: its later duplicates are deleted, even if other comments are malformed', async () => {
    const others = [null, { id: 'C0', body: null }, { ...mine('C9', '9'), author: null }, 'words'];
    const { outcome, asked } = await post(shown(...others, mine('C2', '2'), mine('C1', '1')), { s0: {} });
    expect(outcome).toBe(true);
    expect(asked.slice(1)).toEqual([{ s0: { id: 'C2' } }]);
  });

  it('is accepted as posted even if its database id is missing or malformed', async () => {
    const { outcome, asked } = await post(shown(mine('C1', null), mine('C2', 'x')), { s0: {} });
    expect(outcome).toBe(true);
    expect(asked).toHaveLength(2);
  });
});
