/**
 * Tests logging in. A code from the operator can be exchanged for a session once, within a minute,
 * and cannot be guessed.
 */
import { readFileSync, statSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { CODE_LIFETIME_MS, MAX_CODES, MAX_TRIES, TRIES_WINDOW_MS } from '../../src/http/sessions.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
import { ask, codeOf } from './ask.ts';
import { enter, login, newCode } from './browser.ts';
import { type Legion, openLegion, type Served } from './served.ts';

let legion: Legion;
const doors: Served[] = [];
beforeAll(async () => {
  legion = await openLegion();
});
afterEach(async () => {
  for (const door of doors.splice(0)) await door.close();
});
afterAll(() => legion.close());

async function served(clock?: VirtualClock): Promise<Served> {
  const door = await legion.serve(clock === undefined ? {} : { clock });
  doors.push(door);
  return door;
}

test('exchanges a code for a key and for a cookie that scripts cannot read and other sites cannot send', async () => {
  const door = await served();
  const before = Date.now();
  const asked = await ask(door, 'POST /session/codes');
  expect(asked.status).toBe(201);
  const { code, expiresAt } = JSON.parse(asked.text);
  expect(Buffer.from(code, 'base64url')).toHaveLength(16);
  expect(expiresAt).toBeGreaterThanOrEqual(before + CODE_LIFETIME_MS);
  expect(expiresAt).toBeLessThanOrEqual(Date.now() + CODE_LIFETIME_MS);

  const reply = await enter(door, code);
  expect(reply.status).toBe(201);
  const { key, ...more } = JSON.parse(reply.text);
  expect(more).toEqual({});
  expect(Buffer.from(key, 'base64url')).toHaveLength(32);
  const [cookie = '', ...others] = reply.headers['set-cookie'] ?? [];
  expect(others).toEqual([]);
  expect(cookie).toMatch(
    new RegExp(`^legion-${door.port}=[A-Za-z0-9_-]{43}; Max-Age=604800; Path=/; HttpOnly; SameSite=Strict$`),
  );
  expect(cookie).not.toContain(key);
});

test('stores sessions in a file that only this user can read and that contains no secrets', async () => {
  const door = await served();
  const { cookie, key } = await login(door);
  const text = readFileSync(legion.sessionsFile, 'utf8');
  expect(statSync(legion.sessionsFile).mode & 0o777).toBe(0o600);
  expect(JSON.parse(text).sessions.length).toBeGreaterThan(0);
  expect(text).not.toContain(key);
  expect(text).not.toContain(cookie.split('=')[1]);
});

test('accepts a code only once', async () => {
  const door = await served();
  const code = await newCode(door);
  expect((await enter(door, code)).status).toBe(201);
  const again = await enter(door, code);
  expect([again.status, codeOf(again)]).toEqual([401, 'http.code_unknown']);
  expect(JSON.parse(again.text).error.next).toContain('legion open');
  expect(again.headers['set-cookie']).toBeUndefined();
});

test('accepts only one of two simultaneous uses of a code', async () => {
  const door = await served();
  const code = await newCode(door);
  const replies = await Promise.all([enter(door, code), enter(door, code), enter(door, code)]);
  expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 401, 401]);
});

test('accepts a code only for a minute', async () => {
  const clock = new VirtualClock();
  const door = await served(clock);
  const inTime = await newCode(door);
  await clock.advance(CODE_LIFETIME_MS - 1);
  expect((await enter(door, inTime)).status).toBe(201);
  const late = await newCode(door);
  await clock.advance(CODE_LIFETIME_MS);
  expect(codeOf(await enter(door, late))).toBe('http.code_unknown');
});

test('invalidates codes on a restart', async () => {
  const before = await served();
  const code = await newCode(before);
  expect(codeOf(await enter(await served(), code))).toBe('http.code_unknown');
});

test('keeps only the newest of many unused codes', async () => {
  const door = await served();
  const codes: string[] = [];
  for (let count = 0; count <= MAX_CODES; count += 1) codes.push(await newCode(door));
  expect(codeOf(await enter(door, codes[0] ?? ''))).toBe('http.code_unknown');
  expect((await enter(door, codes[1] ?? '')).status).toBe(201);
  expect((await enter(door, codes.at(-1) ?? '')).status).toBe(201);
});

