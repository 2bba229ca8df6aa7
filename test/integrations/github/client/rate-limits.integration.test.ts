import { describe, expect, it } from 'vitest';
import { type Answering, faultOf, json, loopback, movableClock } from './loopback.ts';

const never = new AbortController().signal;
const MINUTE = 60_000;
const inSeconds = (ms: number) => `${Math.round((Date.now() + ms) / 1_000)}`;
const graphqlHeaders = (remaining: number, resetMs: number) => ({
  'x-ratelimit-limit': '5000',
  'x-ratelimit-remaining': `${remaining}`,
  'x-ratelimit-reset': inSeconds(resetMs),
  'x-ratelimit-resource': 'graphql',
});

describe('a rate limit', () => {
  const secondary = { message: 'You have exceeded a secondary rate limit. Please wait a few minutes.' };
  const limited = { errors: [{ type: 'RATE_LIMITED', message: 'API rate limit exceeded' }] };
  const newer = {
    errors: [{ type: 'RATE_LIMIT', code: 'graphql_rate_limit', message: 'Wait a while' }],
  };
  const cases: readonly (readonly [string, Answering, number])[] = [
    ['of points with 200', (r) => json(r, 200, limited, graphqlHeaders(0, 10 * MINUTE)), 10 * MINUTE],
    [
      'of points in the newer format, with some left',
      (r) => json(r, 200, newer, graphqlHeaders(4, 9 * MINUTE)),
      9 * MINUTE,
    ],
    [
      'of requests with 403',
      (r) =>
        json(r, 403, { message: 'API rate limit exceeded for user ID 1.' }, graphqlHeaders(0, 8 * MINUTE)),
      8 * MINUTE,
    ],
    [
      'with 429 and Retry-After',
      (r) => json(r, 429, { message: 'slow down' }, { 'retry-after': '120' }),
      2 * MINUTE,
    ],
    [
      'with 403 and Retry-After',
      (r) => json(r, 403, { message: 'wait' }, { 'retry-after': '180' }),
      3 * MINUTE,
    ],
    ['with 429 only', (r) => json(r, 429, {}), MINUTE],
    ['that is secondary, in the text only', (r) => json(r, 403, secondary), MINUTE],
    [
      'that is secondary, in GraphQL’s errors',
      (r) => json(r, 200, { errors: [secondary] }, { 'retry-after': '90' }),
      90_000,
    ],
    ['with a reset in the past', (r) => json(r, 200, limited, { 'x-ratelimit-reset': '1', date: '' }), 1_000],
    ['that lasts for years', (r) => json(r, 429, {}, { 'retry-after': '999999999' }), 60 * MINUTE],
    ['with a malformed Retry-After', (r) => json(r, 429, {}, { 'retry-after': 'soon' }), MINUTE],
  ];

  it.each(cases)('%s is reported with the time at which it ends', async (_title, answering, waitMs) => {
    await using server = await loopback(answering);
    const fault = await faultOf(server.client().query('query { x }', {}, { signal: never }));
    expect(fault).toMatchObject({ code: 'github.rate_limited', retryable: true });
    const wait = (fault.retryAt ?? 0) - Date.now();
    expect(wait).toBeLessThanOrEqual(waitMs + 1_500);
    expect(wait).toBeGreaterThan(waitMs - 10_000);
    expect(fault.message).toContain(new Date(fault.retryAt ?? 0).toISOString());
  });

  it('rejects calls with the same fault, without sending a request, until the limit ends', async () => {
    let limit = true;
    await using server = await loopback((response) =>
      limit ? json(response, 429, {}, { 'retry-after': '60' }) : json(response, 200, { data: { x: 1 } }),
    );
    const clock = movableClock();
    const client = server.client({ clock });
    const first = await faultOf(client.mutate('mutation { x }', {}));
    const second = await faultOf(client.query('query { x }', {}, { signal: never }));
    const third = await faultOf(client.rest('GET /x', {}));
    expect([second.fault, third.fault]).toEqual([first.fault, first.fault]);
    expect([second.retryAt, third.retryAt]).toEqual([first.retryAt, first.retryAt]);
    expect(server.seen).toHaveLength(1);

    limit = false;
    clock.forward(61_000);
    expect(await client.query('query { x }', {}, { signal: never })).toEqual({ x: 1 });
  });

  it('on GraphQL points does not block REST requests', async () => {
    await using server = await loopback((response, { path }) =>
      path === '/api/graphql'
        ? json(response, 200, limited, graphqlHeaders(0, MINUTE))
        : json(response, 200, { fine: true }),
    );
    const client = server.client();
    await faultOf(client.query('query { x }', {}, { signal: never }));
    expect((await client.rest('GET /x', {})).data).toEqual({ fine: true });
  });

  it('on one account does not block another account', async () => {
    await using server = await loopback((response, { headers }) =>
      headers.authorization === 'Bearer of-impl'
        ? json(response, 429, {}, { 'retry-after': '60' })
        : json(response, 200, { data: { x: 1 } }),
    );
    const identities = {
      legion: { kind: 'token', token: 'of-legion' },
      impl: { kind: 'token', token: 'of-impl' },
    } as const;
    const client = server.client({ identities });
    expect((await faultOf(client.mutate('mutation { x }', {}, { as: 'impl' }))).code).toBe(
      'github.rate_limited',
    );
    expect(await client.mutate('mutation { x }', {}, { as: 'review' })).toEqual({ x: 1 });
    expect(server.seen.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer of-impl',
      'Bearer of-legion',
    ]);
  });

  it('applies as soon as a response shows an empty budget', async () => {
    await using server = await loopback((response) =>
      json(response, 200, { data: { x: 1 } }, graphqlHeaders(0, MINUTE)),
    );
    const client = server.client();
    expect(await client.query('query { x }', {}, { signal: never })).toEqual({ x: 1 });
    expect((await faultOf(client.query('query { x }', {}, { signal: never }))).code).toBe(
      'github.rate_limited',
    );
    expect(server.seen).toHaveLength(1);
  });

  it('that stops a write halfway does not replace the write’s own fault, but blocks the next write', async () => {
    const body = { data: { a: { id: 1 }, b: null }, errors: [{ ...secondary, path: ['b'] }] };
    await using server = await loopback((response) => json(response, 200, body));
    const client = server.client();
    expect((await faultOf(client.mutate('mutation { a b }', {}))).code).toBe('github.unavailable');
    expect((await faultOf(client.mutate('mutation { a b }', {}))).code).toBe('github.rate_limited');
  });
});

