import { Readable } from 'node:stream';
import { LinearErrorType, LinearGraphQLError } from '@linear/sdk';
import { describe, expect, it } from 'vitest';
import type { FaultCode } from '../../../../src/core/model/fault.ts';
import { type Answering, faultOf, json } from '../../github/client/loopback.ts';
import { complaint, errors, KEY, never, wire } from './wire.ts';

const page =
  (status: number): Answering =>
  (response) =>
    void response
      .writeHead(status, { 'content-type': 'text/html' })
      .end('<p>Sign in to the guest network</p>');
const text =
  (status: number): Answering =>
  (response) =>
    void response.writeHead(status, { 'content-type': 'text/plain' }).end('no');

/** The compiler requires an entry for every error type that a new SDK version adds. */
const CODES: Readonly<Record<LinearErrorType, FaultCode>> = {
  [LinearErrorType.AuthenticationError]: 'linear.unauthorized',
  [LinearErrorType.Forbidden]: 'linear.forbidden',
  [LinearErrorType.FeatureNotAccessible]: 'linear.forbidden',
  [LinearErrorType.Ratelimited]: 'linear.rate_limited',
  [LinearErrorType.InvalidInput]: 'linear.refused',
  [LinearErrorType.UserError]: 'linear.refused',
  [LinearErrorType.GraphqlError]: 'linear.refused',
  [LinearErrorType.UsageLimitExceeded]: 'linear.refused',
  [LinearErrorType.LockTimeout]: 'linear.unavailable',
  [LinearErrorType.NetworkError]: 'linear.unavailable',
  [LinearErrorType.InternalError]: 'linear.unavailable',
  [LinearErrorType.BootstrapError]: 'linear.unavailable',
  [LinearErrorType.Other]: 'linear.unavailable',
  [LinearErrorType.Unknown]: 'linear.unavailable',
};

