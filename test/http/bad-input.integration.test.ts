/**
 * Tests invalid input. The response has an error code and the exact location, and the daemon is
 * never harmed.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ask, codeOf, raw, sayAndLeave } from './ask.ts';
import { type Legion, openLegion, type Served } from './served.ts';

const MEBIBYTE = 1_024 * 1_024;

let legion: Legion;
let door: Served;
beforeAll(async () => {
  legion = await openLegion();
  door = await legion.serve({
    instead: () => ({
      metrics: () => {
        throw new TypeError('an internal secret');
      },
    }),
  });
});
afterAll(() => legion.close());

test.each<[string, unknown, string]>([
  ['POST /issues', {}, 'body.title: is missing'],
  ['POST /issues', { title: 7 }, 'body.title: expected string, got number 7'],
  ['POST /issues', { title: 'x', labels: ['a', 1] }, 'body.labels[1]: expected string, got number 1'],
  ['POST /issues', { title: 'x', priority: 9 }, 'body.priority: expected one of 0, 1, 2, 3, 4, got number 9'],
  ['POST /issues', { title: 'x', titel: 'y' }, 'body: unknown key "titel"'],
  ['POST /issues', [], 'body: expected object, got array of length 0'],
  ['POST /issues', null, 'body: expected object, got null'],
  ['POST /issues/demo-1/move', { status: 'Nowhere' }, 'body.status: expected one of "Triage", '],
  ['PATCH /issues/demo-1', { expected: { body: 1 } }, 'body.expected.body: expected string, got number 1'],
  ['POST /issues/demo-1/blockers', { add: ['../x'] }, 'body.add[0]: is not a valid issue id, got "../x"'],
  ['POST /issues/demo-1/answer', { text: '   ' }, 'body.text: must be of length at least 1'],
  ['PUT /issues/demo-1/handoffs/lunch', { summary: 's' }, 'path.phase: expected one of "architect", '],
  ['POST /workers', { issue: 'demo-1', mode: 'dance' }, 'body.mode: expected one of "architect", '],
  ['POST /workers/prune', { all: true }, 'body: unknown key "all"'],
  ['PATCH /workers/demo-1-plan', { version: -1 }, 'body.version: must be at least 0, got number -1'],
  ['POST /state/advance', { issue: 'demo-1', dryRun: 'yes' }, 'body.dryRun: expected boolean, got "yes"'],
  ['POST /webhooks/ftp', {}, 'path.service: expected one of "github", "linear", "slack", got "ftp"'],
])('refuses %s with the body %j: %s', async (route, body, complaint) => {
  const reply = await ask(door, route, { body });
  expect([reply.status, codeOf(reply)]).toEqual([400, 'input.invalid']);
  expect(JSON.parse(reply.text).error.message).toContain(complaint);
});

test.each([
  ['GET /issues/a%2F..%2Fb', 'path.id: is not a valid issue id'],
  ['GET /issues/%00', 'path.id: is not a valid issue id, got "\\u0000"'],
  ['GET /issues/%E0%A4%A', 'path.id: is not a valid issue id'],
  [`GET /issues/${'x'.repeat(161)}`, 'path.id: is not a valid issue id, got a string of length 161'],
  ['GET /workers/demo-1', 'path.id: must be an issue and a mode, such as demo-1-implement, got "demo-1"'],
  ['GET /workers/demo-1-plan/logs?offset=-1', 'query.offset: must be a whole number, got "-1"'],
  ['GET /workers/demo-1-plan/logs?offset=1&offset=2', 'query.offset: expected string, got array of length 2'],
  ['GET /workers/demo-1-plan/logs?last=x', 'query.last: must be a whole number, got "x"'],
  ['GET /workers/demo-1-plan/logs?last=0', 'query.last: must be from 1 to 16777216'],
  ['GET /workers/demo-1-plan/logs?last=16777217', 'query.last: must be from 1 to 16777216'],
  ['GET /workers/demo-1-plan/logs?last=5&offset=0', 'query: must contain `offset` or `last`, not both'],
  ['GET /workers/demo-1-plan/logs?attempt=', 'query.attempt: must be a whole number, got ""'],
  ['GET /workers/demo-1-plan/logs?stream=in', 'query.stream: expected one of "out", "err", got "in"'],
  ['GET /workers?all=1', 'query: unknown key "all"'],
  ['GET /health?__proto__=1', 'query: unknown key'],
  ['DELETE /workers/demo-1-plan?by=', 'query.by: must be of length at least 1'],
  ['GET /events?after=1e3', 'query.after: must be a whole number, got "1e3"'],
])('refuses %s: %s', async (route, complaint) => {
  const reply = await ask(door, route);
  expect([reply.status, codeOf(reply)]).toEqual([400, 'input.invalid']);
  expect(JSON.parse(reply.text).error.message).toContain(complaint);
});

test.each<[string, Uint8Array, Record<string, string>]>([
  ['incomplete JSON', Buffer.from('{"title": "x"'), {}],
  ['plain text', Buffer.from('title=x'), {}],
  ['another content type', Buffer.from('{"title": "x"}'), { 'content-type': 'text/plain' }],
  [
    'the default content type of curl',
    Buffer.from('{}'),
    { 'content-type': 'application/x-www-form-urlencoded' },
  ],
  ['bytes that are not text', Buffer.from([0x22, 0xff, 0xfe, 0x22]), {}],
])('refuses a body that is not JSON: %s', async (_, body, headers) => {
  const reply = await ask(door, 'POST /issues', { body, headers });
  expect([reply.status, codeOf(reply)]).toEqual([400, 'http.body_invalid']);
});

test('reads a body of the maximum size, and refuses a body that is one byte larger', async () => {
  const title = 'x'.repeat(MEBIBYTE - '{"title":""}'.length);
  const largest = JSON.stringify({ title });
  // The tracker rejects the title as too long, which shows that the whole body was read.
  const { text } = await ask(door, 'POST /issues', { body: Buffer.from(largest) });
  expect(text).toContain(
    `issue.title: must be of length at most 256, got a string of length ${title.length}`,
  );
  const reply = await ask(door, 'POST /issues', { body: Buffer.from(`${largest} `) });
  expect([reply.status, codeOf(reply)]).toEqual([413, 'http.body_too_large']);
  expect(reply.text).toContain(`${MEBIBYTE} bytes`);
});

test('stops reading at the size limit if the request has no Content-Length', async () => {
  const chunks = Array.from({ length: 3 }, () => Buffer.alloc(MEBIBYTE, ' '));
  const headers = { 'transfer-encoding': 'chunked' };
  const reply = await ask(door, 'POST /issues', { chunks, headers });
  expect([reply.status, codeOf(reply)]).toEqual([413, 'http.body_too_large']);
});

test('accepts a body without a content length up to the limit', async () => {
  const chunks = [Buffer.from('{"tit'), Buffer.from('le": 7}')];
  const reply = await ask(door, 'POST /issues', { chunks, headers: { 'content-type': 'application/json' } });
  expect(JSON.parse(reply.text).error.message).toBe('body.title: expected string, got number 7');
});

test('refuses deeply nested JSON like any other invalid body', async () => {
  const deep = Buffer.from(`${'['.repeat(200_000)}${']'.repeat(200_000)}`);
  expect(codeOf(await ask(door, 'POST /issues', { body: deep }))).toBe('input.invalid');
  const details = Buffer.from(`{"summary":"s","details":${'['.repeat(200_000)}${']'.repeat(200_000)}}`);
  const handoff = await ask(door, 'PUT /issues/demo-1/handoffs/plan', { body: details });
  expect(handoff.text).toContain('body.details: is nested deeper than 100 levels');
});

test('shortens hostile text in errors and quotes it in plain ASCII', async () => {
  const hostile = '\u001b[2J\u202e<script>alert(1)</script>'.repeat(50);
  const replies = [
    await ask(door, 'POST /issues', { body: { title: 'x', [hostile]: 1 } }),
    await ask(door, `GET /issues/${encodeURIComponent(hostile)}`),
    await ask(door, `GET /${encodeURIComponent(hostile)}`),
    await ask(door, 'GET /health', { headers: { host: `${encodeURIComponent(hostile)}.example` } }),
  ];
  for (const reply of replies) {
    const { message } = JSON.parse(reply.text).error;
    expect(message).toMatch(/^[\x20-\x7e…]{1,300}$/);
    expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
  }
});

test('refuses an unknown verb and an invalid message id before calling the worker API', async () => {
  const verb = await ask(door, 'POST /worker/dance', { token: door.workerToken });
  expect(JSON.parse(verb.text).error.message).toMatch(
    /^path\.verb: expected one of "issue", .* got "dance"$/,
  );
  const headers = { 'idempotency-key': 'again' };
  const reply = await ask(door, 'POST /worker/done', {
    token: door.workerToken,
    headers,
    body: { summary: 's' },
  });
  expect(JSON.parse(reply.text).error.message).toContain('Idempotency-Key: ');
});

test('answers 404 for an unknown path, and 405 with the valid methods for an unknown method', async () => {
  for (const route of ['GET /nowhere', 'GET /health/', 'GET //health', 'DELETE /issues/demo-1/comments/1']) {
    const reply = await ask(door, route);
    expect([reply.status, codeOf(reply)], route).toEqual([404, 'http.route_unknown']);
  }
  for (const [route, allow] of [
    ['POST /health', 'GET, HEAD'],
    ['OPTIONS /workers', 'GET, POST, HEAD'],
    ['TRACE /workers/prune', 'POST, GET, PATCH, DELETE, HEAD'],
  ] as const) {
    const reply = await ask(door, route);
    expect([reply.status, codeOf(reply)], route).toEqual([405, 'http.method_not_allowed']);
    const { allow: told = '' } = reply.headers;
    expect(`${told}`.split(', ').toSorted(), route).toEqual(allow.split(', ').toSorted());
  }
});

test('answers HEAD like GET without the body', async () => {
  const reply = await ask(door, 'HEAD /health');
  expect([reply.status, reply.text]).toEqual([200, '']);
});

test('if the daemon refuses a request, answers with the daemon’s error code and the status from the catalogue', async () => {
  for (const [route, status, code] of [
    ['GET /issues/demo-7', 404, 'tracker.issue_unknown'],
    ['GET /workers/demo-7-plan', 404, 'worker.unknown'],
    ['POST /resume', 409, 'resume.not_paused'],
    ['POST /state/collect', 400, 'input.invalid'],
    ['POST /webhooks/github', 403, 'webhook.no_secret'],
  ] as const) {
    const reply = await ask(door, route);
    expect([reply.status, codeOf(reply)], route).toEqual([status, code]);
  }
});

test('reports an internal error only inside the daemon, and reveals no details to the client', async () => {
  const reply = await ask(door, 'GET /metrics');
  expect([reply.status, codeOf(reply)]).toEqual([500, 'daemon.defect']);
  expect(reply.text).not.toMatch(/secret|TypeError|\.ts\b/);
  expect(door.defects).toEqual([new TypeError('an internal secret')]);
});

test.each([
  ['nonsense', 'HELLO', 400, 'http.request_malformed'],
  ['TLS', '\u0016\u0003\u0001\u0002\u0000\u0001', 400, 'http.request_malformed'],
  [
    'two content lengths',
    'POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2',
    400,
    'http.request_malformed',
  ],
  ['an endless header', `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}`, 431, 'http.head_too_large'],
])('answers malformed requests with an error code: %s', async (_, text, status, code) => {
  const said = await raw(door, text);
  const [head = '', body = ''] = said.split('\r\n\r\n');
  expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(codeOf({ text: body })).toBe(code);
});

test('answers an invalid URL with an error code', async () => {
  const known = [`Host: 127.0.0.1:${door.port}`, `Authorization: Bearer ${door.token}`, 'Connection: close'];
  expect(await raw(door, 'GET /\\evil.example/ HTTP/1.1', ...known)).toContain('http.request_malformed');
});

test('survives a client that disconnects in the middle of its request', async () => {
  const known = [`Host: 127.0.0.1:${door.port}`, `Authorization: Bearer ${door.token}`];
  const half = [
    'POST /issues HTTP/1.1',
    ...known,
    'Content-Type: application/json',
    'Content-Length: 1000',
    '',
    '{',
  ];
  await sayAndLeave(door, ...half);
  expect((await ask(door, 'GET /health')).status).toBe(200);
  expect(door.defects.filter((each) => !(each instanceof TypeError))).toEqual([]);
});
