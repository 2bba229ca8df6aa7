/**
 * Checks webhooks: Linear's own SDK accepts them, they are signed, and they can be disturbed by
 * injected delivery faults.
 */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { LinearWebhookClient } from '@linear/sdk/webhooks';
import { afterEach, expect, test } from 'vitest';
import { closeStages, stage } from './simulated-linear.ts';

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

async function receiver() {
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
    async until(count: number) {
      while (got.length < count) await new Promise((resolve) => setTimeout(resolve, 5));
      return got;
    },
  };
}

const told = (got: readonly Received[]) => got.map(({ body }) => `${body.type} ${body.action}`);

test('each change is delivered in order, and the SDK verifies its signature', async () => {
  const { linear } = await stage();
  const { url, until } = await receiver();
  const { people } = linear;
  linear.faults.webhooks({ url, secret: SECRET });
  people.label({ name: 'bug', team: 'ENG' });
  people.issue('ENG', { creator: 'ada', title: 'First', description: 'Broken', labels: ['bug'] });
  people.issue('ENG', { external: 'Mallory', title: 'Second' });
  people.move('bob', 'ENG-1', 'Todo');
  const comment = people.comment('bob', 'ENG-1', 'I see');
  people.attach('ENG-1', { url: 'https://example.com/1', title: 'One' });
  people.block('ENG-1', 'ENG-2'); // Linear documents no webhook for relations
  people.setLabels('bob', 'ENG-1', { remove: ['bug'] });
  people.trash('bob', 'ENG-2');
  const got = await until(8);
  expect(told(got)).toEqual([
    'IssueLabel create',
    'Issue create',
    'Issue create',
    'Issue update',
    'Comment create',
    'Attachment create',
    'Issue update',
    'Issue remove',
  ]);
  const client = new LinearWebhookClient(SECRET);
  for (const { headers, raw, body } of got) {
    const signature = String(headers['linear-signature']);
    expect(client.parseData(Buffer.from(raw), signature, body.webhookTimestamp)).toEqual(body);
    expect(() => client.parseData(Buffer.from(`${raw} `), signature, body.webhookTimestamp)).toThrow();
    expect(headers['linear-event']).toBe(body.type);
    expect(headers['linear-delivery']).toMatch(/^[0-9a-f-]{36}$/);
    expect(body).toMatchObject({ organizationId: expect.any(String), webhookId: expect.any(String) });
  }
  expect(got[1]?.body).toMatchObject({
    actor: { name: 'ada', type: 'user' },
    url: expect.stringContaining('/ENG-1/'),
    data: {
      identifier: 'ENG-1',
      title: 'First',
      description: 'Broken',
      team: { key: 'ENG' },
      state: { name: 'Backlog', type: 'backlog' },
      labels: [{ name: 'bug' }],
    },
  });
  expect(got[2]?.body.actor).toMatchObject({ name: 'Mallory', type: 'externalUser' });
  expect(got[3]?.body).toMatchObject({
    data: { state: { name: 'Todo' } },
    updatedFrom: { stateId: got[1]?.body.data.stateId, updatedAt: expect.any(String) },
  });
  expect(got[4]?.body.data).toMatchObject({
    id: comment,
    body: 'I see',
    user: { name: 'bob' },
    issue: { identifier: 'ENG-1', team: { key: 'ENG' } },
  });
  expect(got[6]?.body.updatedFrom.labelIds).toEqual([got[0]?.body.data.id]);
  expect(got[7]?.body.data).toMatchObject({ identifier: 'ENG-2', trashed: true });
});

test('changes by clients are delivered too, but writes that change nothing are not', async () => {
  const { linear, ask } = await stage();
  const { url, got, until } = await receiver();
  linear.people.issue('ENG', { creator: 'ada', title: 'First' });
  linear.faults.webhooks({ url, secret: SECRET });
  await ask('mutation { issueUpdate(id: "ENG-1", input: {title: "First"}) { success } }');
  await ask('mutation { issueUpdate(id: "ENG-1", input: {title: "Other"}) { success } }');
  await until(1);
  expect(told(got)).toEqual(['Issue update']);
  expect(got[0]?.body).toMatchObject({ actor: { name: 'ada' }, updatedFrom: { title: 'First' } });
});

test('deliveries can be dropped, tripled, and shuffled by a seed, and a failed delivery is not repeated', async () => {
  const { linear } = await stage();
  const { url, got, until } = await receiver();
  linear.faults.webhooks({ url, secret: SECRET, dropped: 'all' });
  linear.people.issue('ENG', { creator: 'ada', title: 'Dropped' });
  linear.faults.webhooks({ url: 'http://127.0.0.1:1/', secret: SECRET });
  linear.people.comment('ada', 'ENG-1', 'lost');
  linear.faults.webhooks({ url, secret: SECRET, times: 3, shuffled: 5 });
  for (const body of ['one', 'two', 'three']) linear.people.comment('ada', 'ENG-1', body);
  await until(9);
  expect(new Set(got.map(({ headers }) => headers['linear-delivery'])).size).toBe(3);
  const bodies = got.map(({ body }) => body.data.body);
  expect(bodies.toSorted()).toEqual(['one', 'one', 'one', 'three', 'three', 'three', 'two', 'two', 'two']);
  expect(bodies).not.toEqual(['one', 'one', 'one', 'two', 'two', 'two', 'three', 'three', 'three']);
});

test('a delivery can be made to look old by an old timestamp in its signed body', async () => {
  const { linear } = await stage();
  const { url, until } = await receiver();
  linear.faults.webhooks({ url, secret: SECRET, ageMs: 120_000 });
  linear.people.issue('ENG', { creator: 'ada', title: 'First' });
  const [delivery] = await until(1);
  expect(Date.now() - delivery?.body.webhookTimestamp).toBeGreaterThanOrEqual(120_000);
  const client = new LinearWebhookClient(SECRET);
  const signature = String(delivery?.headers['linear-signature']);
  expect(() =>
    client.parseData(Buffer.from(delivery?.raw ?? ''), signature, delivery?.body.webhookTimestamp),
  ).toThrow();
});

test('an unresponsive receiver delays neither requests nor closing', async () => {
  const { linear, ask } = await stage();
  const server = createServer(() => undefined);
  receivers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  linear.faults.webhooks({ url, secret: SECRET });
  linear.people.issue('ENG', { creator: 'ada', title: 'First' });
  expect((await ask('{ viewer { name } }')).status).toBe(200);
});