describe('the Linear client', () => {
  const notFound = {
    message: 'Entity not found: Issue',
    path: ['issue'],
    extensions: { type: 'invalid input', code: 'INPUT_ERROR', userError: true },
  };
  const cases: readonly (readonly [string, Answering, FaultCode])[] = [
    ['invalid input', errors(200, complaint('invalid input')), 'linear.refused'],
    ['user error', errors(400, complaint('user error')), 'linear.refused'],
    ['an invalid document', errors(400, complaint('graphql error')), 'linear.refused'],
    ['usage limit exceeded', errors(400, complaint('usage limit exceeded')), 'linear.refused'],
    ['a missing entity', errors(200, notFound), 'linear.missing'],
    ['authentication error', errors(400, complaint('authentication error')), 'linear.unauthorized'],
    ['forbidden', errors(200, complaint('forbidden')), 'linear.forbidden'],
    ['feature not accessible', errors(200, complaint('feature not accessible')), 'linear.forbidden'],
    ['lock timeout', errors(200, complaint('lock timeout')), 'linear.unavailable'],
    ['internal error', errors(200, complaint('internal error')), 'linear.unavailable'],
    ['network error', errors(200, complaint('network error')), 'linear.unavailable'],
    ['an unknown error type', errors(200, complaint('mystery')), 'linear.unavailable'],
    [
      'an unknown error that Linear blames on the input',
      errors(200, complaint('mystery', { userError: true })),
      'linear.refused',
    ],
    [
      'a validation error with only a GraphQL code',
      errors(400, { message: 'no field', extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }),
      'linear.refused',
    ],
    [
      'a temporary error among others',
      errors(200, complaint('forbidden'), complaint('lock timeout')),
      'linear.unavailable',
    ],
    ['an error with an unexpected shape', errors(200, 'just words'), 'linear.unavailable'],
    ['an error that is null', errors(200, null), 'linear.unavailable'],
    ['an error with an invalid message', errors(200, { message: { a: 1 } }), 'linear.unavailable'],
    [
      'errors that are not a list',
      (r) => json(r, 200, { data: { x: 1 }, errors: 'words' }),
      'linear.unavailable',
    ],
    [
      'data next to an error',
      (r) => json(r, 200, { data: { x: 1 }, errors: [complaint('forbidden')] }),
      'linear.unavailable',
    ],
    ['no data and no error', (r) => json(r, 200, { data: null }), 'linear.unavailable'],
    ['data that is a string', (r) => json(r, 200, { data: 'words' }), 'linear.unavailable'],
    ['an empty list', (r) => json(r, 200, []), 'linear.unavailable'],
    ['null', (r) => json(r, 200, null), 'linear.unavailable'],
    ['401', (r) => json(r, 401, { error: 'no' }), 'linear.unauthorized'],
    ['401 in plain text', text(401), 'linear.unauthorized'],
    ['403', (r) => json(r, 403, {}), 'linear.forbidden'],
    ['404', (r) => json(r, 404, {}), 'linear.missing'],
    ['408', (r) => json(r, 408, {}), 'linear.unavailable'],
    ['413', (r) => json(r, 413, {}), 'linear.refused'],
    ['500', (r) => json(r, 500, {}), 'linear.unavailable'],
    ['500 with another error type', errors(500, complaint('forbidden')), 'linear.unavailable'],
    ['503 in plain text', text(503), 'linear.unavailable'],
    ['200 in plain text', text(200), 'linear.unavailable'],
    ['502 with an HTML page', page(502), 'linear.unavailable'],
    ['a proxy’s HTML page with 200', page(200), 'linear.unavailable'],
    ['a proxy’s HTML page with 403', page(403), 'linear.unavailable'],
    [
      'truncated JSON',
      (r) => void r.writeHead(200, { 'content-type': 'application/json' }).end('{"data": {"viewer'),
      'linear.unavailable',
    ],
    ['a redirect', (r) => void r.writeHead(307, { location: '/elsewhere' }).end(), 'linear.unavailable'],
    ['a closed connection', (r) => void r.socket?.destroy(), 'linear.unavailable'],
  ];

  it.each(cases)('maps %s to its code', async (_title, answering, code) => {
    await using server = await wire(answering);
    const fault = await faultOf(server.client().mutate('mutation Try { x }', {}));
    expect(fault.code).toBe(code);
    expect(server.seen).toHaveLength(1); // no request is repeated
    expect(server.seen[0]).toMatchObject({ method: 'POST', path: '/graphql' });
  });

  it('uses the message that Linear intends for people', async () => {
    const both = complaint('invalid input', { userPresentableMessage: 'The title\nis too long.' });
    await using server = await wire(errors(200, both));
    const { message } = await faultOf(server.client().query('query Q { x }', {}, { signal: never }));
    expect(message).toBe('Linear says: The title is too long.');
  });

  it('rejects a read whose response has both data and an error', async () => {
    await using server = await wire((r) =>
      json(r, 200, { data: { x: 1 }, errors: [complaint('forbidden')] }),
    );
    const fault = await faultOf(server.client().query('query Q { x }', {}, { signal: never }));
    expect(fault.code).toBe('linear.forbidden');
  });

  it.each([
    ['another mutation of the document succeeded', { a: { success: true }, b: null }, ['b']],
    ['only the result of the mutation was unreadable', { a: null }, ['a', 'issue', 'title']],
  ])('reports that something may have been written if %s', async (_title, data, path) => {
    const error = { ...complaint('invalid input'), path };
    await using server = await wire((r) => json(r, 200, { data, errors: [error] }));
    const fault = await faultOf(server.client().mutate('mutation Two { a b }', {}));
    expect(fault).toMatchObject({ code: 'linear.unavailable', message: expect.stringContaining('in part') });
  });

  it('treats a truncated body as a missing response', async () => {
    await using server = await wire((response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
      response.write('{"data":{"x":1}}', () => response.socket?.destroy());
    });
    const fault = await faultOf(server.client().query('query Q { x }', {}, { signal: never }));
    expect(fault).toMatchObject({ code: 'linear.unavailable', retryable: true });
  });

  it('rejects an oversized response without buffering it', async () => {
    const megabyte = Buffer.alloc(1024 * 1024, ' ');
    await using server = await wire((response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      Readable.from(Array.from({ length: 100 }, () => megabyte)).pipe(response);
    });
    const fault = await faultOf(server.client().query('query Q { x }', {}, { signal: never }));
    expect(fault).toMatchObject({
      code: 'linear.unavailable',
      message: expect.stringContaining('larger than'),
    });
  });

  it('accepts a large response', async () => {
    const long = 'x'.repeat(5 * 1024 * 1024);
    await using server = await wire((response) => json(response, 200, { data: { long } }));
    const { long: read } = await server
      .client()
      .query<{ long: string }>('query Q { long }', {}, { signal: never });
    expect(read.length).toBe(long.length);
  });

  it.each(Object.entries(CODES))('maps the error type %s of Linear’s SDK to its code', async (type, code) => {
    const words = type.replaceAll(/(?<=.)[A-Z]/g, ' $&').toLowerCase();
    const raw = { extensions: { type: words } } as ConstructorParameters<typeof LinearGraphQLError>[0];
    expect(new LinearGraphQLError(raw).type).toBe(type);
    await using server = await wire(errors(200, complaint(words)));
    expect((await faultOf(server.client().mutate('mutation Try { x }', {}))).code).toBe(code);
  });

  it('never sends the key to a redirect’s target', async () => {
    await using other = await wire((response) => json(response, 200, { data: { x: 1 } }));
    await using server = await wire(
      (response) => void response.writeHead(308, { location: `${other.url}/graphql` }).end(),
    );
    const fault = await faultOf(server.client().query('query Q { x }', {}, { signal: never }));
    expect(fault.message).toContain('linear.url');
    expect(other.seen).toEqual([]);
  });

  it('never shows the key in a message, even if the response quotes it', async () => {
    const echo = `you sent Bearer ${KEY} and ${KEY}\u0007 and lin_api_abcdefghijkl ${'x'.repeat(5_000)}`;
    for (const status of [200, 302, 400, 401, 403, 404, 422, 429, 500]) {
      const more = { userPresentableMessage: echo, code: KEY };
      for (const body of [{ errors: [complaint('other', more)] }, { error: echo }, { errors: echo }, echo]) {
        await using server = await wire((response) => json(response, status, body, { location: `/${KEY}` }));
        const fault = await faultOf(server.client().mutate('mutation Try { x }', {}));
        expect(fault.message).not.toMatch(/canary|lin_api_a/);
        expect(JSON.stringify(fault)).not.toContain('canary');
        expect(String(fault.cause)).not.toContain('canary');
        expect(fault.message).not.toMatch(/\p{Cc}/u);
        expect(fault.message.length).toBeLessThan(600);
      }
    }
  });

  it('never sends or quotes a malformed key', async () => {
    await using server = await wire(() => {});
    for (const value of ['', 'canary\nx', 'can ary', 'canaryé']) {
      const client = server.client({ credential: { kind: 'api_key', value } });
      const fault = await faultOf(client.mutate('mutation Try { x }', {}));
      expect(fault.code).toBe('linear.unauthorized');
      expect(fault.message).not.toContain('canary');
    }
    expect(server.seen).toEqual([]);
  });
});

