import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { FaultCode } from '../../../../src/core/model/fault.ts';
import { type Answering, faultOf, json, loopback, TOKEN } from './loopback.ts';

const never = new AbortController().signal;
const errors =
  (...list: unknown[]): Answering =>
  (response) =>
    json(response, 200, { data: null, errors: list });
const html: Answering = (response) => {
  response
    .writeHead(200, { 'content-type': 'text/html' })
    .end('<html>Please sign in to the guest network</html>');
};

describe('GraphQL', () => {
  const cases: readonly (readonly [string, Answering, FaultCode])[] = [
    ['NOT_FOUND', errors({ type: 'NOT_FOUND', message: 'Could not resolve' }), 'github.missing'],
    [
      'FORBIDDEN',
      errors({ type: 'FORBIDDEN', message: 'not accessible by integration' }),
      'github.forbidden',
    ],
    [
      'INSUFFICIENT_SCOPES',
      errors({ type: 'INSUFFICIENT_SCOPES', message: 'needs project' }),
      'github.forbidden',
    ],
    ['UNPROCESSABLE', errors({ type: 'UNPROCESSABLE', message: 'already exists' }), 'github.refused'],
    ['an unknown type', errors({ type: 'MYSTERY', message: 'hm' }), 'github.refused'],
    ['an error in the document', errors({ message: 'no field', locations: [{ line: 1 }] }), 'github.refused'],
    [
      '"Something went wrong"',
      errors({ message: 'Something went wrong while executing' }),
      'github.unavailable',
    ],
    ['a malformed error', errors('just words'), 'github.unavailable'],
    [
      'a temporary error among others',
      errors({ type: 'NOT_FOUND' }, { message: 'Something' }),
      'github.unavailable',
    ],
    ['no data and no error', (response) => json(response, 200, { data: null }), 'github.unavailable'],
    [
      'a message instead of data',
      (response) => json(response, 200, { message: 'hello' }),
      'github.unavailable',
    ],
    ['an empty list', (response) => json(response, 200, []), 'github.unavailable'],
    ['401', (response) => json(response, 401, { message: 'Bad credentials' }), 'github.unauthorized'],
    ['403', (response) => json(response, 403, { message: 'Must have admin rights' }), 'github.forbidden'],
    ['404', (response) => json(response, 404, { message: 'Not Found' }), 'github.missing'],
    ['410', (response) => json(response, 410, { message: 'Issues are disabled' }), 'github.missing'],
    ['409', (response) => json(response, 409, { message: 'Head was modified' }), 'github.refused'],
    ['422', (response) => json(response, 422, { message: 'Validation Failed' }), 'github.refused'],
    ['500', (response) => json(response, 500, { message: 'oops' }), 'github.unavailable'],
    [
      '502 with an HTML page',
      (response) => void response.writeHead(502, { 'content-type': 'text/html' }).end('<p>'),
      'github.unavailable',
    ],
    ['a proxy’s page with 200', html, 'github.unavailable'],
    [
      'a proxy’s page with 403',
      (response) => void response.writeHead(403, { 'content-type': 'text/html' }).end('<p>'),
      'github.unavailable',
    ],
    [
      'half a document',
      (response) =>
        void response.writeHead(200, { 'content-type': 'application/json' }).end('{"data": {"viewer'),
      'github.unavailable',
    ],
    [
      'a redirect',
      (response) => void response.writeHead(301, { location: '/elsewhere' }).end(),
      'github.missing',
    ],
    ['a closed connection', (response) => void response.socket?.destroy(), 'github.unavailable'],
  ];

  it.each(cases)('maps %s to a fault', async (_title, answering, code) => {
    await using server = await loopback(answering);
    const fault = await faultOf(server.client().mutate('mutation { x }', {}));
    expect(fault.code).toBe(code);
    expect(server.seen).toHaveLength(1); // nothing is sent twice
    expect(server.seen[0]).toMatchObject({ method: 'POST', path: '/api/graphql' });
  });

  it('treats a truncated body as a missing response', async () => {
    await using server = await loopback((response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
      response.write('{"data":{"viewer":{"login":"ada"}}}', () => response.socket?.destroy());
    });
    const fault = await faultOf(server.client().query('query { x }', {}, { signal: never }));
    expect(fault.code).toBe('github.unavailable');
    expect(fault.retryable).toBe(true);
  });

  it.each([[[null]], ['words'], [{ odd: true }], [[7]]])(
    'rejects data with malformed errors %j',
    async (odd) => {
      await using server = await loopback((response) => json(response, 200, { data: { x: 1 }, errors: odd }));
      const how = { signal: never, tolerates: ['NOT_FOUND'] };
      expect((await faultOf(server.client().query('query { x }', {}, how))).code).toBe('github.unavailable');
    },
  );

  it('rejects a response above the size limit', async () => {
    const megabyte = Buffer.alloc(1024 * 1024, ' ');
    await using server = await loopback((response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      Readable.from(Array.from({ length: 200 }, () => megabyte)).pipe(response);
    });
    const fault = await faultOf(server.client().query('query { x }', {}, { signal: never }));
    expect(fault).toMatchObject({
      code: 'github.unavailable',
      message: expect.stringContaining('larger than'),
    });
  });

  it('sends the writes of one client one after another, but reads in parallel', async () => {
    let writing = 0;
    let most = 0;
    await using server = await loopback(async (response, { body }) => {
      const write = body.includes('mutation');
      if (write) writing += 1;
      most = Math.max(most, writing);
      await new Promise((resolve) => setTimeout(resolve, 20));
      if (write) writing -= 1;
      json(response, 200, { data: { ok: body } });
    });
    const client = server.client();
    const numbers = ['1', '2', '3', '4'];
    const writes = numbers.map((number) => client.mutate(`mutation { n${number} }`, {}));
    await Promise.all([...writes, client.query('query { q }', {}, { signal: never })]);
    expect(most).toBe(1);
    const order = server.seen.flatMap(({ body }) => /mutation { n(\d)/.exec(body)?.[1] ?? []);
    expect(order).toEqual(numbers);
    expect(server.seen.findIndex(({ body }) => body.includes('query { q }'))).toBeLessThan(4);
  });

  it('rejects data that comes with an error, except for tolerated error types', async () => {
    const data = { a: { id: 1 }, b: null };
    await using server = await loopback((response) =>
      json(response, 200, { data, errors: [{ type: 'NOT_FOUND', path: ['b'], message: 'no b' }] }),
    );
    const client = server.client();
    expect((await faultOf(client.query('query { a b }', {}, { signal: never }))).code).toBe('github.missing');
    const how = { signal: never, tolerates: ['NOT_FOUND'] };
    expect(await client.query('query { a b }', {}, how)).toEqual(data);
  });

  it.each([
    ['another mutation of the document succeeded', { a: { id: 1 }, b: null }, ['b']],
    ['only the mutation’s result could not be read', { a: null }, ['a', 'issue', 'title']],
  ])('reports that something may have been written if %s', async (_title, data, path) => {
    await using server = await loopback((response) =>
      json(response, 200, { data, errors: [{ type: 'UNPROCESSABLE', path, message: 'label is too long' }] }),
    );
    const fault = await faultOf(server.client().mutate('mutation { a b }', {}));
    expect(fault.code).toBe('github.unavailable');
    expect(fault.message).toContain('label is too long');
  });

  it('sends the document and its variables and returns the data', async () => {
    await using server = await loopback((response) => json(response, 200, { data: { ok: true } }));
    const variables = { url: 'u', method: 'm', headers: 'h', query: 'q' };
    expect(await server.client().query('query { ok }', variables, { signal: never })).toEqual({ ok: true });
    expect(JSON.parse(server.seen[0]?.body ?? '')).toEqual({ query: 'query { ok }', variables });
    expect(server.seen[0]?.headers.authorization).toBe(`Bearer ${TOKEN}`);
  });
});

describe('the transport', () => {
  it('reports an unreachable server as unavailable', async () => {
    const server = await loopback(() => {});
    await server[Symbol.asyncDispose]();
    await using other = await loopback(() => {});
    const fault = await faultOf(
      other.client({ url: server.url }).query('query { x }', {}, { signal: never }),
    );
    expect(fault.code).toBe('github.unavailable');
    expect(fault.message).toContain('ECONNREFUSED');
  });

  it('reports a missing response as unavailable after the timeout', async () => {
    await using server = await loopback(() => {});
    const fault = await faultOf(server.client({ timeoutMs: 50 }).mutate('mutation { x }', {}));
    expect(fault.code).toBe('github.unavailable');
    expect(fault.message).toContain('50 ms');
  });

  it('reports a response as unavailable if it does not end in time', async () => {
    await using server = await loopback((response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"data":');
    });
    const fault = await faultOf(server.client({ timeoutMs: 100 }).mutate('mutation { x }', {}));
    expect(fault.code).toBe('github.unavailable');
  });

  it('rejects an aborted call with the reason of its signal', async () => {
    const ending = new AbortController();
    const reason = new Error('enough');
    await using server = await loopback(() => ending.abort(reason));
    const client = server.client();
    await expect(client.query('query { x }', {}, { signal: ending.signal })).rejects.toBe(reason);
    await expect(client.query('query { x }', {}, { signal: ending.signal })).rejects.toBe(reason);
    expect(server.seen).toHaveLength(1);
  });

  it('aborts running requests when the client closes, and rejects later ones', async () => {
    let arrived = () => {};
    const arrival = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    await using server = await loopback(() => arrived());
    const client = server.client();
    const under = faultOf(client.mutate('mutation { x }', {}));
    const queued = faultOf(client.mutate('mutation { y }', {}));
    await arrival;
    await client.close();
    expect((await under).code).toBe('github.unavailable');
    expect((await queued).code).toBe('github.unavailable');
    expect((await faultOf(client.mutate('mutation { z }', {}))).code).toBe('github.unavailable');
    expect(server.seen).toHaveLength(1);
  });

  it('puts no token into a message, even if the response quotes it', async () => {
    const echo = `you sent Bearer ${TOKEN} and ${TOKEN}\u0007 and ${'x'.repeat(5_000)}`;
    const statuses = [200, 400, 401, 403, 404, 422, 429, 500];
    for (const status of statuses) {
      await using server = await loopback((response) =>
        json(
          response,
          status,
          { message: echo, errors: [{ message: echo, type: TOKEN }] },
          { location: echo.slice(0, 40) },
        ),
      );
      const client = server.client();
      const faults = [
        await faultOf(client.mutate('mutation { x }', {})),
        ...(status === 200 ? [] : [await faultOf(client.rest('POST /user/repos', {}))]),
      ];
      for (const fault of faults) {
        expect(fault.message).not.toContain('canary');
        expect(JSON.stringify(fault)).not.toContain('canary');
        expect(String(fault.cause)).not.toContain('canary');
        expect(fault.message).not.toMatch(/\p{Cc}/u);
        expect(fault.message.length).toBeLessThan(600);
      }
    }
  });

  it('rejects an invalid token without sending or quoting it', async () => {
    await using server = await loopback(() => {});
    for (const token of ['', 'canary\nx', 'can ary', 'canaryé']) {
      const client = server.client({ identities: { legion: { kind: 'token', token } } });
      const fault = await faultOf(client.mutate('mutation { x }', {}));
      expect(fault.code).toBe('github.unauthorized');
      expect(fault.message).not.toContain('canary');
    }
    expect(server.seen).toEqual([]);
  });
});
