/** Answers with nulls that GitHub's schema allows, and with records that it does not. */
import { describe, expect, it } from 'vitest';
import { readLabelIds } from '../../../../src/github/repository-labels.ts';
import { markedComment } from '../../../../src/integrations/github/client/marked-comment.ts';
import { faultOf, json, loopback } from './loopback.ts';

const signal = new AbortController().signal;
const repository = { owner: { login: 'acme' }, name: 'app' };

/** A server that answers every request with the next of these, and the last for ever. */
function answering(...answers: readonly unknown[]) {
  const left = [...answers];
  return loopback((response) => json(response, 200, { data: left.length > 1 ? left.shift() : left[0] }));
}

describe('permissions', () => {
  it.each([
    ['no repository', null],
    ['no collaborators', { collaborators: null }],
    ['no edges', { collaborators: { edges: null } }],
    ['an edge that is null', { collaborators: { edges: [null] } }],
    ['an edge without a person', { collaborators: { edges: [{ permission: 'ADMIN', node: null }] } }],
  ])('make nobody a writer by an answer with %s, and disturb no other account', async (_, first) => {
    const second = { collaborators: { edges: [{ permission: 'WRITE', node: { login: 'bob' } }] } };
    await using server = await answering({ a0: first, a1: second });
    const { permissions } = server.client();
    const asked = ['ada', 'bob'].map((login) => ({ login, repository }));
    await permissions.learn(asked, signal);
    expect(asked.map(permissions.mayWrite)).toEqual([false, true]);
  });
});

describe('labels', () => {
  it('are missing where GitHub shows none of that name', async () => {
    await using server = await answering({ repository: { id: 'R1', l0: null, l1: { id: 'L1' } } });
    const found = await readLabelIds(server.client(), { owner: 'acme', name: 'app' }, ['a', 'b'], signal);
    expect(found).toEqual({ id: 'R1', ids: new Map([['b', 'L1']]) });
  });

  it('end with a fault where GitHub shows no repository', async () => {
    await using server = await answering({ repository: null });
    const read = readLabelIds(server.client(), { owner: 'acme', name: 'app' }, ['a'], signal);
    expect(await faultOf(read)).toMatchObject({
      code: 'github.missing',
      message: 'GitHub shows no acme/app',
    });
  });
});

describe('a comment that was sent', () => {
  const post = async (...answers: readonly unknown[]) => {
    await using server = await answering(...answers);
    const { post: send } = markedComment({
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
    ['a subject of another kind', { addComment: { subject: {} } }],
    ['no comments', { addComment: { subject: { comments: { nodes: null } } } }],
  ])('may have been posted where the answer has %s', async (_, answer) => {
    expect((await post(answer)).outcome).toMatchObject({ code: 'github.unavailable' });
  });

  it('takes back all but the first of its kind, whatever other comments look like', async () => {
    const others = [null, { id: 'C0', body: null }, { ...mine('C9', '9'), author: null }, 'words'];
    const { outcome, asked } = await post(shown(...others, mine('C2', '2'), mine('C1', '1')), { s0: {} });
    expect(outcome).toBe(true);
    expect(asked.slice(1)).toEqual([{ s0: { id: 'C2' } }]);
  });

  it('stays where its number is none', async () => {
    const { outcome, asked } = await post(shown(mine('C1', null), mine('C2', 'x')), { s0: {} });
    expect(outcome).toBe(true);
    expect(asked).toHaveLength(2);
  });
});
