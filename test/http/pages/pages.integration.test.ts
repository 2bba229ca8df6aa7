/**
 * Tests over a real socket which files of the dashboard are served and how, and that no other file
 * is served.
 */
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { type IncomingHttpHeaders, request } from 'node:http';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { ask, codeOf, raw } from '../ask.ts';
import { type Legion, openLegion, type Served } from '../served.ts';
import { type Built, builtPages, INDEX, SCRIPT, SECRET } from './built.ts';

const SCRIPT_PATH = '/ui/assets/index-1a2b3c.js';
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

let legion: Legion;
let built: Built;
let door: Served;
beforeAll(async () => {
  legion = await openLegion();
  built = builtPages();
  door = await legion.serve({ pages: built.folder });
});
afterAll(async () => {
  await legion.close();
  built.remove();
});

function asBrowser(route: string, headers: Readonly<Record<string, string>> = {}) {
  return ask(door, route, { token: null, headers });
}

test('redirects the root to the board', async () => {
  for (const route of ['GET /', 'HEAD /', 'GET /ui', 'GET /?a=b']) {
    const {
      status,
      headers: { location },
    } = await asBrowser(route);
    expect([route, status, location]).toEqual([route, 302, '/ui/']);
  }
});

test('serves the same page for every URL of the dashboard', async () => {
  for (const path of [
    ...['/ui/', '/ui/index.html', '/ui/inbox', '/ui/fleet', '/ui/issues/DEMO-1', '/ui/?at=7'],
    ...['/ui/issues/acme.web-12', '/ui/issues/DEMO-1/diff'],
  ]) {
    const { status, headers, text } = await asBrowser(`GET ${path}`);
    expect([path, status, text]).toEqual([path, 200, INDEX]);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['cache-control']).toBe('no-cache');
  }
});

test('sends files with their content types, and lets browsers cache files with a hash in their name forever', async () => {
  const types = {
    [SCRIPT_PATH]: ['text/javascript; charset=utf-8', 'public, max-age=31536000, immutable'],
    '/ui/assets/plain-9.css': ['text/css; charset=utf-8', 'public, max-age=31536000, immutable'],
    '/ui/favicon.svg': ['image/svg+xml; charset=utf-8', 'no-cache'],
  };
  for (const [path, expected] of Object.entries(types)) {
    const { status, headers } = await asBrowser(`GET ${path}`);
    expect([path, status, headers['content-type'], headers['cache-control']]).toEqual([
      path,
      200,
      ...expected,
    ]);
  }
});

test('answers 404 for a missing file instead of a page', async () => {
  for (const path of [
    '/ui/assets/index-0000.js',
    '/ui/assets/',
    '/ui/assets/x',
    '/ui/nothing.css',
    '/ui/x.map',
  ]) {
    const reply = await asBrowser(`GET ${path}`);
    expect([path, reply.status, codeOf(reply)]).toEqual([path, 404, 'http.route_unknown']);
  }
});

test('never sends a file from outside the dashboard, a hidden file or the target of a link', async () => {
  const outside = [
    ...['../secret.txt', '..%2fsecret.txt', '%2e%2e/secret.txt', '%2e%2e%2fsecret.txt', '..\\secret.txt'],
    ...[
      '..%5csecret.txt',
      '....//secret.txt',
      './../secret.txt',
      'assets/../../secret.txt',
      '..%00/secret.txt',
    ],
    ...[
      'assets/..%2f..%2fsecret.txt',
      '%252e%252e%252fsecret.txt',
      '/etc/passwd',
      '//etc/passwd',
      'etc/passwd%00.txt',
    ],
    ...[
      'link.txt',
      'linked/secret.txt',
      '.hidden.txt',
      'assets/.%2e/.hidden.txt',
      'assets/index-1a2b3c.js.br',
    ],
    ...[
      'assets/index-1a2b3c.js.gz',
      'assets/index-1a2b3c.js%00',
      'assets/index-1a2b3c.js/',
      'ASSETS/plain-9.css',
    ],
  ];
  for (const path of outside) {
    // Sent as bytes, because a client would normalise the URL.
    const host = `Host: 127.0.0.1:${door.port}`;
    const said = await raw(door, `GET /ui/${path} HTTP/1.1`, host, 'Connection: close');
    expect(said, path).toMatch(/^HTTP\/1\.1 (400|404|200) /);
    expect(said, path).not.toContain(SECRET.trim());
    expect(said, path).not.toContain('root:');
    // Any path that is not a listed file gets the page, never a file from the disk.
    if (said.startsWith('HTTP/1.1 200')) expect(said, path).toContain(INDEX);
  }
});

