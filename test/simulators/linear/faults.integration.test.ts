/** Checks that injected faults behave as on Linear: limits, lost responses, outages. */
import { afterEach, expect, test } from 'vitest';
import { closeStages, stage, standingClock } from './simulated-linear.ts';

afterEach(closeStages);

const COMMENT = 'mutation Comment { commentCreate(input: {issueId: "ENG-1", body: "hello"}) { success } }';
const VIEWER = 'query Who { viewer { name } }';
const LIMITED = { type: 'ratelimited', code: 'RATELIMITED' };

async function withIssue(options = {}) {
  const it = await stage(options);
  it.linear.people.issue('ENG', { creator: 'ada', title: 'First' });
  return { ...it, comments: () => it.linear.snapshot().issues[0]?.comments.length };
}

test('the request budget runs out for each account separately, refills evenly, and is reported in the headers', async () => {
  const clock = standingClock();
  const { ask, linear } = await stage({ clock });
  linear.faults.limits({ requests: { limit: 60, remaining: 2 } });
  const first = await ask(VIEWER);
  expect(Object.fromEntries(first.headers)).toMatchObject({
    'x-complexity': '2',
    'x-ratelimit-requests-limit': '60',
    'x-ratelimit-requests-remaining': '1',
    'x-ratelimit-requests-reset': String(clock.now() + 59 * 60_000),
    'x-ratelimit-complexity-limit': '3000000',
    'x-ratelimit-complexity-remaining': '2999998',
  });
  await ask(VIEWER);
  const third = await ask(VIEWER);
  expect(third).toMatchObject({ status: 400, errors: [{ extensions: LIMITED }] });
  expect(third.headers.get('x-ratelimit-requests-remaining')).toBe('0');
  expect((await ask(VIEWER, {}, linear.people.apiKey('bob'))).status).toBe(200);
  clock.pass(60_000); // sixty per hour is one per minute
  expect((await ask(VIEWER)).status).toBe(200);
  expect((await ask(VIEWER)).status).toBe(400);
  clock.pass(3_600_000);
  expect((await ask(VIEWER)).headers.get('x-ratelimit-requests-remaining')).toBe('59');
});

test('the complexity budget runs out too, and a rejected request uses none of it', async () => {
  const { ask, linear } = await stage({ clock: standingClock() });
  linear.faults.limits({ complexity: { limit: 100, remaining: 10 } });
  const heavy = await ask('{ issues(first: 20) { nodes { id } } }');
  expect(heavy).toMatchObject({ status: 400, errors: [{ extensions: LIMITED }] });
  expect(heavy.headers.get('x-ratelimit-complexity-remaining')).toBe('10');
  const light = await ask(VIEWER);
  expect(light.status).toBe(200);
  expect(light.headers.get('x-ratelimit-complexity-remaining')).toBe('8');
});

test('an injected limit states when it ends', async () => {
  const clock = standingClock();
  const { ask, linear } = await stage({ clock });
  linear.faults.next({ answer: { rateLimit: 'complexity', resetsInSeconds: 90 } });
  const struck = await ask(VIEWER);
  expect(struck).toMatchObject({ status: 400, errors: [{ extensions: LIMITED }] });
  expect(struck.headers.get('x-ratelimit-complexity-remaining')).toBe('0');
  expect(struck.headers.get('x-ratelimit-complexity-reset')).toBe(String(clock.now() + 90_000));
  expect((await ask(VIEWER)).status).toBe(200);
});

test('every response has rate limit headers, including errors', async () => {
  const { ask } = await stage();
  for (const [query, key] of [
    [VIEWER, undefined],
    ['{ nonsense }', undefined],
    ['{ issue(id: "ENG-9") { id } }', undefined],
    [VIEWER, 'wrong'],
  ] as const) {
    const { headers } = await ask(query, {}, key);
    expect(headers.get('x-ratelimit-requests-limit'), query).toBe('5000');
    expect(Number(headers.get('x-ratelimit-requests-reset'))).toBeGreaterThan(0);
  }
});

test('a write is executed if only its response is lost, and not executed if it fails before execution', async () => {
  const { ask, linear, comments } = await withIssue();
  linear.faults.next({ matching: 'Comment', answer: { reset: true }, executed: true });
  await expect(ask(COMMENT)).rejects.toThrow();
  expect(comments()).toBe(1);
  linear.faults.next({ matching: 'Comment', answer: { status: 502 } });
  expect((await ask(VIEWER)).status).toBe(200);
  await expect(ask(COMMENT)).rejects.toThrow(); // an HTML page
  expect(comments()).toBe(1);
  await ask(COMMENT);
  expect(comments()).toBe(2);
});