describe('the budget', () => {
  it('shows the remaining GraphQL points from the last response to Legion’s own account', async () => {
    let left = 4_000;
    await using server = await loopback((response, { path }) => {
      left -= 1;
      if (path === '/api/graphql') json(response, 200, { data: {} }, graphqlHeaders(left, MINUTE));
      else json(response, 200, {}, { ...graphqlHeaders(17, MINUTE), 'x-ratelimit-resource': 'core' });
    });
    const identities = {
      legion: { kind: 'token', token: 'l' },
      impl: { kind: 'token', token: 'i' },
    } as const;
    const client = server.client({ identities });
    expect(client.budget()).toBeUndefined();
    await client.query('query { x }', {}, { signal: never });
    await client.rest('GET /x', {});
    await client.query('query { x }', {}, { signal: never, as: 'impl' });
    expect(client.budget()).toMatchObject({ limit: 5_000, remaining: 3_999 });
    expect((client.budget()?.resetsAt ?? 0) - Date.now()).toBeGreaterThan(MINUTE - 10_000);
  });

  it('reports its reset time by the local clock, not by GitHub’s', async () => {
    const theirs = Date.now() + 86_400_000;
    const headers = {
      ...graphqlHeaders(1, 86_400_000 + MINUTE),
      date: new Date(theirs).toUTCString(),
    };
    await using server = await loopback((response) => json(response, 200, { data: {} }, headers));
    const client = server.client();
    await client.query('query { x }', {}, { signal: never });
    const wait = (client.budget()?.resetsAt ?? 0) - Date.now();
    expect(wait).toBeGreaterThan(MINUTE - 10_000);
    expect(wait).toBeLessThan(MINUTE + 10_000);
  });
});
