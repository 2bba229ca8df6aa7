import { describe, expect, it } from 'vitest';
import { faultOf, json, loopback } from './loopback.ts';

describe('REST', () => {
  it('fills in a route and returns data, etag and the next page', async () => {
    await using server = await loopback((response) => {
      const link = `<${server.url}/api/v3/repositories/1/issues?page=2>; rel="next", <x>; rel="last"`;
      json(response, 200, [{ number: 1 }], { etag: 'W/"abc"', link });
    });
    const client = server.client();
    const route = 'GET /repos/{owner}/{repo}/issues';
    const answer = await client.rest(route, { owner: 'acme', repo: 'a b', per_page: 1 });
    const next = `${server.url}/api/v3/repositories/1/issues?page=2`;
    expect(answer).toEqual({ data: [{ number: 1 }], etag: 'W/"abc"', next });
    expect(server.seen[0]).toMatchObject({
      method: 'GET',
      path: '/api/v3/repos/acme/a%20b/issues?per_page=1',
    });

    await client.rest(`GET ${next}`, {});
    expect(server.seen[1]?.path).toBe('/api/v3/repositories/1/issues?page=2');
  });

  it('returns undefined only if the content has not changed since the given etag', async () => {
    await using server = await loopback((response) => void response.writeHead(304, { etag: '"abc"' }).end());
    const client = server.client();
    expect((await client.rest('GET /x', {}, { etag: '"abc"' })).data).toBeUndefined();
    expect(server.seen[0]?.headers['if-none-match']).toBe('"abc"');
    expect((await faultOf(client.rest('GET /x', {}))).code).toBe('github.unavailable');
  });

  it('sends the token to no other host, even if a response refers to one', async () => {
    await using other = await loopback((response) => json(response, 200, {}));
    await using server = await loopback((response) => json(response, 200, {}));
    const client = server.client();
    for (const address of [other.url, `${server.url}.example.org/api/v3/x`, `${server.url}/api/v33/x`]) {
      expect((await faultOf(client.rest(`GET ${address}/api/v3/x`, {}))).code).toBe('github.refused');
    }
    expect([...other.seen, ...server.seen]).toEqual([]);
  });

  it('follows a redirect to a log without the token', async () => {
    await using store = await loopback((response) => {
      response.writeHead(200, { 'content-type': 'application/octet-stream' }).end('line 1\n');
    });
    const elsewhere = store.url.replace('127.0.0.1', 'localhost');
    await using server = await loopback((response) => {
      response.writeHead(302, { location: `${elsewhere}/logs` }).end();
    });
    const { data } = await server
      .client()
      .rest('GET /repos/{owner}/{repo}/actions/jobs/1/logs', { owner: 'a', repo: 'b' });
    expect(data).toBe('line 1\n');
    expect(store.seen[0]?.headers.authorization).toBeUndefined();
  });

  it('does not turn a redirected write into a read', async () => {
    await using server = await loopback((response, { method }) => {
      if (method === 'GET') json(response, 200, { fine: true });
      else response.writeHead(301, { location: '/api/v3/repositories/1' }).end();
    });
    const fault = await faultOf(
      server.client().rest('POST /repos/{owner}/{repo}/labels', { owner: 'a', repo: 'b' }),
    );
    expect(fault.code).toBe('github.missing');
    expect(fault.message).toContain('/api/v3/repositories/1');
    expect(server.seen).toHaveLength(1);
  });

  it('accepts a response without a body', async () => {
    await using server = await loopback((response) => void response.writeHead(204).end());
    const { data } = await server
      .client()
      .rest('DELETE /repos/{owner}/{repo}/labels/{name}', { owner: 'a', repo: 'b', name: 'c' });
    expect(data).toBe('');
  });

  it('includes GitHub’s reasons in the fault', async () => {
    const errors = [{ resource: 'Label', code: 'already_exists', field: 'name' }];
    await using server = await loopback((response) =>
      json(response, 422, { message: 'Validation Failed', errors }),
    );
    const fault = await faultOf(
      server.client().rest('POST /repos/{owner}/{repo}/labels', { owner: 'a', repo: 'b' }),
    );
    expect(fault).toMatchObject({
      code: 'github.refused',
      message: expect.stringContaining('name already_exists'),
    });
    expect(fault.message).toContain('POST /repos/{owner}/{repo}/labels');
  });
});
