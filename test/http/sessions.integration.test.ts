/** Tests a logged-in browser: which credentials it has, how long they last, and how they end. */
import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { MAX_IDLE_MS, MAX_SESSION_MS, MAX_SESSIONS } from '../../src/http/sessions.ts';
import { settled, VirtualClock } from '../support/virtual-clock.ts';
import { ask, codeOf } from './ask.ts';
import { browserWith, login } from './browser.ts';
import { listen } from './listener.ts';
import { type Legion, openLegion, type Served } from './served.ts';

let legion: Legion;
const doors: Served[] = [];
beforeAll(async () => {
  legion = await openLegion();
});
afterEach(async () => {
  for (const door of doors.splice(0)) await door.close();
  writeFileSync(legion.sessionsFile, '{"sessions":[]}\n');
});
afterAll(() => legion.close());

async function served(clock?: VirtualClock, port = 0): Promise<Served> {
  const door = await legion.serve(clock === undefined ? { port } : { clock, port });
  doors.push(door);
  return door;
}

async function closed(door: Served): Promise<void> {
  doors.splice(doors.indexOf(door), 1);
  await door.close();
}

test('accepts a cookie and its key together as the operator’s credentials', async () => {
  const browser = await login(await served());
  expect((await browser.ask('GET /health')).status).toBe(200);
  const added = await browser.ask('POST /issues', {}, { title: 'A door that squeaks' });
  expect(added.status).toBe(201);
  expect(JSON.parse((await browser.ask('GET /session')).text)).toMatchObject({
    legion: 'demo',
    backend: 'local',
    ownBoard: true,
    statuses: expect.arrayContaining([{ status: 'Todo', column: 'Todo' }]),
  });
  expect(codeOf(await browser.ask('POST /worker/done', {}, {}))).toBe('http.forbidden');
});

test('rejects a cookie or key alone, and a cookie and key from different sessions', async () => {
  const door = await served();
  const browser = await login(door);
  const other = await login(door);
  const halves = [
    { 'x-legion-key': undefined },
    { cookie: undefined },
    { 'x-legion-key': '' },
    { 'x-legion-key': other.key },
    { cookie: other.cookie },
    { cookie: browser.cookie.replace(/^legion-\d+/, 'legion-1') },
    { cookie: `${browser.cookie}x` },
    { 'x-legion-key': browser.cookie.split('=')[1] },
  ];
  for (const changes of halves) {
    for (const route of ['GET /health', 'GET /events', 'POST /pause', 'GET /nowhere']) {
      const reply = await browser.ask(route, changes);
      const { error } = JSON.parse(reply.text);
      expect([route, changes, reply.status, error.code]).toEqual([
        route,
        changes,
        401,
        'http.session_needed',
      ]);
      expect(error.next).toContain('legion open');
      expect(reply.headers['www-authenticate']).toBe('Bearer');
    }
  }
  expect((await browser.ask('GET /health')).status).toBe(200);
});

test('ignores a cookie of the same name that another server on this machine has set', async () => {
  const browser = await login(await served());
  const [name] = browser.cookie.split('=');
  for (const cookie of [`${name}=forged; a=b; ${browser.cookie}`, `${browser.cookie}; ${name}=`]) {
    expect((await browser.ask('GET /health', { cookie })).status, cookie).toBe(200);
  }
});

test('requires the dashboard’s own origin for a request that changes something', async () => {
  const browser = await login(await served());
  for (const origin of ['https://evil.example', 'null', 'http://127.0.0.1:1', undefined]) {
    for (const route of ['POST /pause', 'DELETE /session', 'PATCH /issues/DEMO-1']) {
      const reply = await browser.ask(route, { origin });
      expect([route, origin, reply.status, codeOf(reply)]).toEqual([route, origin, 403, 'http.foreign_host']);
    }
  }
  expect((await browser.ask('GET /health', { origin: undefined })).status).toBe(200);
  expect((await browser.ask('GET /health', { host: 'evil.example' })).status).toBe(403);
});

test('prefers a token to a session, and refuses a wrong token even if there is a session', async () => {
  const door = await served();
  const browser = await login(door);
  expect((await browser.ask('GET /health', { authorization: 'Bearer wrong' })).status).toBe(401);
  const worker = { authorization: `Bearer ${door.workerToken}` };
  expect((await browser.ask('GET /health', worker)).status).toBe(403);
});

test('keeps browsers logged in across a restart', async () => {
  const before = await served();
  const { cookie, key } = await login(before);
  await closed(before);
  const after = await served(undefined, before.port);
  expect((await browserWith(after, cookie, key).ask('GET /health')).status).toBe(200);
  expect(after.defects).toEqual([]);
});