test('does not follow a link that has replaced a listed file', async () => {
  const folder = mkdtempSync(join(inject('scratch'), 'pages-'));
  writeFileSync(join(folder, 'index.html'), INDEX);
  writeFileSync(join(folder, 'note.txt'), 'before');
  const other = await legion.serve({ pages: folder });
  expect((await ask(other, 'GET /ui/note.txt')).text).toBe('before');
  rmSync(join(folder, 'note.txt'));
  symlinkSync(join(built.folder, '../secret.txt'), join(folder, 'note.txt'));
  expect((await ask(other, 'GET /ui/note.txt')).status).toBe(404);
  await other.close();
  rmSync(folder, { recursive: true });
});

test('requires a token if the URL is outside the dashboard after normalisation', async () => {
  const host = `Host: 127.0.0.1:${door.port}`;
  expect(
    await raw(door, `GET http://127.0.0.1:${door.port}/ui/../health HTTP/1.1`, host, 'Connection: close'),
  ).toMatch(/^HTTP\/1\.1 401 /);
  for (const path of ['/ui/../health', '/ui/%2e%2e/health', '/ui/.%2E/issues', '/ui/x/../../health']) {
    expect(await raw(door, `GET ${path} HTTP/1.1`, host, 'Connection: close'), path).toContain(INDEX);
  }
});

test('allows only GET and HEAD', async () => {
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
    const reply = await asBrowser(`${method} /ui/`);
    const { allow } = reply.headers;
    expect([method, reply.status, allow]).toEqual([method, 405, 'GET, HEAD']);
    expect(codeOf(reply)).toBe('http.method_not_allowed');
  }
});

test('answers HEAD like GET without the body', async () => {
  for (const path of ['/ui/', SCRIPT_PATH, '/ui/nothing.css']) {
    const got = await asBrowser(`GET ${path}`);
    const head = await asBrowser(`HEAD ${path}`);
    expect(head.text).toBe('');
    const { date: _, ...expected } = got.headers;
    expect([head.status, head.headers]).toMatchObject([got.status, expected]);
  }
});

