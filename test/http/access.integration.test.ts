/**
 * Sends a request to every live route as every kind of caller, both over the socket and over
 * loopback.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ask, codeOf, type Reply } from './ask.ts';
import { type Browser, browserWith, enter, login, newCode } from './browser.ts';
import { type Legion, openLegion, type Served } from './served.ts';

let legion: Legion;
let door: Served;
beforeAll(async () => {
  legion = await openLegion();
  door = await legion.serve();
});
afterAll(() => legion.close());

type Kind = 'nobody' | 'token' | 'session' | 'visitor' | 'worker';

/**
 * For each listed route, the kinds of callers that may use it. All other routes are for the
 * operator only. Webhooks have their own authentication and their own tests.
 */
const SPECIAL: Readonly<Record<string, readonly Kind[]>> = {
  'POST /worker/:verb': ['worker'],
  // A logged-in page may exchange a login code like any other page.
  'POST /session': ['visitor', 'session'],
  'POST /session/codes': ['token'],
};
const OPERATOR: readonly Kind[] = ['token', 'session'];

const KINDS: Readonly<Record<Kind, (route: string) => Promise<Reply>>> = {
  nobody: (route) => ask(door, route, { token: null }),
  token: (route) => ask(door, route),
  session: async (route) => (await login(door)).ask(route),
  visitor: (route) => ask(door, route, { token: null, headers: { origin: `http://127.0.0.1:${door.port}` } }),
  worker: (route) => ask(door, route, { token: door.workerToken }),
};

function liveRoutes(): readonly string[] {
  const routes = door.routes().map(({ method, path }) => `${method} ${path}`);
  expect(routes.length).toBeGreaterThan(40);
  return routes.filter((route) => route !== 'POST /webhooks/:service');
}

function withIds(route: string): string {
  return route.replace(':verb', 'push').replaceAll(/:\w+/g, 'demo-1-implement');
}

/**
 * Returns whether the guard accepted the request. The route's response to an empty request does not
 * matter here.
 */
function isAllowed(reply: Reply): boolean {
  if (reply.status !== 401 && reply.status !== 403) return true;
  expect(['http.unauthorised', 'http.forbidden', 'http.session_needed']).toContain(codeOf(reply));
  return false;
}

describe('on loopback', () => {
  test.each(Object.keys(KINDS) as Kind[])(
    'a caller of the kind "%s" reaches exactly the routes allowed for that kind',
    async (kind) => {
      for (const route of liveRoutes()) {
        const reply = await KINDS[kind](withIds(route));
        expect([route, isAllowed(reply)]).toEqual([route, (SPECIAL[route] ?? OPERATOR).includes(kind)]);
      }
    },
  );
});

describe('on the Unix socket', () => {
  const over = 'socket' as const;

  test('every route requires a token, because access to the socket alone is not enough', async () => {
    for (const route of [...liveRoutes(), 'POST /webhooks/github', 'GET /ui/', 'GET /nowhere']) {
      const reply = await ask(door, withIds(route), { over, token: null });
      expect([route, reply.status, codeOf(reply)]).toEqual([route, 401, 'http.unauthorised']);
    }
  });

  test('the operator’s token reaches the same routes as on loopback, and a worker’s token only its verbs', async () => {
    for (const route of liveRoutes()) {
      const allowed = SPECIAL[route] ?? OPERATOR;
      const byToken = await ask(door, withIds(route), { over });
      const byWorker = await ask(door, withIds(route), { over, token: door.workerToken });
      expect([route, isAllowed(byToken)]).toEqual([route, allowed.includes('token')]);
      expect([route, isAllowed(byWorker)]).toEqual([route, allowed.includes('worker')]);
    }
  });

  test('a browser’s session and code are not accepted', async () => {
    const browser: Browser = await login(door);
    const headers = { cookie: browser.cookie, 'x-legion-key': browser.key, origin: browser.origin };
    expect(codeOf(await ask(door, 'GET /health', { over, token: null, headers }))).toBe('http.unauthorised');
    const code = await newCode(door);
    const entering = { over, token: null, headers: { origin: browser.origin }, body: { code } };
    expect(codeOf(await ask(door, 'POST /session', entering))).toBe('http.unauthorised');
    const entered = await enter(door, code);
    expect(entered.status).toBe(201);
    const [cookie = ''] = String(entered.headers['set-cookie']).split(';');
    expect((await browserWith(door, cookie, JSON.parse(entered.text).key).ask('GET /session')).status).toBe(
      200,
    );
  });

  test('a foreign Host header is accepted, because browsers cannot reach the socket', async () => {
    expect((await ask(door, 'GET /health', { over, headers: { host: 'evil.example' } })).status).toBe(200);
  });
});

test('a worker cannot find out which routes exist', async () => {
  for (const route of ['GET /nowhere', 'GET /worker/push', 'POST /worker', 'POST /worker/no/such']) {
    expect(codeOf(await ask(door, route, { token: door.workerToken })), route).toBe('http.forbidden');
  }
});
