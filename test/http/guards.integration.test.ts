/** Tests the guards that protect every path, even a path without a route. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ask, codeOf, raw } from './ask.ts';
import { type Legion, openLegion, type Served } from './served.ts';

let legion: Legion;
let door: Served;
beforeAll(async () => {
  legion = await openLegion();
  door = await legion.serve();
});
afterAll(() => legion.close());

/** Returns the live routes and some unknown paths. */
function everywhere(): readonly string[] {
  const known = door
    .routes()
    .map(({ method, path }) => `${method} ${path.replaceAll(/:\w+/g, 'demo-1-implement')}`);
  const unknown = [
    'GET /nowhere',
    'GET /uix',
    'POST /worker',
    'TRACE /health',
    'OPTIONS /workers',
    'HEAD /events',
  ];
  return [...known, ...unknown];
}

test('every route answers 401 without a token and states the authentication scheme', async () => {
  expect(door.routes().length).toBeGreaterThan(40);
  for (const route of everywhere()) {
    const reply = await ask(door, route, { token: null });
    expect(reply.status, route).toBe(401);
    expect(reply.headers['www-authenticate'], route).toBe('Bearer');
    if (!route.startsWith('HEAD')) expect(codeOf(reply), route).toBe('http.unauthorised');
  }
});

test('every route answers 403 to a foreign Host header, regardless of the token', async () => {
  for (const route of everywhere()) {
    const reply = await ask(door, route, { headers: { host: `evil.example:${door.port}` } });
    expect(reply.status, route).toBe(403);
    if (!route.startsWith('HEAD')) expect(codeOf(reply), route).toBe('http.foreign_host');
  }
});

test('every route refuses requests from a page of another origin', async () => {
  for (const route of everywhere()) {
    expect((await ask(door, route, { headers: { origin: 'https://evil.example' } })).status, route).toBe(403);
  }
  for (const origin of [
    'null',
    `https://127.0.0.1:${door.port}`,
    'http://127.0.0.1',
    `http://localhost:${door.port}.evil`,
  ]) {
    expect(codeOf(await ask(door, 'GET /health', { headers: { origin } })), origin).toBe('http.foreign_host');
  }
  const own = await ask(door, 'GET /health', { headers: { origin: `http://localhost:${door.port}` } });
  expect(own.status).toBe(200);
});

test('a worker’s token reaches only its verbs', async () => {
  for (const route of everywhere().filter((each) => !each.startsWith('POST /worker'))) {
    const reply = await ask(door, route, { token: door.workerToken });
    expect(reply.status, route).toBe(403);
    if (!route.startsWith('HEAD')) expect(codeOf(reply), route).toBe('http.forbidden');
  }
  expect((await ask(door, 'GET /worker/done', { token: door.workerToken })).status).toBe(403);
  expect((await ask(door, 'POST /worker/../health', { token: door.workerToken })).status).toBe(403);
  const verb = await ask(door, 'POST /worker/done', { token: door.workerToken, body: { summary: 'built' } });
  expect(codeOf(verb)).toBe('worker.attempt_over');
});

test.each<[string, (door: Served) => string]>([
  ['an empty header', () => ''],
  ['another scheme', ({ token }) => `Basic ${token}`],
  ['no scheme', ({ token }) => token],
  ['an empty token', () => 'Bearer '],
  ['a truncated token', ({ token }) => `Bearer ${token.slice(0, -1)}`],
  ['an extended token', ({ token }) => `Bearer ${token}0`],
  ['a token in upper case', ({ token }) => `Bearer ${token.toUpperCase()}`],
  ['two tokens', ({ token }) => `Bearer ${token}, Bearer ${token}`],
  [
    'a worker’s token with an invalid signature',
    ({ workerToken }) => `Bearer ${workerToken.replace(/[^.]+$/, 'A'.repeat(43))}`,
  ],
  ['a very long token', () => `Bearer ${'a'.repeat(10_000)}`],
])('refuses an invalid Authorization header: %s', async (_, given) => {
  const headers = { authorization: given(door) };
  const reply = await ask(door, 'GET /health', { token: null, headers });
  expect([reply.status, codeOf(reply)]).toEqual([401, 'http.unauthorised']);
});

test('accepts the authentication scheme in upper or lower case', async () => {
  for (const scheme of ['Bearer', 'bearer', 'BEARER ']) {
    const headers = { authorization: `${scheme} ${door.token}` };
    expect((await ask(door, 'GET /health', { token: null, headers })).status).toBe(200);
  }
});