test('logs out one browser immediately and permanently, and leaves other browsers logged in', async () => {
  const before = await served();
  const browser = await login(before);
  const other = await login(before);
  const left = await browser.ask('DELETE /session');
  expect(left.status).toBe(200);
  expect(left.headers['set-cookie']).toEqual([
    `legion-${before.port}=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict`,
  ]);
  expect(codeOf(await browser.ask('GET /health'))).toBe('http.session_needed');
  await closed(before);
  const after = await served(undefined, before.port);
  expect((await browserWith(after, browser.cookie, browser.key).ask('GET /health')).status).toBe(401);
  expect((await browserWith(after, other.cookie, other.key).ask('GET /health')).status).toBe(200);
});

test('logs out every browser if the request has the operator’s token', async () => {
  const door = await served();
  const browsers = [await login(door), await login(door)];
  expect((await ask(door, 'DELETE /session')).status).toBe(200);
  for (const browser of browsers) expect((await browser.ask('GET /health')).status).toBe(401);
  expect(JSON.parse(readFileSync(legion.sessionsFile, 'utf8'))).toEqual({ sessions: [] });
});

test('ends a session half a day after its last use', async () => {
  const clock = new VirtualClock();
  const browser = await login(await served(clock));
  for (let day = 0; day < 3; day += 1) {
    await clock.advance(MAX_IDLE_MS);
    expect((await browser.ask('GET /health')).status).toBe(200);
  }
  await clock.advance(MAX_IDLE_MS + 1);
  expect(codeOf(await browser.ask('GET /health'))).toBe('http.session_needed');
});

test('remembers the last use across a restart', async () => {
  const clock = new VirtualClock();
  const before = await served(clock);
  const { cookie, key, ask: asked } = await login(before);
  await clock.advance(MAX_IDLE_MS);
  await asked('GET /health');
  await closed(before);
  const after = await served(clock, before.port);
  await clock.advance(MAX_IDLE_MS);
  expect((await browserWith(after, cookie, key).ask('GET /health')).status).toBe(200);
});

test('ends a session after a week, however much it is used', async () => {
  const clock = new VirtualClock();
  const browser = await login(await served(clock));
  for (let spent = 0; spent < MAX_SESSION_MS; spent += MAX_IDLE_MS) {
    expect((await browser.ask('GET /health')).status).toBe(200);
    await clock.advance(MAX_IDLE_MS);
  }
  expect((await browser.ask('GET /health')).status).toBe(200);
  await clock.advance(1);
  expect(codeOf(await browser.ask('GET /health'))).toBe('http.session_needed');
});

test('if there are too many sessions, ends the least recently used one', async () => {
  const clock = new VirtualClock();
  const door = await served(clock);
  const first = await login(door);
  await clock.advance(1);
  const second = await login(door);
  await clock.advance(1);
  expect((await first.ask('GET /health')).status).toBe(200);
  for (let count = 2; count < MAX_SESSIONS; count += 1) await login(door);
  await clock.advance(1);
  await login(door);
  expect((await second.ask('GET /health')).status).toBe(401);
  expect((await first.ask('GET /health')).status).toBe(200);
});

test('streams events to a session until it logs out', async () => {
  const door = await served();
  const browser = await login(door);
  const headers = { cookie: browser.cookie, 'x-legion-key': browser.key };
  const reading = await listen({ port: door.port }, '/events', headers);
  expect(reading.status).toBe(200);
  await legion.happen(1);
  await reading.until(1);
  await browser.ask('DELETE /session');
  await reading.ended;
});

test('ends a stream when its session ends, even without another request', async () => {
  const clock = new VirtualClock();
  const door = await served(clock);
  const { cookie, key } = await login(door);
  const reading = await listen({ port: door.port }, '/events', { cookie, 'x-legion-key': key });
  const bySameDoor = await listen(door, '/events');
  await reading.untilFrame('retry: 1000');
  while (clock.nextIn === undefined) await settled();
  await clock.advance(MAX_IDLE_MS + 1);
  await reading.ended;
  expect(bySameDoor.response.complete).toBe(false);
  bySameDoor.leave();
});

test('loses only existing logins if the session file is damaged', async () => {
  for (const text of ['', 'no json', '{"sessions":[{"cookie":"x"}]}', '[]']) {
    writeFileSync(legion.sessionsFile, text);
    const door = await served();
    expect(door.defects, text).toHaveLength(1);
    const browser = await login(door);
    expect((await browser.ask('GET /health')).status, text).toBe(200);
    await closed(door);
  }
});
