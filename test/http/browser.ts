/** Simulates a browser: logs in with a code and sends the requests of a dashboard page. */
import { ask, type Reply } from './ask.ts';
import type { Served } from './served.ts';

/** Address of a daemon, in this process or another. */
type Door = Pick<Served, 'port' | 'token'>;

export interface Browser {
  /** The cookie header, `name=value`. */
  readonly cookie: string;
  readonly key: string;
  readonly origin: string;
  /** Sends a request as a dashboard page does. Headers set to undefined are omitted. */
  ask(route: string, changes?: Readonly<Record<string, string | undefined>>, body?: unknown): Promise<Reply>;
}

export async function newCode(client: Door): Promise<string> {
  return JSON.parse((await ask(client, 'POST /session/codes')).text).code;
}

export function enter(
  client: Door,
  code: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  const origin = `http://127.0.0.1:${client.port}`;
  return ask(client, 'POST /session', { token: null, headers: { origin, ...headers }, body: { code } });
}

export async function login(client: Door): Promise<Browser> {
  const reply = await enter(client, await newCode(client));
  if (reply.status !== 201) throw new Error(`the login was refused: ${reply.text}`);
  const [cookie = ''] = String(reply.headers['set-cookie']).split(';');
  return browserWith(client, cookie, JSON.parse(reply.text).key);
}

export function browserWith(client: Door, cookie: string, key: string): Browser {
  const origin = `http://127.0.0.1:${client.port}`;
  const usual = { cookie, 'x-legion-key': key, origin, 'sec-fetch-site': 'same-origin' };
  return {
    cookie,
    key,
    origin,
    ask: (route, changes = {}, body = undefined) =>
      ask(client, route, { token: null, headers: sent({ ...usual, ...changes }), body }),
  };
}

function sent(headers: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
