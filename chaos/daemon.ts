/** The daemon under test, spoken to as its operator does. */
import { FEATURE } from '../bench/legion.ts';

export interface Daemon {
  readonly url: string;
  readonly token: string;
  readonly pid: number;
}

export async function ask<T>(
  { url, token }: Daemon,
  method: string,
  path: string,
  body?: object,
): Promise<T> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const response = await fetch(`${url}${path}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
  return (await response.json()) as T;
}

export async function approve(daemon: Daemon): Promise<void> {
  type Commands = { readonly repo: string; readonly fingerprint: string };
  for (const { repo, fingerprint } of await ask<Commands[]>(daemon, 'GET', '/repositories/commands')) {
    await ask(daemon, 'POST', '/repositories/commands/approve', { repo, fingerprint });
  }
}

export async function add(daemon: Daemon, index: number): Promise<void> {
  await ask(daemon, 'POST', '/issues', { ...FEATURE, title: `Greet person ${index}`, key: `chaos-${index}` });
}
