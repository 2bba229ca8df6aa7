/** Linear's deliveries: which are believed, which came before, and what comes of them. */
import { join } from 'node:path';
import { LinearWebhookClient } from '@linear/sdk/webhooks';
import { afterEach, expect, test } from 'vitest';
import { REMEMBERED_MS } from '../../../../src/envoy/deliveries.ts';
import { FRESH_MS } from '../../../../src/envoy/linear/fresh.ts';
import { refusal } from '../../../ports/workspace/refusal.ts';
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

test('a signed delivery is accepted, and wakes what it names after the answer', async () => {
  const receiver = opened();
  expect(await receiver.send('one', ISSUE_SAID)).toEqual({ accepted: true });
  expect(receiver.woken).toEqual([]);
  await receiver.quiet();
  expect(receiver.woken).toEqual([{ tracked: ISSUE }]);
  expect(receiver.notices.map(({ topic }) => topic)).toEqual(['notifications.linear.eng.21']);
  expect(receiver.troubles).toEqual([]);
});

test('what is signed here is signed as Linear’s own library has it', () => {
  const body = Buffer.from(JSON.stringify({ ...ISSUE_SAID, webhookTimestamp: Date.now() }));
  expect(new LinearWebhookClient(SECRET).verify(body, signatureOf(body))).toBe(true);
});

test.each([
  ['no secret', undefined],
  ['an empty secret', ''],
])('with %s everything is refused, unread, even what is signed with it', async (_, secret) => {
  const sent = delivery('one', TEXT, { 'linear-signature': signatureOf(TEXT, secret ?? '') });
  expect((await refusal(opened({ secret: () => secret }).receive(sent))).code).toBe('webhook.no_secret');
  expect(sent.wasRead).toBe(false);
});

test.each<[string, string | undefined, isRead: boolean]>([
  ['none', undefined, false],
  ['an empty one', '', false],
  ['one in another form', `sha256=${signatureOf(TEXT)}`, false],
  ['one in capitals', signatureOf(TEXT).toUpperCase(), false],
  ['a shortened one', signatureOf(TEXT).slice(0, -1), false],
  ['two', `${signatureOf(TEXT)}, ${signatureOf(TEXT)}`, false],
  ['one with another secret', signatureOf(TEXT, 'another'), true],
  ['one with the empty secret', signatureOf(TEXT, ''), true],
  ['one of another body', signatureOf(`${TEXT} `), true],
])('a signature that is %s is refused', async (_, signature, isRead) => {
  const receiver = opened();
  const sent = delivery('one', TEXT, { 'linear-signature': signature });
  expect((await refusal(receiver.receive(sent))).code).toBe('webhook.unsigned');
  expect(sent.wasRead).toBe(isRead);
  await receiver.quiet();
  expect([receiver.woken, receiver.notices]).toEqual([[], []]);
  // The id of what was refused is not used up.
  expect(await receiver.receive(delivery('one', TEXT))).toEqual({ accepted: true });
});

test('the raw bytes are what counts: the same JSON in other bytes is unsigned', async () => {
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

test('a body that is signed and no JSON is refused', async () => {
  const refused = await refusal(opened().receive(delivery('one', 'payload=1')));
  expect(refused.code).toBe('http.body_invalid');
});

const NOW = 1_800_000_000_000;
test.each<[string, unknown, string]>([
  ['none', undefined, 'webhookTimestamp: is missing'],
  ['null', null, 'webhookTimestamp: is missing'],
  ['a text', `${NOW}`, `webhookTimestamp: expected a time in milliseconds, got "\\"${NOW}\\""`],
  ['a list', [NOW], `webhookTimestamp: expected a time in milliseconds, got "[${NOW}]"`],
  ['an old one', NOW - FRESH_MS - 1, 'webhookTimestamp: is 60 s ago, at most 60 s are allowed'],
  ['one of yesterday', NOW - 86_400_000, 'webhookTimestamp: is 86400 s ago, at most 60 s are allowed'],
  [
    'one to come',
    NOW + FRESH_MS + 1,
    'webhookTimestamp: is 60 s ahead of this clock, at most 60 s are allowed',
  ],
])('signed, but with %s for its time, it is refused and says why', async (_, webhookTimestamp, message) => {
  const receiver = opened();
  await receiver.clock.advance(NOW);
  const headers = { 'linear-timestamp': `${NOW}` };
  const sent = delivery('one', JSON.stringify({ ...ISSUE_SAID, webhookTimestamp }), headers);
  expect(await refusal(receiver.receive(sent))).toMatchObject({ code: 'webhook.stale', message });
  await receiver.quiet();
  expect(receiver.woken).toEqual([]);
  expect(await receiver.send('one', ISSUE_SAID)).toEqual({ accepted: true });
});

test.each(['5', '[]', 'null', '"text"', '1e999'])('what is %s has no time', async (text) => {
  expect((await refusal(opened().receive(delivery('one', text)))).code).toBe('webhook.stale');
});

test('a clock that differs by a minute either way is no reason to refuse', async () => {
  const receiver = opened();
  await receiver.clock.advance(NOW);
  for (const [id, at] of [
    ['one', NOW - FRESH_MS],
    ['two', NOW + FRESH_MS],
  ] as const) {
    const body = JSON.stringify({ ...ISSUE_SAID, webhookTimestamp: at });
    expect(await receiver.receive(delivery(id, body))).toEqual({ accepted: true });
  }
});

test.each([undefined, '', 'two words', 'x'.repeat(101)])(
  'without a proper id (%s) it is refused',
  async (id) => {
    const sent = delivery('one', TEXT, { 'linear-delivery': id });
    expect(await refusal(opened().receive(sent))).toMatchObject({
      code: 'input.invalid',
      message: expect.stringContaining('linear-delivery'),
    });
  },
);

test('the second time a delivery is taken and does nothing, after a restart too, for three days', async () => {
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

test('tripled and under other ids, an issue is looked at once for all that came together', async () => {
  const receiver = opened();
  for (const id of ['a', 'b', 'c', 'a', 'b', 'c']) await receiver.send(id, ISSUE_SAID);
  await receiver.quiet();
  expect(receiver.woken.filter((wakeUp) => wakeUp !== 'everything' && 'tracked' in wakeUp)).toEqual([
    { tracked: ISSUE },
  ]);
});

test('what is signed and not understood wakes everything, and is told once', async () => {
  const receiver = opened();
  expect(await receiver.send('one', said('Issue', { id: 5 }))).toEqual({ accepted: true });
  await receiver.quiet();
  expect(await receiver.send('two', { hello: 1 })).toEqual({ accepted: true });
  await receiver.quiet();
  expect(receiver.woken).toEqual(['everything', 'everything']);
  expect(receiver.troubles.map(String)).toEqual([expect.stringContaining('body.data.id: ')]);
});

test('a secret that is changed while it runs counts from the next delivery on', async () => {
  let secret: string | undefined;
  const receiver = opened({ secret: () => secret });
  expect((await refusal(receiver.send('one', ISSUE_SAID))).code).toBe('webhook.no_secret');
  secret = SECRET;
  expect(await receiver.send('one', ISSUE_SAID)).toEqual({ accepted: true });
  secret = 'another';
  expect((await refusal(receiver.send('two', ISSUE_SAID))).code).toBe('webhook.unsigned');
});

test('closing leaves nobody asleep and lets nothing out any more', async () => {
  const receiver = opened();
  await receiver.send('one', ISSUE_SAID);
  for (const each of open.splice(0)) await each.close();
  await receiver.quiet();
  expect([receiver.woken, receiver.notices, receiver.clock.nextIn]).toEqual([[], [], undefined]);
});
