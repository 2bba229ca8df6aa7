/**
 * Checks webhooks: they have GitHub's own bodies with the changed values, are signed, and can be
 * disturbed by injected delivery faults.
 */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { verify } from '@octokit/webhooks-methods';
import { afterEach, expect, test } from 'vitest';
import { closeStages, REPO, stage } from './simulated-github.ts';

const SECRET = 'it is a secret';
const receivers: Server[] = [];

afterEach(async () => {
  await closeStages();
  for (const server of receivers.splice(0)) {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }
});

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly raw: string;
  // biome-ignore lint/suspicious/noExplicitAny: the shape is the event's
  readonly body: any;
}

async function receiver(): Promise<{
  url: string;
  got: Received[];
  until(count: number): Promise<Received[]>;
}> {
  const got: Received[] = [];
  const server = createServer(async (request, response) => {
    const raw = await text(request);
    got.push({ headers: request.headers, raw, body: JSON.parse(raw) });
    response.end();
  });
  receivers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    got,
    async until(count) {
      while (got.length < count) await new Promise((resolve) => setTimeout(resolve, 5));
      return got;
    },
  };
}

const events = (got: readonly Received[]) => got.map(({ headers }) => headers['x-github-event']);

test('each change is delivered signed and in order, after a ping', async () => {
  const { github } = await stage();
  const { url, until } = await receiver();
  github.faults.webhooks({ url, secret: SECRET });
  const { people, checks } = github;
  people.issue(REPO, { author: 'eve', title: 'Broken', labels: ['bug'], project: 'acme/1', status: 'Todo' });
  people.comment('ada', REPO, 1, 'I see');
  checks.run(REPO, 'a'.repeat(40), { name: 'test', conclusion: 'FAILURE' });
  checks.status(REPO, 'a'.repeat(40), 'old', 'SUCCESS');
  const got = await until(10);
  expect(events(got)).toEqual([
    'ping',
    'issues',
    'issues',
    'projects_v2_item',
    'projects_v2_item',
    'issue_comment',
    'check_run',
    'check_run',
    'check_suite',
    'status',
  ]);
  for (const { headers, raw } of got) {
    expect(await verify(SECRET, raw, String(headers['x-hub-signature-256']))).toBe(true);
    expect(await verify('another', raw, String(headers['x-hub-signature-256']))).toBe(false);
  }
  expect(new Set(got.map(({ headers }) => headers['x-github-delivery'])).size).toBe(10);
  expect(got[1]?.body).toMatchObject({
    action: 'opened',
    issue: { number: 1, title: 'Broken', user: { login: 'eve' }, author_association: 'NONE' },
    repository: { full_name: REPO },
    organization: { login: 'acme' },
    sender: { login: 'eve' },
  });
  expect(got[4]?.body).toMatchObject({
    action: 'edited',
    changes: { field_value: { field_name: 'Status' } },
  });
  expect(got[5]?.body).toMatchObject({
    action: 'created',
    comment: { body: 'I see', user: { login: 'ada' } },
  });
  expect(got[7]?.body).toMatchObject({
    action: 'completed',
    check_run: { name: 'test', conclusion: 'failure' },
  });
});

test('deliveries can be dropped, tripled, and shuffled by a seed', async () => {
  const { github } = await stage();
  const { url, got, until } = await receiver();
  github.faults.webhooks({ url, secret: SECRET, dropped: 'all' });
  github.people.issue(REPO, { author: 'eve', title: 'Broken' });
  github.faults.webhooks({ url, secret: SECRET, times: 3, shuffled: 5 });
  for (const body of ['one', 'two', 'three']) github.people.comment('ada', REPO, 1, body);
  await until(12);
  expect(events(got)).not.toContain('issues');
  const ids = got.map(({ headers }) => headers['x-github-delivery']);
  expect(new Set(ids).size).toBe(4);
  const bodies = got.filter(({ body }) => body.comment !== undefined).map(({ body }) => body.comment.body);
  expect(bodies.toSorted()).toEqual(['one', 'one', 'one', 'three', 'three', 'three', 'two', 'two', 'two']);
  expect(bodies).not.toEqual(['one', 'one', 'one', 'two', 'two', 'two', 'three', 'three', 'three']);
});

test('an unresponsive receiver delays neither requests nor closing', async () => {
  const { github, graphql } = await stage();
  const server = createServer(() => undefined);
  receivers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  github.faults.webhooks({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    secret: SECRET,
  });
  github.people.issue(REPO, { author: 'eve', title: 'Broken' });
  expect((await graphql('{ viewer { login } }')).status).toBe(200);
});
