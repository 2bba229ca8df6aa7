/** Tests Linear's webhooks over HTTP: valid, unsigned, stale and repeated ones. */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { createWebhookHandler } from '../../src/daemon/services/open-services.ts';
import {
  MAX_DELIVERY_AGE_MS,
  openLinearReceiver,
} from '../../src/integrations/linear/webhooks/open-linear-receiver.ts';
import type { WakeUp, WebhookReceiver } from '../../src/ports/webhooks.ts';
import { ISSUE, ISSUE_SAID, SECRET, signatureOf } from '../integrations/linear/webhooks/delivering.ts';
import { settled, VirtualClock } from '../support/virtual-clock.ts';
import { ask, codeOf } from './ask.ts';
import { type Legion, openLegion, type Served } from './served.ts';

let legion: Legion;
let door: Served;
let receiver: WebhookReceiver;
let clock: VirtualClock;
let secret: string | undefined;
let woken: WakeUp[];
beforeAll(async () => {
  legion = await openLegion();
});
beforeEach(async () => {
  clock = new VirtualClock();
  await clock.advance(1_800_000_000_000);
  secret = SECRET;
  woken = [];
  receiver = openLinearReceiver({
    clock,
    secret: () => secret,
    accounts: () => [],
    isOwn: () => false,
    wake: (wakeUps) => void woken.push(...wakeUps),
    envoy: { publish: async () => undefined },
    deliveries: join(mkdtempSync(join(inject('scratch'), 'webhooks-')), 'deliveries'),
    onError: (error) => expect.fail(String(error)),
  });
  door = await legion.serve({ instead: () => ({ webhooks: createWebhookHandler({ linear: receiver }) }) });
});
afterEach(async () => {
  await receiver.close();
  await door.close();
  expect(door.defects).toEqual([]);
});
afterAll(() => legion.close());

interface Sent {
  readonly id?: string;
  readonly agoMs?: number;
  readonly signature?: string;
}

async function send({ id = 'one', agoMs = 0, signature }: Sent = {}) {
  const body = Buffer.from(JSON.stringify({ ...ISSUE_SAID, webhookTimestamp: clock.now() - agoMs }));
  const headers = {
    host: 'legion.example.com',
    'linear-delivery': id,
    'linear-event': 'Issue',
    ...(signature !== '' && { 'linear-signature': signature ?? signatureOf(body) }),
  };
  const reply = await ask(door, 'POST /webhooks/linear', { token: null, headers, body });
  await settled();
  await settled();
  return reply;
}

test('accepts a signed webhook through a tunnel, without a token, with the status that Linear expects', async () => {
  const reply = await send();
  // Linear would treat the status 202 as a failure.
  expect([reply.status, JSON.parse(reply.text)]).toEqual([200, { accepted: true }]);
  expect(woken).toEqual([{ tracked: ISSUE }]);
});

test('if a webhook is sent three times, answers each time but wakes the loop only once', async () => {
  const replies = [await send(), await send(), await send()];
  expect(replies.map(({ status, text }) => [status, JSON.parse(text).accepted])).toEqual([
    [200, true],
    [200, false],
    [200, false],
  ]);
  expect(woken).toEqual([{ tracked: ISSUE }]);
});

test.each<[string, Sent, string]>([
  ['unsigned', { signature: '' }, 'webhook.unsigned'],
  ['signed with another secret', { signature: signatureOf('{}', 'guessed') }, 'webhook.unsigned'],
  ['a minute old', { agoMs: MAX_DELIVERY_AGE_MS + 1 }, 'webhook.stale'],
  ['from the future', { agoMs: -MAX_DELIVERY_AGE_MS - 1 }, 'webhook.stale'],
])('refuses a webhook that is %s', async (_, sent, code) => {
  const reply = await send(sent);
  expect([reply.status, codeOf(reply)]).toEqual([403, code]);
  expect(woken).toEqual([]);
});

test('refuses a webhook if no secret is configured', async () => {
  secret = undefined;
  const reply = await send();
  expect([reply.status, codeOf(reply)]).toEqual([403, 'webhook.no_secret']);
});