test('after many wrong codes, rejects every existing code for a minute, but accepts a code that the operator creates afterwards', async () => {
  const clock = new VirtualClock();
  const door = await served(clock);
  const code = await newCode(door);
  for (let count = 0; count < MAX_TRIES; count += 1) {
    expect(codeOf(await enter(door, `${code.slice(0, -2)}${count}`))).toBe('http.code_unknown');
  }
  const refused = await enter(door, code);
  expect([refused.status, codeOf(refused)]).toEqual([429, 'http.too_many_tries']);
  await clock.advance(TRIES_WINDOW_MS - 1);
  expect((await enter(door, 'guess')).status).toBe(429);
  await clock.advance(1);
  expect((await enter(door, 'guess')).status).toBe(401);

  for (let count = 1; count < MAX_TRIES; count += 1) await enter(door, 'guess');
  expect((await enter(door, 'guess')).status).toBe(429);
  expect((await enter(door, await newCode(door))).status).toBe(201);
});

test('keeps a code valid if it was rejected only because of too many attempts', async () => {
  const clock = new VirtualClock();
  const door = await served(clock);
  for (let count = 0; count < MAX_TRIES; count += 1) await enter(door, 'guess');
  await clock.advance(TRIES_WINDOW_MS / 2);
  const code = await newCode(door);
  for (let count = 0; count < MAX_TRIES; count += 1) await enter(door, 'guess');
  expect((await enter(door, code)).status).toBe(429);
  await newCode(door);
  expect((await enter(door, code)).status).toBe(201);
});

test('gives login codes only to the operator’s token, not to a worker, a session or another client', async () => {
  const door = await served();
  const browser = await login(door);
  const byWorker = await ask(door, 'POST /session/codes', { token: door.workerToken });
  expect([byWorker.status, codeOf(byWorker)]).toEqual([403, 'http.forbidden']);
  const bySession = await browser.ask('POST /session/codes');
  expect([bySession.status, codeOf(bySession)]).toEqual([403, 'http.forbidden']);
  expect((await ask(door, 'POST /session/codes', { token: null })).status).toBe(401);
});

test('rejects a worker’s token on every session route, even with a login code', async () => {
  const door = await served();
  const token = door.workerToken;
  const body = { code: await newCode(door) };
  for (const route of ['POST /session', 'GET /session', 'DELETE /session', 'POST /session/codes']) {
    expect(codeOf(await ask(door, route, { token, body })), route).toBe('http.forbidden');
    const headers = { origin: `http://127.0.0.1:${door.port}` };
    expect(codeOf(await ask(door, route, { token, body, headers })), route).toBe('http.forbidden');
  }
  expect((await enter(door, body.code)).status).toBe(201);
});

test('accepts a code only from our own page, and only for logging in', async () => {
  const door = await served();
  const code = await newCode(door);
  for (const origin of ['https://evil.example', 'null', `http://127.0.0.1:${door.port + 1}`]) {
    expect(codeOf(await enter(door, code, { origin })), origin).toBe('http.foreign_host');
  }
  const without = await ask(door, 'POST /session', { token: null, body: { code } });
  expect([without.status, codeOf(without)]).toEqual([401, 'http.unauthorised']);
  const origin = `http://127.0.0.1:${door.port}`;
  for (const route of [
    'GET /session',
    'POST /session/',
    'POST /session?x=1',
    'POST /x/../session',
    'DELETE /session',
  ]) {
    const reply = await ask(door, route, { token: null, headers: { origin }, body: { code } });
    expect([route, reply.status]).toEqual([route, 401]);
  }
  expect((await enter(door, code)).status).toBe(201);
});

test('refuses an invalid code like any other invalid body', async () => {
  const door = await served();
  const origin = `http://127.0.0.1:${door.port}`;
  for (const body of [{}, { code: '' }, { code: 7 }, { code: 'x', more: 1 }, { code: 'x'.repeat(201) }]) {
    const reply = await ask(door, 'POST /session', { token: null, headers: { origin }, body });
    expect([reply.status, codeOf(reply)]).toEqual([400, 'input.invalid']);
  }
});

test('accepts only a small body from an unauthenticated client', async () => {
  const door = await served();
  const reply = await enter(door, 'x'.repeat(1_024));
  expect([reply.status, codeOf(reply)]).toEqual([413, 'http.body_too_large']);
});
