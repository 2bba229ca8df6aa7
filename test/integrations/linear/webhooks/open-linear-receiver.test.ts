/** Tests Linear's deliveries: verification, duplicates and effects. */
import { join } from 'node:path';
import { LinearWebhookClient } from '@linear/sdk/webhooks';
import { afterEach, expect, test } from 'vitest';
import { MAX_DELIVERY_AGE_MS } from '../../../../src/integrations/linear/webhooks/open-linear-receiver.ts';
import { REMEMBERED_MS } from '../../../../src/integrations/webhook-support/deliveries.ts';
import { refusal } from '../../../ports/journal/refusal.ts';
import { ownFolder } from '../../webhook-support/folder.ts';
import {
  delivery,
  ISSUE,
  ISSUE_SAID,
  type Receiving,
  receiving,
  SECRET,
  said,
  signatureOf,
} from './delivering.ts';

const open: Receiving[] = [];
function opened(options?: Parameters<typeof receiving>[0]): Receiving {
  const made = receiving(options);
  open.push(made);
  return made;
}
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

const FRESH = { ...ISSUE_SAID, webhookTimestamp: 0 };
const TEXT = JSON.stringify(FRESH);

test('accepts a signed delivery, and wakes the issue concerned only after responding', async () => {
  const receiver = opened();
  expect(await receiver.send('one', ISSUE_SAID)).toEqual({ accepted: true });
  expect(receiver.woken).toEqual([]);
  await receiver.quiet();
  expect(receiver.woken).toEqual([{ tracked: ISSUE }]);
  expect(receiver.notices.map(({ topic }) => topic)).toEqual(['notifications.linear.eng.21']);
  expect(receiver.errors).toEqual([]);
});

test('Linear’s own library accepts the signatures that this test creates', () => {
  const body = Buffer.from(JSON.stringify({ ...ISSUE_SAID, webhookTimestamp: Date.now() }));
  expect(new LinearWebhookClient(SECRET).verify(body, signatureOf(body))).toBe(true);
});

test.each([
  ['no secret', undefined],
  ['an empty secret', ''],
])(
  'rejects every delivery unread if the receiver has %s, even if the delivery is signed with an empty secret',
  async (_, secret) => {
    const sent = delivery('one', TEXT, { 'linear-signature': signatureOf(TEXT, secret ?? '') });
    expect((await refusal(opened({ secret: () => secret }).receive(sent))).code).toBe('webhook.no_secret');
    expect(sent.wasRead).toBe(false);
  },
);

test.each<[string, string | undefined, isRead: boolean]>([
  ['missing', undefined, false],
  ['empty', '', false],
  ['in another format', `sha256=${signatureOf(TEXT)}`, false],
  ['in capitals', signatureOf(TEXT).toUpperCase(), false],
  ['shortened', signatureOf(TEXT).slice(0, -1), false],
  ['duplicated', `${signatureOf(TEXT)}, ${signatureOf(TEXT)}`, false],
  ['made with another secret', signatureOf(TEXT, 'another'), true],
  ['made with the empty secret', signatureOf(TEXT, ''), true],
  ['of another body', signatureOf(`${TEXT} `), true],
])('rejects a signature that is %s', async (_, signature, isRead) => {
  const receiver = opened();
  const sent = delivery('one', TEXT, { 'linear-signature': signature });
  expect((await refusal(receiver.receive(sent))).code).toBe('webhook.unsigned');
  expect(sent.wasRead).toBe(isRead);
  await receiver.quiet();
  expect([receiver.woken, receiver.notices]).toEqual([[], []]);
  // A rejected delivery does not use up its id.
  expect(await receiver.receive(delivery('one', TEXT))).toEqual({ accepted: true });
});

test('verifies the raw bytes: the same JSON encoded differently is unsigned', async () => {
  const receiver = opened();
  const signature = { 'linear-signature': signatureOf(TEXT) };
  for (const body of [
    JSON.stringify(FRESH, null, 2),
    Buffer.from(`\uFEFF${TEXT}`),
    Buffer.from(TEXT, 'utf16le'),
  ])
    expect((await refusal(receiver.receive(delivery('one', body, signature)))).code).toBe('webhook.unsigned');
  for (const body of [Buffer.from([0xff, 0xfe, 0x00]), Buffer.alloc(0)])
    expect((await refusal(receiver.receive(delivery('one', body)))).code).toBe('webhook.unsigned');
});

test('rejects a signed body that is not JSON', async () => {
  const refused = await refusal(opened().receive(delivery('one', 'payload=1')));
  expect(refused.code).toBe('http.body_invalid');
});

