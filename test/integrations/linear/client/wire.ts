/** A loopback server whose responses the test controls, and Linear clients for it. */
import type { ServerResponse } from 'node:http';
import type { LinearClient } from '../../../../src/integrations/linear/client/client.ts';
import { type LinearOptions, openLinear } from '../../../../src/integrations/linear/client/open.ts';
import { systemClock } from '../../../../src/lib/async/system-clock.ts';
import { type Answering, json, loopback, type Seen } from '../../github/client/loopback.ts';

/** A key that must never appear in a message. */
export const KEY = 'canary-Legion-0123456789';

export const never = new AbortController().signal;

export interface Wire extends AsyncDisposable {
  readonly url: string;
  readonly seen: readonly Seen[];
  /** Opens a client that is closed together with the server. */
  client(options?: Partial<LinearOptions>): LinearClient;
}

export async function wire(answering: Answering): Promise<Wire> {
  const server = await loopback(answering);
  const clients: LinearClient[] = [];
  return {
    url: server.url,
    seen: server.seen,
    client(options = {}) {
      const credential = { kind: 'api_key', value: KEY } as const;
      const client = openLinear({ url: server.url, credential, clock: systemClock, ...options });
      clients.push(client);
      return client;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(clients.map((client) => client.close()));
      await server[Symbol.asyncDispose]();
    },
  };
}

/** Returns an error in Linear's format. */
export function complaint(type: string, more: Readonly<Record<string, unknown>> = {}): object {
  return { message: `it was ${type}`, extensions: { type, ...more } };
}

export function errors(status: number, ...list: unknown[]): Answering {
  return (response: ServerResponse) => json(response, status, { data: null, errors: list });
}