test('does not send a file again if the browser already has it', async () => {
  for (const path of ['/ui/', '/ui/inbox', SCRIPT_PATH]) {
    const {
      headers: { etag = '' },
    } = await asBrowser(`GET ${path}`);
    for (const mark of [`${etag}`, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await asBrowser(`GET ${path}`, { 'if-none-match': mark });
      expect([path, mark, again.status, again.text]).toEqual([path, mark, 304, '']);
      expect(again.headers).toHaveProperty('etag', etag);
      expect(again.headers['content-length']).toBeUndefined();
      expect(again.headers['content-security-policy']).toBe(POLICY);
    }
    expect((await asBrowser(`GET ${path}`, { 'if-none-match': '"other"' })).status).toBe(200);
  }
});

test('serves a rebuilt page immediately', async () => {
  const {
    headers: { etag = '' },
  } = await asBrowser('GET /ui/');
  const newer = '<!doctype html><title>Newer</title>\n';
  built.rebuild(newer);
  const reply = await asBrowser('GET /ui/', { 'if-none-match': `${etag}` });
  expect([reply.status, reply.text]).toEqual([200, newer]);
  built.rebuild(INDEX);
});

test('sends the smallest encoding that the browser accepts, and the plain file to all other clients', async () => {
  const forms: readonly (readonly [string, string | undefined])[] = [
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['gzip, br;q=0', 'gzip'],
    ['GZIP;q=0.5, br;q=0', undefined],
    ['br;q=0.0, *', undefined],
    ['*', undefined],
    ['*;q=0', undefined],
    ['identity', undefined],
    ['zstd', undefined],
    ['', undefined],
  ];
  const marks = new Set<unknown>();
  for (const [accepted, encoding] of forms) {
    const { headers, bytes } = await wholeOf(SCRIPT_PATH, accepted);
    expect([accepted, headers['content-encoding']]).toEqual([accepted, encoding]);
    const plain =
      encoding === 'br' ? brotliDecompressSync(bytes) : encoding === 'gzip' ? gunzipSync(bytes) : bytes;
    expect(plain.toString()).toBe(SCRIPT);
    expect(headers.vary).toBe('Accept-Encoding');
    expect(headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect(Number(headers['content-length'])).toBe(bytes.length);
    if (encoding !== undefined) expect(bytes.length).toBeLessThan(SCRIPT.length);
    marks.add(headers.etag);
  }
  expect(marks.size).toBe(3);
  const { headers } = await wholeOf('/ui/assets/plain-9.css', 'br');
  expect(headers['content-encoding']).toBeUndefined();
});

test('needs no token and ignores a wrong one, but requires our own host', async () => {
  for (const path of ['/', '/ui/', SCRIPT_PATH, '/ui/nothing.css']) {
    const foreign = await asBrowser(`GET ${path}`, { host: 'evil.example' });
    expect([path, foreign.status, codeOf(foreign)]).toEqual([path, 403, 'http.foreign_host']);
    const page = await asBrowser(`GET ${path}`, { origin: 'https://evil.example' });
    expect([path, page.status]).toEqual([path, 403]);
  }
  expect((await asBrowser('GET /ui/', { authorization: 'Bearer wrong' })).status).toBe(200);
});

test('sends a content security policy with the dashboard, and a stricter one with all other responses', async () => {
  for (const route of [
    'GET /',
    'GET /ui/',
    'HEAD /ui/',
    `GET ${SCRIPT_PATH}`,
    'GET /ui/nothing.css',
    'POST /ui/',
  ]) {
    const { headers } = await asBrowser(route);
    expect([route, headers['content-security-policy']]).toEqual([route, POLICY]);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['referrer-policy']).toBe('no-referrer');
    expect(headers['cross-origin-opener-policy']).toBe('same-origin');
    expect(headers['cross-origin-resource-policy']).toBe('same-origin');
  }
  const others = [
    await asBrowser('GET /health'),
    await asBrowser('GET /ui/', { host: 'evil.example' }),
    await ask(door, 'GET /health'),
    await ask(door, 'GET /nowhere'),
  ];
  for (const { headers } of others) {
    expect(headers['content-security-policy']).toBe("default-src 'none'; frame-ancestors 'none'");
    expect(headers['referrer-policy']).toBe('no-referrer');
  }
});

test('explains how to build the dashboard if it is not built, while the API still works', async () => {
  const later = mkdtempSync(join(inject('scratch'), 'pages-'));
  const folders = [undefined, join(later, 'not-there'), later];
  for (const pages of folders) {
    const other = await legion.serve(pages === undefined ? {} : { pages });
    const reply = await ask(other, 'GET /ui/inbox', { token: null });
    expect(reply.status).toBe(503);
    expect(reply.headers['content-security-policy']).toBe(POLICY);
    expect(reply.text).toContain('legion open');
    expect(reply.text).not.toMatch(/<(?:script|style)|style=/);
    expect((await ask(other, 'GET /ui/assets/x.js', { token: null })).status).toBe(404);
    expect((await ask(other, 'GET /health')).status).toBe(200);
    if (pages === later) {
      writeFileSync(join(later, 'index.html'), INDEX);
      expect((await ask(other, 'GET /ui/', { token: null })).text).toBe(INDEX);
    }
    await other.close();
  }
  rmSync(later, { recursive: true });
});

/** Returns the response as bytes, because `Reply` holds text. */
function wholeOf(path: string, accepted: string): Promise<{ headers: IncomingHttpHeaders; bytes: Buffer }> {
  return new Promise((resolve, reject) => {
    const headers = { 'accept-encoding': accepted };
    const sent = request(
      { host: '127.0.0.1', port: door.port, path, headers, agent: false },
      async (answer) => {
        resolve({ headers: answer.headers, bytes: Buffer.concat(await answer.toArray()) });
      },
    );
    sent.on('error', reject).end();
  });
}
