/** Tests GitHub's deliveries: verification, duplicates and effects. */
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { QUIET_MS } from '../../../../src/integrations/github/webhooks/check-summary.ts';
import { REMEMBERED_MS } from '../../../../src/integrations/webhook-support/deliveries.ts';
import { refusal } from '../../../ports/journal/refusal.ts';
import { ownFolder } from '../../webhook-support/folder.ts';
import { delivery, type Receiving, receiving, SECRET, signatureOf } from './delivering.ts';
import { altered, exampleOf, examplesOf, publishedEvents } from './examples.ts';

const open: Receiving[] = [];
function opened(options?: Parameters<typeof receiving>[0]): Receiving {
  const made = receiving(options);
  open.push(made);
  return made;
}
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

const ISSUE = exampleOf('issues', 'opened');
const HELLO = { owner: 'Codertocat', repo: 'Hello-World' };

test('accepts a signed delivery, and wakes the issue concerned only after responding', async () => {
  const receiver = opened();
  const answer = await receiver.send({ event: 'issues', id: 'one', body: ISSUE });
  expect(answer).toEqual({ accepted: true });
  expect(receiver.woken).toEqual([]);
  await receiver.quiet();
  expect(receiver.woken).toEqual([{ issue: { ...HELLO, number: 1 } }]);
  expect(receiver.notices.map(({ topic }) => topic)).toEqual([
    'notifications.github.codertocat.hello-world.issue.1',
  ]);
  expect(receiver.errors).toEqual([]);
});

test.each([
  ['no secret', undefined],
  ['an empty secret', ''],
])(
  'rejects every delivery unread if the receiver has %s, even if the delivery is signed with an empty secret',
  async (_, secret) => {
    const receiver = opened({ secret: () => secret });
    const body = JSON.stringify(ISSUE);
    const sent = delivery('issues', 'one', body, { 'x-hub-signature-256': signatureOf(body, secret ?? '') });
    expect((await refusal(receiver.receive(sent))).code).toBe('webhook.no_secret');
    expect(sent.wasRead).toBe(false);
  },
);

const TEXT = JSON.stringify(ISSUE);
test.each<[string, string | undefined, isRead: boolean]>([
  ['missing', undefined, false],
  ['empty', '', false],
  ['of another algorithm', signatureOf(TEXT).replace('sha256=', 'sha1='), false],
  ['without its algorithm', signatureOf(TEXT).slice(7), false],
  ['shortened', signatureOf(TEXT).slice(0, -1), false],
  ['duplicated', `${signatureOf(TEXT)}, ${signatureOf(TEXT)}`, false],
  ['made with another secret', signatureOf(TEXT, 'another'), true],
  ['made with the empty secret', signatureOf(TEXT, ''), true],
  ['of another body', signatureOf(`${TEXT} `), true],
])('rejects a signature that is %s', async (_, signature, isRead) => {
  const receiver = opened();
  const sent = delivery('issues', 'one', TEXT, { 'x-hub-signature-256': signature });
  expect((await refusal(receiver.receive(sent))).code).toBe('webhook.unsigned');
  expect(sent.wasRead).toBe(isRead);
  await receiver.quiet();
  expect([receiver.woken, receiver.notices]).toEqual([[], []]);
  // A rejected delivery does not use up its id.
  expect(await receiver.send({ event: 'issues', id: 'one', body: ISSUE })).toEqual({ accepted: true });
});

test('verifies the raw bytes: the same JSON encoded differently is unsigned', async () => {
  const receiver = opened();
  const [spaced, marked] = [JSON.stringify(ISSUE, null, 2), Buffer.from(`\uFEFF${TEXT}`)];
  const signature = { 'x-hub-signature-256': signatureOf(TEXT) };
  for (const body of [spaced, marked, Buffer.from(TEXT, 'utf16le')]) {
    expect((await refusal(receiver.receive(delivery('issues', 'one', body, signature)))).code).toBe(
      'webhook.unsigned',
    );
  }
  expect(await receiver.receive(delivery('issues', 'one', spaced))).toEqual({ accepted: true });
});

test('rejects invalid UTF-8 and an empty body, even if they are signed correctly', async () => {
  const receiver = opened();
  for (const body of [Buffer.from([0xff, 0xfe, 0x00]), Buffer.alloc(0)]) {
    expect((await refusal(receiver.receive(delivery('issues', 'one', body)))).code).toBe('webhook.unsigned');
  }
});

test('rejects a signed body that is not JSON, and states which GitHub setting to change', async () => {
  const receiver = opened();
  const form = `payload=${encodeURIComponent(TEXT)}`;
  const refused = await refusal(receiver.receive(delivery('issues', 'one', form)));
  expect(refused).toMatchObject({
    code: 'http.body_invalid',
    message: expect.stringContaining('application/json'),
  });
});

test.each([
  ['x-github-event', undefined],
  ['x-github-event', 'issues, issues'],
  ['x-github-delivery', undefined],
  ['x-github-delivery', 'two words'],
  ['x-github-delivery', 'x'.repeat(101)],
])('rejects an invalid %s header (%s)', async (header, value) => {
  const sent = delivery('issues', 'one', TEXT, { [header]: value });
  expect(await refusal(opened().receive(sent))).toMatchObject({
    code: 'input.invalid',
    message: expect.stringContaining(header),
  });
});

