/**
 * Serves a scripted model on loopback with the three APIs that the agents use, and records its
 * requests.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { ModelMove, ModelRequest, ScriptedMind } from './mind.ts';

/** One HTTP API of a model. */
export interface ModelWire {
  /** For example `/v1/messages`. */
  readonly path: string;
  read(body: unknown): ModelRequest;
  write(
    move: Extract<ModelMove, { say: string } | { run: string } | { verb: string } | { tool: string }>,
    seen: ModelRequest,
    body: unknown,
    response: ServerResponse,
  ): void;
}

export interface ModelServer {
  readonly url: string;
  /** Every request that reached an API, in order. */
  readonly asked: readonly {
    readonly seen: ModelRequest;
    readonly body: unknown;
    readonly headers: IncomingMessage['headers'];
  }[];
  mind: ScriptedMind;
  close(): Promise<void>;
}

export async function startModel(
  wires: readonly ModelWire[],
  mind: ScriptedMind,
  port = 0,
): Promise<ModelServer> {
  const asked: { seen: ModelRequest; body: unknown; headers: IncomingMessage['headers'] }[] = [];
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