describe('the connection to Linear', () => {
  it('is unavailable if nothing is listening', async () => {
    const gone = await wire(() => {});
    await gone[Symbol.asyncDispose]();
    await using server = await wire(() => {});
    const fault = await faultOf(
      server.client({ url: gone.url }).query('query Q { x }', {}, { signal: never }),
    );
    expect(fault).toMatchObject({
      code: 'linear.unavailable',
      message: expect.stringContaining('ECONNREFUSED'),
    });
  });

  it('is unavailable if the response is late or incomplete', async () => {
    await using server = await wire((response, { body }) => {
      if (body.includes('Begin'))
        response.writeHead(200, { 'content-type': 'application/json' }).write('{"data":');
    });
    const client = server.client({ timeoutMs: 100 });
    for (const document of ['mutation Nothing { x }', 'mutation Begin { x }']) {
      const fault = await faultOf(client.mutate(document, {}));
      expect(fault).toMatchObject({ code: 'linear.unavailable', message: expect.stringContaining('100 ms') });
    }
  });

  it('rejects an aborted call with its signal’s reason', async () => {
    const ending = new AbortController();
    const reason = new Error('enough');
    await using server = await wire(() => ending.abort(reason));
    const client = server.client();
    const { signal } = ending;
    await expect(client.query('query Q { x }', {}, { signal })).rejects.toBe(reason);
    await expect(client.query('query Q { x }', {}, { signal })).rejects.toBe(reason);
    await expect(client.mutate('mutation Try { x }', {}, { signal })).rejects.toBe(reason);
    expect(server.seen).toHaveLength(1);
  });

  it('aborts running requests on close and rejects later ones', async () => {
    const arrival = Promise.withResolvers<void>();
    await using server = await wire(() => arrival.resolve());
    const client = server.client();
    const under = faultOf(client.mutate('mutation X { x }', {}));
    const queued = faultOf(client.mutate('mutation Y { y }', {}));
    await arrival.promise;
    await client.close();
    const after = faultOf(client.mutate('mutation Z { z }', {}));
    for (const fault of await Promise.all([under, queued, after]))
      expect(fault.code).toBe('linear.unavailable');
    expect(server.seen).toHaveLength(1);
  });
});
