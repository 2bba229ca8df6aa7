/**
 * Fakes an OpenCode server: a real HTTP server with the routes that a driver uses, controlled by
 * the test.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterEach } from 'vitest';
import { createOpencodeApi, type OpencodeApi } from '../../../src/agents/opencode/api.ts';

export const OWN = 'ses_own';

export interface ServerEdge {
  readonly api: OpencodeApi;
  /** Requests other than GET, as `POST /path`, with their bodies. */
  readonly told: { readonly what: string; readonly body: unknown }[];
  /** Responses to `GET` requests, by path. */
  readonly answers: Record<string, unknown>;
  /** Called for each request other than GET. */
  onTold: (what: string) => void;
  /** Sends an event to the connected client. */
  say(type: string, properties: object): void;
  busy(): void;
  idle(): void;
  /** Ends the client's event connection. */
  breakOff(): void;
}

/** Must be called once per test file. Each server is closed after its test. */
export function useServerEdge(): () => Promise<ServerEdge> {
  const open: Server[] = [];
  afterEach(async () => {
    for (const server of open.splice(0)) {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    }
  });
  return () => begin(open);
}

async function begin(open: Server[]): Promise<ServerEdge> {
  const listening = new Set<ServerResponse>();
  const password = 'of the test';
  const server = createServer((request, response) => {
    void answer(request, response);
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '').replace(/\?.*/, '');
    if (request.headers.authorization !== `Basic ${btoa(`opencode:${password}`)}`) {
      response.writeHead(401).end();
    } else if (path === '/event') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: {"type":"server.connected","properties":{}}\n\n');
      listening.add(response);
    } else if (request.method === 'GET') {
      const found = edge.answers[path];
      response
        .writeHead(found === undefined ? 404 : 200)
        .end(JSON.stringify(found ?? { name: 'NotFoundError' }));
    } else {
      const body: unknown = await json(request);
      const what = `${request.method} ${path}`;
      edge.told.push({ what, body });
      response.writeHead(200).end('true');
      edge.onTold(what);
    }
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  open.push(server);
  const { port } = server.address() as AddressInfo;
  const status = (type: string) => edge.say('session.status', { sessionID: OWN, status: { type } });
  const edge: ServerEdge = {
    api: createOpencodeApi({ url: `http://127.0.0.1:${port}`, password }),
    told: [],
    answers: {
      '/permission': [],
      '/question': [],
      '/session/status': {},
      [`/session/${OWN}/message`]: [],
    },
    onTold: () => undefined,
    say(type, properties) {
      for (const each of listening) each.write(`data: ${JSON.stringify({ type, properties })}\n\n`);
    },
    busy: () => status('busy'),
    idle: () => status('idle'),
    breakOff() {
      for (const each of listening) each.destroy();
      listening.clear();
    },
  };
  return edge;
}
