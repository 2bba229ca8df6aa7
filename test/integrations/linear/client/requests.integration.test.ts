import { describe, expect, it } from 'vitest';
import { faultOf, json } from '../../github/client/loopback.ts';
import { complaint, errors, KEY, never, wire } from './wire.ts';

describe('a request', () => {
  it('sends the document and its variables and returns the data', async () => {
    await using server = await wire((response) => json(response, 200, { data: { ok: true } }));
    const variables = { url: 'u', headers: { a: [1, null] } };
    const client = server.client({ url: `${server.url}/` });
    expect(await client.query('query Q { ok }', variables, { signal: never })).toEqual({ ok: true });
    expect(JSON.parse(server.seen[0]?.body ?? '')).toEqual({ query: 'query Q { ok }', variables });
    expect(server.seen[0]?.path).toBe('/graphql');
  });

  it('sends a personal key as is and an OAuth token as a bearer token', async () => {
    await using server = await wire((response) => json(response, 200, { data: { ok: true } }));
    for (const kind of ['api_key', 'access_token'] as const) {
      const client = server.client({ credential: { kind, value: KEY } });
      await client.query('query Q { ok }', {}, { signal: never });
    }
    expect(server.seen.map(({ headers }) => headers.authorization)).toEqual([KEY, `Bearer ${KEY}`]);
  });

  it('that writes waits for the response to the previous write; one that reads does not', async () => {
    let writing = 0;
    let most = 0;
    await using server = await wire(async (response, { body }) => {
      const write = body.includes('mutation');
      if (write) writing += 1;
      most = Math.max(most, writing);
      await new Promise((resolve) => setTimeout(resolve, 20));
      if (write) writing -= 1;
      // A failed write does not block the others.
      if (body.includes('N2')) json(response, 200, { errors: [complaint('forbidden')] });
      else json(response, 200, { data: { ok: true } });
    });
    const client = server.client();
    const numbers = ['1', '2', '3', '4'];
    const writes = numbers.map((number) => client.mutate(`mutation N${number} { x }`, {}));
    const [, second] = await Promise.allSettled([
      ...writes,
      client.query('query Q { x }', {}, { signal: never }),
    ]);
    expect(second?.status).toBe('rejected');
    expect(most).toBe(1);
    expect(server.seen.flatMap(({ body }) => /mutation N(\d)/.exec(body)?.[1] ?? [])).toEqual(numbers);
    expect(server.seen.findIndex(({ body }) => body.includes('query Q'))).toBeLessThan(4);
  });

  it('is never sent if it was aborted while queued', async () => {
    const ending = new AbortController();
    const release = Promise.withResolvers<void>();
    await using server = await wire(async (response) => {
      await release.promise;
      json(response, 200, { data: { ok: true } });
    });
    const client = server.client();
    const first = client.mutate('mutation First { x }', {});
    const second = client.mutate('mutation Second { x }', {}, { signal: ending.signal });
    const third = client.mutate('mutation Third { x }', {});
    ending.abort(new Error('enough'));
    await expect(second).rejects.toThrow('enough');
    release.resolve();
    await Promise.all([first, third]);
    expect(server.seen.map(({ body }) => /mutation (\w+)/.exec(body)?.[1])).toEqual(['First', 'Third']);
  });
});

describe('the viewer', () => {
  const data = {
    viewer: { id: 'u-1', name: 'Ada', email: 'ada@example.com' },
    organization: { name: 'Acme', urlKey: 'acme' },
  };

  it('is read once for all callers', async () => {
    await using server = await wire((response) => json(response, 200, { data }));
    const client = server.client();
    const [one, two] = await Promise.all([client.viewer(), client.viewer()]);
    expect(await client.viewer()).toEqual(one);
    expect(two).toEqual({ ...data.viewer, workspace: data.organization });
    expect(server.seen).toHaveLength(1);
  });

  it('is read again after a failure', async () => {
    let fails = true;
    await using server = await wire((response, seen) =>
      fails ? errors(401, complaint('authentication error'))(response, seen) : json(response, 200, { data }),
    );
    const client = server.client();
    expect((await faultOf(client.viewer())).code).toBe('linear.unauthorized');
    fails = false;
    expect((await client.viewer()).name).toBe('Ada');
  });

  it('is unknown if the response does not contain the account', async () => {
    await using server = await wire((response) =>
      json(response, 200, { data: { viewer: null, organization: null } }),
    );
    expect((await faultOf(server.client().viewer())).code).toBe('linear.unavailable');
  });
});
