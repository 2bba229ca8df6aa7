/**
 * Tests floods of clients that open connections and announce large bodies but send little. A signed
 * delivery must still be accepted.
 */
import { mkdtempSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { createWebhookHandler } from '../../src/daemon/services/open-services.ts';
import { MAX_INFLIGHT_BYTES } from '../../src/http/bodies.ts';
import { MAX_UNPROVEN_CONNECTIONS } from '../../src/http/listeners.ts';
import { DELIVERY_MS, MAX_DELIVERY_BYTES } from '../../src/http/routes/webhooks.ts';
import { openGithubReceiver } from '../../src/integrations/github/webhooks/open-github-receiver.ts';
import type { WebhookReceiver } from '../../src/ports/webhooks.ts';
import { SECRET, signatureOf } from '../integrations/github/webhooks/delivering.ts';
import { exampleOf } from '../integrations/github/webhooks/examples.ts';
import { settled, VirtualClock } from '../support/virtual-clock.ts';
import { ask } from './ask.ts';
import { listen } from './listener.ts';
import { type Legion, openLegion, type Served } from './served.ts';

const BODY = Buffer.from(JSON.stringify(exampleOf('issues', 'opened')));
/** A signature in the right format that was not created with the secret. */
const FORGED = `sha256=${'0'.repeat(64)}`;
/**
 * Maximum time until a slow body is cut off. The adapter waits half a second for the rest of a
 * body; the limit allows for a busy machine.
 */
const CUT_MS = 4_000;
/**
 * Maximum time for a signed delivery. The delivery itself takes milliseconds, but a slow machine
 * needs a while for several hundred connections.
 */
const THROUGH_MS = 1_500;

let legion: Legion;
let door: Served;
let clock: VirtualClock;
let receiver: WebhookReceiver;
let strangers: Stranger[] = [];
beforeAll(async () => {
  legion = await openLegion();
});
beforeEach(async () => {
  clock = new VirtualClock();
  receiver = openGithubReceiver({
    clock,
    secret: () => SECRET,
    accounts: () => [],
    wake: () => undefined,
    envoy: { publish: async () => undefined },
    deliveries: join(mkdtempSync(join(inject('scratch'), 'floods-')), 'deliveries'),
    onError: (error) => expect.fail(String(error)),
  });
  door = await legion.serve({
    clock,
    instead: () => ({ webhooks: createWebhookHandler({ github: receiver }) }),
  });
});
afterEach(async () => {
  for (const { socket } of strangers) socket.destroy();
  strangers = [];
  await receiver.close();
  const closing = door.close();
  await settled();
  await clock.advance(60_000); // the server's own timeout
  await closing;
  expect(door.defects).toEqual([]);
});
afterAll(() => legion.close());

interface Stranger {
  readonly socket: Socket;
  readonly heard: () => string;
}

async function stranger(...lines: string[]): Promise<Stranger> {
  let heard = '';
  const socket = connect({ port: door.port, host: '127.0.0.1' });
  socket.setEncoding('utf8').on('data', (text) => {
    heard += text;
  });
  socket.on('error', () => undefined);
  const made = { socket, heard: () => heard };
  strangers.push(made);
  await new Promise<void>((resolve) =>
    socket.once('connect', () => socket.write(lines.join('\r\n'), () => resolve())),
  );
  return made;
}

function delivery(length: number, ...signature: string[]): string[] {
  return [
    'POST /webhooks/github HTTP/1.1',
    'Host: legion.example.com',
    'Content-Type: application/json',
    `Content-Length: ${length}`,
    ...signature,
    '',
    '',
  ];
}

const announced = () => stranger(...delivery(MAX_DELIVERY_BYTES, `X-Hub-Signature-256: ${FORGED}`));

async function many(count: number, make: () => Promise<Stranger>): Promise<readonly Stranger[]> {
  return Promise.all(Array.from({ length: count }, make));
}

let deliveries = 0;
async function expectThrough(): Promise<void> {
  deliveries += 1;
  const began = performance.now();
  const reply = await ask(door, 'POST /webhooks/github', {
    token: null,
    headers: {
      host: 'legion.example.com',
      'x-github-event': 'issues',
      'x-github-delivery': `real-${deliveries}`,
      'x-hub-signature-256': signatureOf(BODY),
    },
    body: BODY,
  });
  expect([reply.status, JSON.parse(reply.text)]).toEqual([202, { accepted: true }]);
  expect(performance.now() - began).toBeLessThan(THROUGH_MS);
}

test.each([8, 100, MAX_UNPROVEN_CONNECTIONS + 50])(
  '%i forged deliveries that announce four megabytes and send nothing do not block a signed one',
  async (count) => {
    await many(count, announced);
    await expect
      .poll(() => clock.sleepers)
      .toBeGreaterThanOrEqual(Math.min(count, MAX_UNPROVEN_CONNECTIONS - 1));
    await expectThrough();
  },
);

test.each([100, MAX_UNPROVEN_CONNECTIONS + 50])(
  '%i connections that never finish their headers do not block a signed delivery or a command',
  async (count) => {
    const watching = await listen(door, '/events');
    await many(count, () => stranger('POST /webhooks/github HTTP/1.1', 'Host: legion.exam'));
    await expectThrough();
    expect((await ask(door, 'GET /health')).status).toBe(200);
    expect((await ask(door, 'GET /health', { over: 'socket' })).status).toBe(200);
    // Checks that the server has not closed an authenticated connection to make space for
    // unauthenticated ones.
    await legion.happen(1);
    await watching.until(1);
    watching.leave();
  },
);

test('ends slow bodies at their deadline, one by one, and releases their memory', async () => {
  for (let round = 0; round < 3; round += 1) {
    const slow = await many(8, announced);
    for (const { socket } of slow) socket.write(Buffer.alloc(1_000));
    await expect.poll(() => clock.sleepers).toBeGreaterThanOrEqual(8);
    await clock.advance(DELIVERY_MS);
    for (const { heard } of slow) await expect.poll(heard).toContain('http.request_timeout');
    await expectThrough();
  }
});

test('if unfinished bodies fill the memory, drops the oldest one', async () => {
  const most = MAX_INFLIGHT_BYTES / MAX_DELIVERY_BYTES;
  const large = Buffer.alloc(MAX_DELIVERY_BYTES - 1);
  const full: Stranger[] = [];
  for (let index = 0; index < most + 1; index += 1) {
    const each = await announced();
    full.push(each);
    await new Promise<void>((resolve) => each.socket.write(large, () => resolve()));
  }
  await expect.poll(() => full[0]?.heard() ?? '').toContain('webhook.busy');
  await expectThrough();
  expect(full.at(-1)?.heard()).toBe('');
});

test('refuses an unsigned delivery before reading its body, and closes the connection', async () => {
  const unsigned = await many(8, () => stranger(...delivery(MAX_DELIVERY_BYTES)));
  for (const { heard } of unsigned) await expect.poll(heard).toContain('webhook.unsigned');
  await expectThrough();
  const cut = unsigned.map(
    ({ socket }) =>
      () =>
        socket.closed,
  );
  for (const isCut of cut) await expect.poll(isCut, { timeout: CUT_MS }).toBe(true);
});
