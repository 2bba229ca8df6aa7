import { describe, expect, it } from 'vitest';
import { type Answering, faultOf, json, movableClock } from '../../github/client/loopback.ts';
import { complaint, never, wire } from './wire.ts';

const MINUTE = 60_000;
type Headers = Readonly<Record<string, string>>;

function left(kind: string, limit: number, remaining: number, resetMs: number): Headers {
  return {
    [`x-ratelimit-${kind}-limit`]: `${limit}`,
    [`x-ratelimit-${kind}-remaining`]: `${remaining}`,
    [`x-ratelimit-${kind}-reset`]: `${Date.now() + resetMs}`,
  };
}

const limited = complaint('ratelimited', { code: 'RATELIMITED', userPresentableMessage: 'Slow down.' });
const refused =
  (...headers: readonly Headers[]): Answering =>
  (response) =>
    json(response, 400, { errors: [limited] }, Object.assign({}, ...headers) as Headers);

describe('a rate limit', () => {
  const cases: readonly (readonly [string, Answering, number])[] = [
    [
      'of requests',
      refused(left('requests', 5_000, 0, 10 * MINUTE), left('complexity', 3_000_000, 9_000, 30 * MINUTE)),
      10 * MINUTE,
    ],
    [
      'of complexity',
      refused(left('requests', 5_000, 10, 30 * MINUTE), left('complexity', 3_000_000, 0, 8 * MINUTE)),
      8 * MINUTE,
    ],
    [
      'of both',
      refused(left('requests', 5_000, 0, 5 * MINUTE), left('complexity', 3_000_000, 0, 9 * MINUTE)),
      9 * MINUTE,
    ],
    [
      'of a single operation',
      refused(left('requests', 5_000, 9, 30 * MINUTE), left('endpoint-requests', 100, 0, 7 * MINUTE)),
      7 * MINUTE,
    ],
    [
      'of a costly query with budget left',
      refused(left('requests', 5_000, 4_000, 30 * MINUTE), left('complexity', 3_000_000, 9_000, 6 * MINUTE)),
      6 * MINUTE,
    ],
    [
      'with Retry-After',
      refused(left('requests', 5_000, 0, 30 * MINUTE), { 'retry-after': '120' }),
      2 * MINUTE,
    ],
    ['with 429 and no error', (r) => json(r, 429, {}, { 'retry-after': '180' }), 3 * MINUTE],
    [
      'with an unrelated type',
      (r) => json(r, 400, { errors: [complaint('usage limit exceeded', { code: 'RATELIMITED' })] }),
      MINUTE,
    ],
    [
      'with a proxy’s HTML page',
      (r) => void r.writeHead(429, { 'content-type': 'text/html', 'retry-after': '60' }).end('<p>'),
      MINUTE,
    ],
    ['without an end time', refused(), MINUTE],
    [
      'with malformed headers',
      refused({ 'retry-after': 'soon', 'x-ratelimit-requests-reset': '-1' }),
      MINUTE,
    ],
    [
      'until long ago',
      refused({ ...left('requests', 5_000, 0, 0), 'x-ratelimit-requests-reset': '1' }),
      1_000,
    ],
    ['for years', refused({ 'retry-after': '999999999' }), 60 * MINUTE],
  ];

  it.each(cases)('%s is reported with the time at which it ends', async (_title, answering, waitMs) => {
    await using server = await wire(answering);
    const fault = await faultOf(server.client().mutate('mutation Try { x }', {}));
    expect(fault).toMatchObject({ code: 'linear.rate_limited', retryable: true });
    const wait = (fault.retryAt ?? 0) - Date.now();
    expect(wait).toBeLessThanOrEqual(waitMs + 1_500);
    expect(wait).toBeGreaterThan(waitMs - 10_000);
    expect(fault.message).toContain(new Date(fault.retryAt ?? 0).toISOString());
  });

  it('ends at a time by the local clock, however much that clock differs from Linear’s', async () => {
    await using server = await wire(refused(left('requests', 5_000, 0, 10 * MINUTE)));
    const clock = movableClock();
    clock.forward(20 * MINUTE);
    const fault = await faultOf(server.client({ clock }).query('query Q { x }', {}, { signal: never }));
    const wait = (fault.retryAt ?? 0) - clock.now();
    expect(wait).toBeGreaterThan(9 * MINUTE);
    expect(wait).toBeLessThan(11 * MINUTE);
  });

  it('does not block later, cheaper requests', async () => {
    await using server = await wire((response, { body }) =>
      body.includes('Costly')
        ? json(response, 400, { errors: [limited] })
        : json(response, 200, { data: { x: 1 } }),
    );
    const client = server.client();
    await faultOf(client.query('query Costly { x }', {}, { signal: never }));
    expect(await client.query('query Cheap { x }', {}, { signal: never })).toEqual({ x: 1 });
  });
});

describe('the budget', () => {
  it('is unknown before the first response, and if responses have no headers', async () => {
    await using server = await wire((response) => json(response, 200, { data: { x: 1 } }));
    const client = server.client();
    expect(client.budget()).toBeUndefined();
    await client.query('query Q { x }', {}, { signal: never });
    expect(client.budget()).toBeUndefined();
  });

  it('is that of requests or of complexity, whichever has the smaller share left, even after an error', async () => {
    const steps = [
      { ...left('requests', 5_000, 4_000, MINUTE), ...left('complexity', 3_000_000, 2_900_000, MINUTE) },
      { ...left('requests', 5_000, 4_000, MINUTE), ...left('complexity', 3_000_000, 30_000, MINUTE) },
      {},
    ];
    await using server = await wire((response) => {
      const headers = steps.shift() ?? {};
      if (steps.length === 1) json(response, 400, { errors: [complaint('invalid input')] }, headers);
      else json(response, 200, { data: { x: 1 } }, headers);
    });
    const client = server.client();
    await client.query('query Q { x }', {}, { signal: never });
    expect(client.budget()).toMatchObject({ limit: 5_000, remaining: 4_000 });
    await faultOf(client.query('query Q { x }', {}, { signal: never }));
    expect(client.budget()).toMatchObject({ limit: 3_000_000, remaining: 30_000 });
    const { resetsAt = 0 } = client.budget() ?? {};
    expect(Math.abs(resetsAt - Date.now() - MINUTE)).toBeLessThan(10_000);
    await client.query('query Q { x }', {}, { signal: never });
    expect(client.budget()).toMatchObject({ limit: 3_000_000, remaining: 30_000 });
  });
});