test('accepts irrelevant events without effect', async () => {
  const receiver = opened();
  for (const event of ['star', 'fork', 'gollum', 'constructor', '__proto__', 'not_invented_yet']) {
    const body = examplesOf(event)[0] ?? {};
    expect(await receiver.send({ event, id: event.replaceAll('_', '-'), body }), event).toEqual({
      accepted: false,
    });
  }
  await receiver.quiet();
  expect([receiver.woken, receiver.notices, receiver.errors]).toEqual([[], [], []]);
  expect(publishedEvents.length).toBeGreaterThan(50);
});

test('wakes everything if the body of a known event cannot be read', async () => {
  const receiver = opened();
  expect(await receiver.send({ event: 'issues', id: 'one', body: { action: 'opened' } })).toEqual({
    accepted: true,
  });
  await receiver.quiet();
  expect(receiver.woken).toEqual(['everything']);
});

test('ignores a duplicate for three days, even after a restart', async () => {
  const deliveries = join(ownFolder(), 'deliveries');
  const first = opened({ deliveries });
  const sent = { event: 'issues', id: '72d3162e-cc78-11e3-81ab-4c9367dc0958', body: ISSUE };
  expect(await first.send(sent)).toEqual({ accepted: true });
  expect(await first.send(sent)).toEqual({ accepted: false });
  await first.quiet();
  expect(first.woken).toHaveLength(1);
  await first.close();
  const second = opened({ deliveries });
  await second.clock.advance(REMEMBERED_MS);
  expect(await second.send(sent)).toEqual({ accepted: false });
  await second.clock.advance(1);
  expect(await second.send(sent)).toEqual({ accepted: true });
});

test('uses a changed secret from the next delivery on', async () => {
  let secret: string | undefined;
  const receiver = opened({ secret: () => secret });
  const sent = { event: 'issues', id: 'one', body: ISSUE };
  expect((await refusal(receiver.send(sent))).code).toBe('webhook.no_secret');
  secret = SECRET;
  expect(await receiver.send(sent)).toEqual({ accepted: true });
  secret = 'another';
  expect((await refusal(receiver.send({ ...sent, id: 'two' }))).code).toBe('webhook.unsigned');
});

test('can read every example body that GitHub publishes for the handled events', async () => {
  const handled = [
    ...[
      'ping',
      'issues',
      'issue_comment',
      'pull_request',
      'pull_request_review',
      'pull_request_review_comment',
    ],
    ...['check_run', 'check_suite', 'workflow_run', 'status', 'push', 'label', 'projects_v2_item'],
    ...['installation', 'installation_repositories'],
  ];
  let count = 0;
  for (const event of handled) {
    const bodies = examplesOf(event);
    expect(bodies.length, event).toBeGreaterThan(0);
    for (const body of bodies) {
      const receiver = opened();
      count += 1;
      expect(await receiver.send({ event, id: 'one', body }), event).toEqual({ accepted: true });
      await receiver.quiet();
      await receiver.clock.advance(QUIET_MS);
      await receiver.quiet();
      const isOfDefaultBranch = body.ref === 'refs/heads/master';
      const isBroad = event === 'label' || event.startsWith('installation') || isOfDefaultBranch;
      if (!isBroad) expect(receiver.woken, `${event} ${body.action}`).not.toContain('everything');
      expect(receiver.errors).toEqual([]);
    }
  }
  expect(count).toBeGreaterThan(100);
});

test('folds the checks of one commit into one wake-up and one summary', async () => {
  const receiver = opened();
  const run = exampleOf('check_run', 'created');
  for (let each = 1; each <= 5; each += 1) {
    const values = { 'check_run.id': each, 'check_run.name': `job ${each}` };
    await receiver.send({ event: 'check_run', id: `run-${each}`, body: altered(run, values) });
  }
  const failed = { 'check_run.id': 6, 'check_run.status': 'completed', 'check_run.conclusion': 'failure' };
  await receiver.send({
    event: 'check_run',
    id: 'run-6',
    body: altered(run, { ...failed, 'check_run.name': 'lint' }),
  });
  await receiver.clock.advance(QUIET_MS - 1);
  await receiver.quiet();
  expect(receiver.woken).toEqual([]);
  await receiver.clock.advance(1);
  await receiver.quiet();
  const sha = 'ec26c3e57ca3a959ca5aad62de7213c562f8c821';
  expect(receiver.woken).toEqual([{ commit: { ...HELLO, sha, branches: ['changes'], pullRequests: [2] } }]);
  expect(receiver.notices).toEqual([
    {
      topic: 'notifications.github.codertocat.hello-world.pr.2.ci',
      notice: {
        text: 'Codertocat/Hello-World#2: checks are failing (lint)',
        data: { repository: 'Codertocat/Hello-World', sha, number: 2, verdict: 'failing', failing: ['lint'] },
      },
    },
  ]);
});

test('does not publish an unchanged summary again, but still emits a wake-up for the commit', async () => {
  const receiver = opened();
  const body = exampleOf('check_run', 'completed');
  await receiver.send({ event: 'check_run', id: 'one', body });
  await receiver.clock.advance(QUIET_MS);
  await receiver.quiet();
  await receiver.send({ event: 'check_run', id: 'two', body });
  await receiver.clock.advance(QUIET_MS);
  await receiver.quiet();
  expect(receiver.notices).toHaveLength(1);
  expect(receiver.woken).toHaveLength(2);
});

test('leaves no timer after closing and emits nothing more', async () => {
  const receiver = opened();
  await receiver.send({ event: 'check_run', id: 'one', body: exampleOf('check_run') });
  await receiver.send({ event: 'issues', id: 'two', body: ISSUE });
  await receiver.close();
  await receiver.quiet();
  expect([receiver.woken, receiver.notices, receiver.clock.nextIn]).toEqual([[], [], undefined]);
});
