/** A browser at the door: logs in with a code and sends what a page of ours would. */
import { ask, type Reply } from './ask.ts';
import type { Served } from './served.ts';

/** A daemon at its port, in this process or in another. */
type Door = Pick<Served, 'port' | 'token'>;

export interface Browser {
  /** `name=value`. */
  readonly cookie: string;
  readonly key: string;
  readonly origin: string;
  /** Asks as a page does; what is set to undefined is left out. */
  ask(route: string, changes?: Readonly<Record<string, string | undefined>>, body?: unknown): Promise<Reply>;
}

export async function newCode(door: Door): Promise<string> {
  return JSON.parse((await ask(door, 'POST /session/codes')).text).code;
}

export function enter(
  door: Door,
  code: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  const origin = `http://127.0.0.1:${door.port}`;
  return ask(door, 'POST /session', { token: null, headers: { origin, ...headers }, body: { code } });
}

export async function login(door: Door): Promise<Browser> {
  const reply = await enter(door, await newCode(door));
  if (reply.status !== 201) throw new Error(`not let in: ${reply.text}`);
  const [cookie = ''] = String(reply.headers['set-cookie']).split(';');
  return browserWith(door, cookie, JSON.parse(reply.text).key);
}

export function browserWith(door: Door, cookie: string, key: string): Browser {
  const origin = `http://127.0.0.1:${door.port}`;
  const usual = { cookie, 'x-legion-key': key, origin, 'sec-fetch-site': 'same-origin' };
  return {
    cookie,
    key,
    origin,
    ask: (route, changes = {}, body = undefined) =>
      ask(door, route, { token: null, headers: sent({ ...usual, ...changes }), body }),
  };
}

function sent(headers: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
