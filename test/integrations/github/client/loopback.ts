/** A loopback server that records requests and returns the responses that the test chooses. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '../../../../src/core/model/clock.ts';
import { LegionError } from '../../../../src/core/model/fault.ts';
import {
  type GithubConnection,
  type GithubOptions,
  openGithub,
} from '../../../../src/integrations/github/client/open.ts';
import { systemClock } from '../../../../src/lib/async/system-clock.ts';

export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export type Answering = (response: ServerResponse, seen: Seen) => void | Promise<void>;

export interface Loopback extends AsyncDisposable {
  readonly url: string;
  readonly seen: readonly Seen[];
  /** Creates a client for this server with a token. It is closed together with the server. */
  client(options?: Partial<GithubOptions>): GithubConnection;
}

export async function loopback(answering: Answering): Promise<Loopback> {
  const seen: Seen[] = [];
  const clients: GithubConnection[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const one = { method, path: url, headers, body: Buffer.concat(chunks).toString() };
      seen.push(one);
      void answering(response, one);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    seen,
    client(options = {}) {
      const client = openGithub({
        url,
        identities: { legion: { kind: 'token', token: TOKEN } },
        environment: {},
        clock: systemClock,
        writeSpacingMs: 0,
        ...options,
      });
      clients.push(client);
      return client;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(clients.map((client) => client.close()));
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A token that must never appear in a message. */
export const TOKEN = 'canary-Legion-0123456789';

export function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers });
  response.end(JSON.stringify(body));
}

export async function faultOf(promise: Promise<unknown>): Promise<LegionError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof LegionError) return error;
  throw new Error(`Expected a coded fault, got ${String(error)}`);
}

export interface MovableClock extends Clock {
  forward(ms: number): void;
}

export function movableClock(): MovableClock {
  let ahead = 0;
  return {
    ...systemClock,
    now: () => systemClock.now() + ahead,
    monotonic: () => systemClock.monotonic() + ahead,
    forward(ms) {
      ahead += ms;
    },
  };
}
