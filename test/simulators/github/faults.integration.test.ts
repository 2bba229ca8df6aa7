/** Checks that injected faults behave as on GitHub: limits, lost responses, outages. */
import { afterEach, expect, test } from 'vitest';
import { closeStages, REPO, stage } from './simulated-github.ts';

afterEach(closeStages);

const COMMENT = `mutation Comment($id: ID!) { addComment(input: { subjectId: $id, body: "hello" }) { clientMutationId } }`;
const VIEWER = 'query Who { viewer { login } }';

async function withIssue() {
  const it = await stage();
  it.github.people.issue(REPO, { author: 'ada', title: 'First' });
  const { data } = await it.graphql('{ repository(owner: "acme", name: "app") { issue(number: 1) { id } } }');
  const comments = () => it.github.snapshot().issues[0]?.comments.length;
  return { ...it, id: data.repository.issue.id as string, comments };
}

test('rate limit points run out for each account separately, and are restored after an hour', async () => {
  let now = Date.parse('2026-01-01T00:00:00Z');
  const { github, graphql, rest } = await stage({ clock: { now: () => now } });
  github.faults.points(3, 2);
  const first = await graphql(VIEWER);
  expect(first.headers.get('x-ratelimit-remaining')).toBe('1');
  expect(first.headers.get('x-ratelimit-reset')).toBe(String(now / 1000 + 3600));
  await graphql(VIEWER);
  const third = await graphql(VIEWER);
  expect(third).toMatchObject({ status: 200, errors: [{ type: 'RATE_LIMITED' }] });
  expect(third.data).toBeUndefined();
  expect(third.headers.get('x-ratelimit-remaining')).toBe('0');
  expect((await graphql(VIEWER, {}, github.people.token('bob'))).errors).toEqual([]);
  // REST has its own rate limit points.
  expect((await rest('GET /user')).status).toBe(200);
  await rest('GET /user');
  expect(await rest('GET /user')).toMatchObject({
    status: 403,
    body: { message: expect.stringContaining('rate limit') },
  });
  now += 3_600_000;
  expect((await graphql(VIEWER)).data).toEqual({ viewer: { login: 'ada' } });
});

test('a write is executed if only its response is lost, and not executed if it fails before execution', async () => {
  const { github, graphql, id, comments } = await withIssue();
  github.faults.next({ matching: 'Comment', answer: { reset: true }, executed: true });
  await expect(graphql(COMMENT, { id })).rejects.toThrow();
  expect(comments()).toBe(1);
  github.faults.next({ matching: 'Comment', answer: { status: 502 } });
  expect((await graphql(VIEWER)).status).toBe(200);
  await expect(graphql(COMMENT, { id })).rejects.toThrow(); // an HTML page
  expect(comments()).toBe(1);
  await graphql(COMMENT, { id });
  expect(comments()).toBe(2);
});

test('all writes are executed, but a share of them, chosen by a seed, get no response', async () => {
  const lost = async () => {
    const { github, graphql, id, comments } = await withIssue();
    github.faults.loseWrites(0.5, 7);
    const fates: string[] = [];
    for (let at = 0; at < 12; at += 1)
      fates.push(
        await graphql(COMMENT, { id }).then(
          () => 'told',
          () => 'lost',
        ),
      );
    expect(comments()).toBe(12);
    expect((await graphql(VIEWER)).status).toBe(200);
    return fates;
  };
  const fates = await lost();
  expect(new Set(fates)).toEqual(new Set(['told', 'lost']));
  expect(await lost()).toEqual(fates);
});

test('a partial response has an error in addition to its data', async () => {
  const { github, graphql } = await withIssue();
  github.faults.next({ answer: { partial: true } });
  const { data, errors } = await graphql(
    '{ repository(owner: "acme", name: "app") { issues(first: 5) { nodes { id } } } }',
  );
  expect(data.repository.issues.nodes).toEqual([null]);
  expect(errors).toMatchObject([{ path: ['repository', 'issues', 'nodes', 0] }]);
});

test('a secondary limit states when to retry', async () => {
  const { github, graphql } = await stage();
  github.faults.next({ answer: { rateLimit: 'secondary', retryAfterSeconds: 9 }, times: 2 });
  for (const status of [403, 403, 200]) {
    const answer = await graphql(VIEWER);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('retry-after')).toBe(status === 403 ? '9' : null);
  }
});

test('an outage affects every request, and afterwards all requests succeed again', async () => {
  const { github, graphql, rest } = await stage();
  github.faults.outage('refused');
  await expect(graphql(VIEWER)).rejects.toThrow();
  github.faults.outage(503);
  expect((await rest('GET /user')).status).toBe(503);
  github.faults.outage('hanging');
  const ending = AbortSignal.timeout(200);
  await expect(fetch(`${github.url}/api/v3/user`, { signal: ending })).rejects.toThrow(/timeout/);
  github.faults.outage(undefined);
  expect((await rest('GET /user')).body.login).toBe('ada');
});

test('requests are recorded with requester, name and cost', async () => {
  const { github, graphql, rest } = await stage();
  await graphql(VIEWER);
  await rest('GET /repos/acme/app', { token: github.people.token('eve') });
  expect(github.requests()).toEqual([
    { kind: 'graphql', name: 'Who', write: false, login: 'ada', cost: 1, status: 200 },
    { kind: 'rest', name: 'GET /repos/{owner}/{repo}', write: false, login: 'eve', cost: 1, status: 200 },
  ]);
});

test('unchanged content is not sent again, and an unknown route is rejected with 501', async () => {
  const { rest } = await stage();
  const { headers } = await rest('GET /repos/acme/app');
  const again = await rest('GET /repos/acme/app', {
    headers: { 'if-none-match': headers.get('etag') ?? '' },
  });
  expect(again.status).toBe(304);
  expect((await rest('GET /repos/acme/app/nonsense')).status).toBe(501);
});
