/** A browser that is logged in: what proves it, how long that lasts, and how it ends. */
import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { IDLE_MS, MOST_SESSIONS, TOTAL_MS } from '../../src/http/sessions/sessions.ts';
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

test('cookie and key together are the operator', async () => {
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

test('neither half alone is enough, nor are halves of two sessions', async () => {
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

test('a cookie that another server of this machine has set beside ours disturbs nothing', async () => {
  const browser = await login(await served());
  const [name] = browser.cookie.split('=');
  for (const cookie of [`${name}=forged; a=b; ${browser.cookie}`, `${browser.cookie}; ${name}=`]) {
    expect((await browser.ask('GET /health', { cookie })).status, cookie).toBe(200);
  }
});

test('what changes something must say that it comes from our page', async () => {
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

test('a token counts more than a session, and a wrong one is not made good by it', async () => {
  const door = await served();
  const browser = await login(door);
  expect((await browser.ask('GET /health', { authorization: 'Bearer wrong' })).status).toBe(401);
  const worker = { authorization: `Bearer ${door.workerToken}` };
  expect((await browser.ask('GET /health', worker)).status).toBe(403);
});

test('a restart keeps people logged in', async () => {
  const before = await served();
  const { cookie, key } = await login(before);
  await closed(before);
  const after = await served(undefined, before.port);
  expect((await browserWith(after, cookie, key).ask('GET /health')).status).toBe(200);
  expect(after.defects).toEqual([]);
});

test('who logs out is out at once, stays out after a restart, and is alone in that', async () => {
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

test('the operator’s token logs every browser out', async () => {
  const door = await served();
  const browsers = [await login(door), await login(door)];
  expect((await ask(door, 'DELETE /session')).status).toBe(200);
  for (const browser of browsers) expect((await browser.ask('GET /health')).status).toBe(401);
  expect(JSON.parse(readFileSync(legion.sessionsFile, 'utf8'))).toEqual({ sessions: [] });
});

test('a session ends after half a day without use, and each use begins that anew', async () => {
  const clock = new VirtualClock();
  const browser = await login(await served(clock));
  for (let day = 0; day < 3; day += 1) {
    await clock.advance(IDLE_MS);
    expect((await browser.ask('GET /health')).status).toBe(200);
  }
  await clock.advance(IDLE_MS + 1);
  expect(codeOf(await browser.ask('GET /health'))).toBe('http.session_needed');
});

test('a use is remembered over a restart', async () => {
  const clock = new VirtualClock();
  const before = await served(clock);
  const { cookie, key, ask: asked } = await login(before);
  await clock.advance(IDLE_MS);
  await asked('GET /health');
  await closed(before);
  const after = await served(clock, before.port);
  await clock.advance(IDLE_MS);
  expect((await browserWith(after, cookie, key).ask('GET /health')).status).toBe(200);
});

test('a session ends after a week, however much it is used', async () => {
  const clock = new VirtualClock();
  const browser = await login(await served(clock));
  for (let spent = 0; spent < TOTAL_MS; spent += IDLE_MS) {
    expect((await browser.ask('GET /health')).status).toBe(200);
    await clock.advance(IDLE_MS);
  }
  expect((await browser.ask('GET /health')).status).toBe(200);
  await clock.advance(1);
  expect(codeOf(await browser.ask('GET /health'))).toBe('http.session_needed');
});

test('one session too many ends the one that was used least lately', async () => {
  const clock = new VirtualClock();
  const door = await served(clock);
  const first = await login(door);
  await clock.advance(1);
  const second = await login(door);
  await clock.advance(1);
  expect((await first.ask('GET /health')).status).toBe(200);
  for (let count = 2; count < MOST_SESSIONS; count += 1) await login(door);
  await clock.advance(1);
  await login(door);
  expect((await second.ask('GET /health')).status).toBe(401);
  expect((await first.ask('GET /health')).status).toBe(200);
});

test('events are read with a session, until it is left', async () => {
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

test('a stream ends with its session, though nobody asks anything', async () => {
  const clock = new VirtualClock();
  const door = await served(clock);
  const { cookie, key } = await login(door);
  const reading = await listen({ port: door.port }, '/events', { cookie, 'x-legion-key': key });
  const bySameDoor = await listen(door, '/events');
  await reading.untilFrame('retry: 1000');
  while (clock.nextIn === undefined) await settled();
  await clock.advance(IDLE_MS + 1);
  await reading.ended;
  expect(bySameDoor.response.complete).toBe(false);
  bySameDoor.leave();
});

test('a file of sessions that is damaged costs a login and nothing else', async () => {
  for (const text of ['', 'no json', '{"sessions":[{"cookie":"x"}]}', '[]']) {
    writeFileSync(legion.sessionsFile, text);
    const door = await served();
    expect(door.defects, text).toHaveLength(1);
    const browser = await login(door);
    expect((await browser.ask('GET /health')).status, text).toBe(200);
    await closed(door);
  }
});