test('all writes are executed, but a share of them, chosen by a seed, get no response', async () => {
  const lost = async () => {
    const { ask, linear, comments } = await withIssue();
    linear.faults.loseWrites(0.5, 7);
    const fates: string[] = [];
    for (let at = 0; at < 12; at += 1) {
      fates.push(
        await ask(COMMENT).then(
          () => 'told',
          () => 'lost',
        ),
      );
    }
    expect(comments()).toBe(12);
    expect((await ask(VIEWER)).status).toBe(200);
    return fates;
  };
  const fates = await lost();
  expect(new Set(fates)).toEqual(new Set(['told', 'lost']));
  expect(await lost()).toEqual(fates);
});

test('a partial response lacks one list entry, and has an error in addition to its data', async () => {
  const { ask, linear } = await withIssue();
  linear.faults.next({ answer: { partial: true } });
  const { status, data, errors } = await ask('{ issues { nodes { id } } viewer { name } }');
  expect([status, data]).toEqual([200, { issues: { nodes: [] }, viewer: { name: 'ada' } }]);
  expect(errors).toMatchObject([{ path: ['issues', 'nodes', 0], extensions: { type: 'internal error' } }]);
});

test('an injected error is returned in Linear’s error format, whether the request was executed or not', async () => {
  const { ask, linear, comments } = await withIssue();
  linear.faults.next({ answer: { errorType: 'lock timeout', message: 'Busy' } });
  expect(await ask(COMMENT)).toMatchObject({
    status: 200,
    data: null,
    errors: [{ message: 'Busy', extensions: { type: 'lock timeout', userPresentableMessage: 'Busy' } }],
  });
  expect(comments()).toBe(0);
  linear.faults.next({ answer: { errorType: 'authentication error' }, executed: true, times: 2 });
  expect((await ask(COMMENT)).status).toBe(401);
  expect((await ask(VIEWER)).status).toBe(401);
  expect((await ask(VIEWER)).status).toBe(200);
  expect(comments()).toBe(1);
});

test('an outage affects every request, and afterwards all requests succeed again', async () => {
  const { ask, linear } = await stage();
  linear.faults.outage('refused');
  await expect(ask(VIEWER)).rejects.toThrow();
  linear.faults.outage(503);
  expect(
    (await fetch(`${linear.url}/graphql`, { method: 'POST', headers: { connection: 'close' } })).status,
  ).toBe(503);
  linear.faults.outage('hanging');
  const ending = AbortSignal.timeout(200);
  await expect(fetch(`${linear.url}/graphql`, { method: 'POST', signal: ending })).rejects.toThrow(/timeout/);
  linear.faults.outage(undefined);
  linear.faults.next({ answer: { timeout: true } });
  const waiting = AbortSignal.timeout(200);
  const body = JSON.stringify({ query: VIEWER });
  const headers = { authorization: linear.people.apiKey('ada') };
  await expect(
    fetch(`${linear.url}/graphql`, { method: 'POST', headers, body, signal: waiting }),
  ).rejects.toThrow(/timeout/);
  expect((await ask(VIEWER)).data.viewer.name).toBe('ada');
});

test('requests are recorded with requester, name and cost', async () => {
  const { ask, linear } = await withIssue();
  await ask(VIEWER);
  await ask(COMMENT, {}, linear.people.apiKey('bob'));
  await ask('{ issues(first: 10) { nodes { id } } }');
  linear.faults.next({ answer: { reset: true } });
  await expect(ask(VIEWER)).rejects.toThrow();
  await ask('{ nonsense }');
  expect(linear.requests()).toEqual([
    { name: 'Who', write: false, user: 'ada', complexity: 2, status: 200 },
    { name: 'Comment', write: true, user: 'bob', complexity: 2, status: 200 },
    { name: 'issues', write: false, user: 'ada', complexity: 12, status: 200 },
    { name: 'Who', write: false, user: 'ada', complexity: 2, status: 0 },
    { name: 'refused', write: false, user: 'ada', complexity: 0, status: 400 },
  ]);
});

test('only the API path exists, and a body that is not JSON is rejected', async () => {
  const { linear, key } = await stage();
  const close = { connection: 'close' };
  expect((await fetch(linear.url, { headers: close })).status).toBe(404);
  expect((await fetch(`${linear.url}/graphql`, { headers: close })).status).toBe(404);
  const request = { method: 'POST', headers: { ...close, authorization: key }, body: '{' };
  expect((await fetch(`${linear.url}/graphql`, request)).status).toBe(400);
});