test('accepts its own host names with its own port, in upper or lower case', async () => {
  for (const name of ['127.0.0.1', 'localhost', 'LocalHost', '[::1]']) {
    expect((await ask(door, 'GET /health', { headers: { host: `${name}:${door.port}` } })).status).toBe(200);
  }
});

test.each<[string, (port: number) => string[]]>([
  ['no host', () => []],
  ['an empty host', () => ['Host:']],
  ['no port', () => ['Host: 127.0.0.1']],
  ['another port', (port) => [`Host: 127.0.0.1:${port + 1}`]],
  ['a longer host', (port) => [`Host: 127.0.0.1:${port}.evil.example`]],
  ['the address in another form', (port) => [`Host: 2130706433:${port}`]],
  ['a host with a user', (port) => [`Host: 127.0.0.1:${port}@evil.example`]],
  ['two hosts', (port) => [`Host: 127.0.0.1:${port}`, `Host: evil.example:${port}`]],
  ['the same host twice', (port) => [`Host: 127.0.0.1:${port}`, `Host: 127.0.0.1:${port}`]],
])('refuses an invalid Host header: %s', async (_, headers) => {
  const said = await raw(door, 'GET /health HTTP/1.1', ...headers(door.port), ...ours());
  expect(said).toMatch(/^HTTP\/1\.1 403 /);
  expect(said).toContain('http.foreign_host');
});

test('if the request line contains a full URL, checks its host like a Host header', async () => {
  const own = `Host: 127.0.0.1:${door.port}`;
  const told = await raw(door, `GET http://127.0.0.1:${door.port}/health HTTP/1.1`, own, ...ours());
  expect(told).toMatch(/^HTTP\/1\.1 200 /);
  for (const target of [
    'http://evil.example/health',
    `https://127.0.0.1:${door.port}/health`,
    'file:///etc/passwd',
  ]) {
    expect(await raw(door, `GET ${target} HTTP/1.1`, own, ...ours()), target).toContain('http.foreign_host');
  }
  expect(await raw(door, 'OPTIONS * HTTP/1.1', own, ...ours())).toContain('http.request_malformed');
});

test.each([
  ['no Host', 'GET /health', [], 200],
  ['two Hosts', 'GET /health', ['Host: a', 'Host: b'], 200],
  ['an address in the request line', 'GET http://evil.example/health', ['Host: a'], 200],
  ['an invalid Host', 'GET /health', ['Host: a b'], 400],
  ['a Host with a user', 'GET /health', ['Host: a@b/c'], 400],
  ['a target that is not a path', 'OPTIONS *', ['Host: a'], 400],
  ['a target that is a file', 'GET file:///etc/passwd', ['Host: a'], 400],
  ['a backslash in the path', 'GET /\\evil.example/', ['Host: a'], 400],
  ['a target with a NUL', 'GET /\0', ['Host: a'], 400],
] as const)(
  'the Unix socket answers with the expected status to a request with %s',
  async (_, request, headers, status) => {
    const said = await raw({ path: door.socket }, `${request} HTTP/1.1`, ...headers, ...ours());
    expect(said).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    if (status === 400) expect(said).toContain('http.request_malformed');
  },
);

test('a guard responds before the body has been read', async () => {
  const own = [`Host: 127.0.0.1:${door.port}`, 'Connection: close'];
  const said = await raw(door, 'POST /issues HTTP/1.1', ...own, 'Content-Length: 1000000000');
  expect(said).toMatch(/^HTTP\/1\.1 401 /);
});

test('no response may be cached, sniffed, embedded or read by another origin', async () => {
  const preflight = {
    origin: `http://localhost:${door.port}`,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization',
  };
  const replies = [
    await ask(door, 'GET /health'),
    await ask(door, 'GET /metrics'),
    await ask(door, 'GET /nowhere'),
    await ask(door, 'GET /health', { token: null }),
    await ask(door, 'HEAD /events'),
    await ask(door, 'OPTIONS /workers', { headers: preflight }),
  ];
  for (const { headers } of replies) {
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['cross-origin-resource-policy']).toBe('same-origin');
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  }
});

function ours(): string[] {
  return [`Authorization: Bearer ${door.token}`, 'Connection: close'];
}