const NOW = 1_800_000_000_000;
test.each<[string, unknown, string]>([
  ['no time', undefined, 'webhookTimestamp: is missing'],
  ['null', null, 'webhookTimestamp: is missing'],
  ['a text', `${NOW}`, `webhookTimestamp: expected a time in milliseconds, got "\\"${NOW}\\""`],
  ['a list', [NOW], `webhookTimestamp: expected a time in milliseconds, got "[${NOW}]"`],
  [
    'an old time',
    NOW - MAX_DELIVERY_AGE_MS - 1,
    'webhookTimestamp: is 60 s in the past, the maximum is 60 s',
  ],
  [
    'a time from yesterday',
    NOW - 86_400_000,
    'webhookTimestamp: is 86400 s in the past, the maximum is 60 s',
  ],
  [
    'a future time',
    NOW + MAX_DELIVERY_AGE_MS + 1,
    'webhookTimestamp: is 60 s in the future, the maximum is 60 s',
  ],
])(
  'rejects a signed delivery with an invalid webhookTimestamp (%s) and states why',
  async (_, webhookTimestamp, message) => {
    const receiver = opened();
    await receiver.clock.advance(NOW);
    const headers = { 'linear-timestamp': `${NOW}` };
    const sent = delivery('one', JSON.stringify({ ...ISSUE_SAID, webhookTimestamp }), headers);
    expect(await refusal(receiver.receive(sent))).toMatchObject({ code: 'webhook.stale', message });
    await receiver.quiet();
    expect(receiver.woken).toEqual([]);
    expect(await receiver.send('one', ISSUE_SAID)).toEqual({ accepted: true });
  },
);

test.each(['5', '[]', 'null', '"text"', '1e999'])(
  'rejects the body %s because it has no timestamp',
  async (text) => {
    expect((await refusal(opened().receive(delivery('one', text)))).code).toBe('webhook.stale');
  },
);

test('accepts a clock difference of one minute in either direction', async () => {
  const receiver = opened();
  await receiver.clock.advance(NOW);
  for (const [id, at] of [
    ['one', NOW - MAX_DELIVERY_AGE_MS],
    ['two', NOW + MAX_DELIVERY_AGE_MS],
  ] as const) {
    const body = JSON.stringify({ ...ISSUE_SAID, webhookTimestamp: at });
    expect(await receiver.receive(delivery(id, body))).toEqual({ accepted: true });
  }
});

test.each([undefined, '', 'two words', 'x'.repeat(101)])(
  'rejects an invalid delivery id (%s)',
  async (id) => {
    const sent = delivery('one', TEXT, { 'linear-delivery': id });
    expect(await refusal(opened().receive(sent))).toMatchObject({
      code: 'input.invalid',
      message: expect.stringContaining('linear-delivery'),
    });
  },
);

test('ignores a duplicate for three days, even after a restart', async () => {
  const deliveries = join(ownFolder(), 'deliveries');
  const first = opened({ deliveries });
  const id = '234d1a4e-b617-4388-90fe-adc3633d6b72';
  expect(await first.send(id, ISSUE_SAID)).toEqual({ accepted: true });
  expect(await first.send(id, ISSUE_SAID)).toEqual({ accepted: false });
  await first.quiet();
  expect(first.woken).toHaveLength(1);
  await first.close();
  const second = opened({ deliveries });
  await second.clock.advance(REMEMBERED_MS);
  expect(await second.send(id, ISSUE_SAID)).toEqual({ accepted: false });
  await second.clock.advance(1);
  expect(await second.send(id, ISSUE_SAID)).toEqual({ accepted: true });
});

test('wakes an issue once for simultaneous copies with different ids', async () => {
  const receiver = opened();
  for (const id of ['a', 'b', 'c', 'a', 'b', 'c']) await receiver.send(id, ISSUE_SAID);
  await receiver.quiet();
  expect(receiver.woken.filter((wakeUp) => wakeUp !== 'everything' && 'tracked' in wakeUp)).toEqual([
    { tracked: ISSUE },
  ]);
});

test('wakes everything for a signed but unreadable body and reports it once', async () => {
  const receiver = opened();
  expect(await receiver.send('one', said('Issue', { id: 5 }))).toEqual({ accepted: true });
  await receiver.quiet();
  expect(await receiver.send('two', { hello: 1 })).toEqual({ accepted: true });
  await receiver.quiet();
  expect(receiver.woken).toEqual(['everything', 'everything']);
  expect(receiver.errors.map(String)).toEqual([expect.stringContaining('body.data.id: ')]);
});

test('uses a changed secret from the next delivery on', async () => {
  let secret: string | undefined;
  const receiver = opened({ secret: () => secret });
  expect((await refusal(receiver.send('one', ISSUE_SAID))).code).toBe('webhook.no_secret');
  secret = SECRET;
  expect(await receiver.send('one', ISSUE_SAID)).toEqual({ accepted: true });
  secret = 'another';
  expect((await refusal(receiver.send('two', ISSUE_SAID))).code).toBe('webhook.unsigned');
});

test('leaves no timer after closing and emits nothing more', async () => {
  const receiver = opened();
  await receiver.send('one', ISSUE_SAID);
  for (const each of open.splice(0)) await each.close();
  await receiver.quiet();
  expect([receiver.woken, receiver.notices, receiver.clock.nextIn]).toEqual([[], [], undefined]);
});
