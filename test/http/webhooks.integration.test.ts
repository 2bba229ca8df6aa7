/**
 * Tests the only route without a token: how it authenticates and limits webhooks, and that it gives
 * no other access.
 */
import { mkdtempSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { createWebhookHandler } from '../../src/daemon/services/open-services.ts';
import { DELIVERY_MS, MAX_DELIVERY_BYTES } from '../../src/http/routes/webhooks.ts';
import { openGithubReceiver } from '../../src/integrations/github/webhooks/open-github-receiver.ts';
import type { WakeUp, WebhookReceiver } from '../../src/ports/webhooks.ts';
import { SECRET, signatureOf } from '../integrations/github/webhooks/delivering.ts';
import { exampleOf } from '../integrations/github/webhooks/examples.ts';
import { settled, VirtualClock } from '../support/virtual-clock.ts';
import { ask, codeOf, raw, sayAndLeave } from './ask.ts';
import { type Legion, openLegion, type Served } from './served.ts';

const BODY = Buffer.from(JSON.stringify(exampleOf('issues', 'opened')));
const TUNNEL = 'legion.example.com';

let legion: Legion;
let door: Served;
let clock: VirtualClock;
let receiver: WebhookReceiver;
let secret: string | undefined;
let woken: WakeUp[];
beforeAll(async () => {
  legion = await openLegion();
});
beforeEach(async () => {
  clock = new VirtualClock();
  secret = SECRET;
  woken = [];
  receiver = openGithubReceiver({
    clock,
    secret: () => secret,
    accounts: () => [],
    wake: (wakeUps) => void woken.push(...wakeUps),
    envoy: { publish: async () => undefined },
    deliveries: join(mkdtempSync(join(inject('scratch'), 'webhooks-')), 'deliveries'),
    onError: (error) => expect.fail(String(error)),
  });
  door = await legion.serve({
    clock,
    instead: () => ({ webhooks: createWebhookHandler({ github: receiver }) }),
  });
});
afterEach(async () => {
  await receiver.close();
  const closing = door.close();
  await settled();
  await clock.advance(60_000); // the server's own timeout
  await closing;
  expect(door.defects).toEqual([]);
});
afterAll(() => legion.close());

function headers(id: string, signature = signatureOf(BODY)): Record<string, string> {
  return {
    host: TUNNEL,
    'x-github-event': 'issues',
    'x-github-delivery': id,
    'x-hub-signature-256': signature,
  };
}

test('accepts a signed webhook through a tunnel, without a token, and responds before processing it', async () => {
  const reply = await ask(door, 'POST /webhooks/github', {
    token: null,
    headers: headers('one'),
    body: BODY,
  });
  expect([reply.status, JSON.parse(reply.text)]).toEqual([202, { accepted: true }]);
  await settled();
  expect(woken).toEqual([{ issue: { owner: 'Codertocat', repo: 'Hello-World', number: 1 } }]);
});

test('answers a repeated delivery with 202 and ignores it', async () => {
  const again = () =>
    ask(door, 'POST /webhooks/github', { token: null, headers: headers('one'), body: BODY });
  await again();
  const second = await again();
  expect([second.status, JSON.parse(second.text)]).toEqual([202, { accepted: false }]);
  await settled();
  expect(woken).toHaveLength(1);
});

test('refuses a wrong signature, regardless of the token', async () => {
  for (const token of [null, door.token, door.workerToken]) {
    for (const signature of [signatureOf(BODY, 'guessed'), signatureOf(BODY, ''), 'sha256=']) {
      const asking = { token, headers: headers('one', signature), body: BODY };
      const reply = await ask(door, 'POST /webhooks/github', asking);
      expect([reply.status, codeOf(reply)]).toEqual([403, 'webhook.unsigned']);
    }
  }
  expect(woken).toEqual([]);
});

test('refuses a webhook if no secret is configured, before its body is read', async () => {
  secret = undefined;
  const said = await raw(
    door,
    'POST /webhooks/github HTTP/1.1',
    `Host: ${TUNNEL}`,
    `X-Hub-Signature-256: ${signatureOf(BODY, '')}`,
    'Connection: close',
    `Content-Length: ${BODY.length}`,
  );
  expect(said).toMatch(/^HTTP\/1\.1 403 /);
  expect(said).toContain('webhook.no_secret');
});

test('refuses a webhook for a service without a receiver', async () => {
  for (const service of ['linear', 'slack']) {
    const reply = await ask(door, `POST /webhooks/${service}`, {
      token: null,
      headers: headers('1'),
      body: BODY,
    });
    expect([reply.status, codeOf(reply)]).toEqual([403, 'webhook.no_secret']);
  }
});

test('refuses a body that is too large, whether or not its length is announced', async () => {
  const large = Buffer.alloc(MAX_DELIVERY_BYTES + 1, ' ');
  const given = { token: null, headers: headers('one', signatureOf(large)) };
  const told = await ask(door, 'POST /webhooks/github', { ...given, body: large });
  expect([told.status, codeOf(told)]).toEqual([413, 'http.body_too_large']);
  const silent = await ask(door, 'POST /webhooks/github', { ...given, chunks: [large.subarray(1), large] });
  expect([silent.status, codeOf(silent)]).toEqual([413, 'http.body_too_large']);
});

test('reads a body of the maximum size unchanged', async () => {
  const padded = Buffer.concat([BODY, Buffer.alloc(MAX_DELIVERY_BYTES - BODY.length, ' ')]);
  const given = { token: null, headers: headers('one', signatureOf(padded)), body: padded };
  expect((await ask(door, 'POST /webhooks/github', given)).status).toBe(202);
});

test('waits for a slow body no longer than GitHub waits for the response', async () => {
  const slow = open({ ...headers('one'), 'content-length': String(BODY.length) });
  slow.write(BODY.subarray(0, 100));
  await sleeping();
  expect(clock.nextIn).toBe(DELIVERY_MS);
  await clock.advance(DELIVERY_MS);
  const { status, text } = await slow.reply;
  expect([status, codeOf({ text })]).toEqual([408, 'http.request_timeout']);
  slow.destroy();
  expect(woken).toEqual([]);
});

test('survives a client that disconnects in the middle of a delivery', async () => {
  const lines = [
    'POST /webhooks/github HTTP/1.1',
    `Host: ${TUNNEL}`,
    `X-Hub-Signature-256: ${signatureOf(BODY)}`,
  ];
  await sayAndLeave(door, ...lines, 'Content-Length: 1000', '', '{"half":');
  expect((await ask(door, 'POST /webhooks/github', { headers: headers('one'), body: BODY })).status).toBe(
    202,
  );
});

test('refuses a webhook from a page in a browser, even a signed one', async () => {
  const given = { token: null, headers: { ...headers('one'), origin: 'https://evil.example' }, body: BODY };
  const reply = await ask(door, 'POST /webhooks/github', given);
  expect([reply.status, codeOf(reply)]).toEqual([403, 'http.foreign_host']);
});

test('no other route accepts a foreign Host header, no matter how the path is written and which token and signature are sent', async () => {
  const everywhere = door.routes().map(({ method, path }) => `${method} ${path.replaceAll(/:\w+/g, 'x')}`);
  expect(everywhere.length).toBeGreaterThan(40);
  const nearby = [
    ...['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'].map((method) => `${method} /webhooks/github`),
    ...[
      ...[
        '/webhooks/github/',
        '/webhooks/github?x=1',
        '/webhooks/github#',
        '//webhooks/github',
        '/Webhooks/github',
      ],
      ...['/webhooks/githuB', '/webhooks/git%68ub', '/webhooks/./github', '/webhooks', '/webhooks/ftp'],
      ...[
        '/webhooks/github/../../shutdown',
        '/webhooks/github/..%2f..%2fshutdown',
        '/webhooks/github;/shutdown',
      ],
      ...[
        '/x/../webhooks/github',
        '/webhooks/github/x',
        '/shutdown?/webhooks/github',
        '/shutdown#/webhooks/github',
      ],
    ].map((path) => `POST ${path}`),
  ];
  for (const route of [...everywhere, ...nearby]) {
    const reply = await ask(door, route, { headers: headers('one'), body: BODY });
    expect(reply.status, route).toBe(403);
    if (!route.startsWith('HEAD')) expect(codeOf(reply), route).toBe('http.foreign_host');
  }
  const proxied = await raw(
    door,
    `POST http://${TUNNEL}/webhooks/github HTTP/1.1`,
    ...Object.entries(headers('one')).map(([name, value]) => `${name}: ${value}`),
    'Connection: close',
  );
  expect(proxied).toContain('http.foreign_host');
  expect(woken).toEqual([]);
});

test('requires the signature, not the token, even if the Host header is the daemon’s own', async () => {
  const own: Record<string, string> = { ...headers('one'), host: `127.0.0.1:${door.port}` };
  expect((await ask(door, 'POST /webhooks/github', { token: null, headers: own, body: BODY })).status).toBe(
    202,
  );
  const { 'x-hub-signature-256': _, ...unsigned } = own;
  expect(codeOf(await ask(door, 'POST /webhooks/github', { headers: unsigned, body: BODY }))).toBe(
    'webhook.unsigned',
  );
});

test('the OpenAPI document requires no token for this route', async () => {
  const { paths } = JSON.parse((await ask(door, 'GET /openapi.json')).text);
  expect(paths['/webhooks/{service}'].post.security).toEqual([]);
  expect(paths['/shutdown'].post.security).toBeUndefined();
});

/** Opens a request without finishing it. */
function open(given: Record<string, string>) {
  const sent = request({
    host: '127.0.0.1',
    port: door.port,
    method: 'POST',
    path: '/webhooks/github',
    agent: false,
    headers: given,
  });
  const reply = new Promise<{ status: number; text: string }>((resolve) => {
    sent.on('error', () => undefined);
    sent.on('response', async (response) => {
      let text = '';
      for await (const chunk of response.setEncoding('utf8')) text += chunk;
      resolve({ status: response.statusCode ?? 0, text });
    });
  });
  return { reply, write: (bytes: Buffer) => sent.write(bytes), destroy: () => sent.destroy() };
}

/** Resolves when the server is waiting for the rest of a delivery. */
async function sleeping(): Promise<void> {
  await expect.poll(() => clock.sleepers).toBeGreaterThanOrEqual(1);
}
