/** A scripted model on loopback that speaks the three wires the agents do; it remembers what it was asked. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { Mind, Move, Seen } from './mind.ts';

/** One way of asking a model over HTTP. */
export interface Wire {
  /** Such as `/v1/messages`. */
  readonly path: string;
  read(body: unknown): Seen;
  write(
    move: Extract<Move, { say: string } | { run: string } | { verb: string } | { tool: string }>,
    seen: Seen,
    body: unknown,
    response: ServerResponse,
  ): void;
}

export interface ModelServer {
  readonly url: string;
  /** Every request that reached a wire, in order. */
  readonly asked: readonly {
    readonly seen: Seen;
    readonly body: unknown;
    readonly headers: IncomingMessage['headers'];
  }[];
  mind: Mind;
  close(): Promise<void>;
}

export async function startModel(wires: readonly Wire[], mind: Mind, port = 0): Promise<ModelServer> {
  const asked: { seen: Seen; body: unknown; headers: IncomingMessage['headers'] }[] = [];
  const model = { mind };
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { type: 'api_error', message: String(error) } }));
    });
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? '/', 'http://model').pathname;
    const wire = wires.find((each) => each.path === path);
    if (request.method !== 'POST' || wire === undefined) {
      request.resume();
      response.writeHead(request.method === 'HEAD' ? 200 : 404, { 'content-type': 'application/json' });
      response.end(
        request.method === 'HEAD'
          ? undefined
          : '{"error":{"type":"not_found_error","message":"no such path"}}',
      );
      return;
    }
    const body: unknown = await json(request);
    const seen = wire.read(body);
    asked.push({ seen, body, headers: request.headers });
    const move = await model.mind(seen);
    if ('silent' in move) return;
    if ('status' in move) {
      response.writeHead(move.status, { 'content-type': 'application/json', ...move.headers });
      response.end(JSON.stringify(move.body));
      return;
    }
    wire.write(move, seen, body, response);
  }

  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const { port: taken } = server.address() as AddressInfo;
  return Object.assign(model, {
    url: `http://127.0.0.1:${taken}`,
    asked,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  });
}
