/** A real HTTP server that implements the protocol in place of a daemon. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';

const TOKEN = 'a-token-of-the-test';

interface Heard {
  /** Method, path and query, as in `POST /issues?by=ada`. */
  readonly line: string;
  readonly body: unknown;
}

export interface Refusal {
  readonly refused: { readonly status: number; readonly code: string; readonly message: string };
}

interface Happened {
  readonly seq: number;
  readonly at: number;
  readonly type: string;
  readonly [field: string]: unknown;
}

export interface WireDaemon {
  readonly heard: Heard[];
  /**
   * Sends an event to all current listeners. A later listener receives it only if it asks for past
   * events.
   */
  happen(event: Happened): void;
  /** Number of open event streams. */
  listeners(): number;
  close(): Promise<void>;
}

/**
 * The keys of `answers` are request lines without their queries. If an answer is a function, it is
 * called with the request body.
 */
export async function openWireDaemon(
  state: string,
  answers: Readonly<Record<string, unknown>>,
  legion = 'shop',
): Promise<WireDaemon> {
  const heard: Heard[] = [];
  const past: Happened[] = [];
  const streams = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    void answer(request, response);
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.headers.authorization !== `Bearer ${TOKEN}`) {
      refuse(response, { status: 401, code: 'http.unauthorised', message: 'no token' });
      return;
    }
    const url = new URL(request.url ?? '/', 'http://wire');
    const body = await bodyOf(request);
    heard.push({ line: `${request.method} ${url.pathname}${url.search}`, body });
    if (url.pathname === '/events') {
      listen(response, Number(url.searchParams.get('after')));
      return;
    }
    const key = `${request.method} ${url.pathname}`;
    if (!Object.hasOwn(answers, key)) {
      refuse(response, { status: 404, code: 'http.route_unknown', message: `no ${key}` });
      return;
    }
    const given: unknown = answers[key];
    const value: unknown = typeof given === 'function' ? given(body) : given;
    if (isRefusal(value)) refuse(response, value.refused);
    else if (typeof value === 'string') response.end(value);
    else response.setHeader('content-type', 'application/json').end(JSON.stringify(value));
  }

  function listen(response: ServerResponse, after: number): void {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(': here\n\n');
    for (const event of past) if (event.seq > after) response.write(frame(event));
    streams.add(response);
    response.on('close', () => streams.delete(response));
  }

  mkdirSync(state, { recursive: true, mode: 0o700 });
  const socket = join(state, 'daemon.sock');
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  announce(state, {
    legion,
    url: 'http://127.0.0.1:1',
    socket,
    pid: process.pid,
    startedAt: 1,
    version: '0.1.0',
  });
  return {
    heard,
    happen(event) {
      past.push(event);
      for (const stream of streams) stream.write(frame(event));
    },
    listeners: () => streams.size,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export function announce(state: string, file: object): void {
  mkdirSync(state, { recursive: true, mode: 0o700 });
  writeFileSync(join(state, 'token'), `${TOKEN}\n`, { mode: 0o600 });
  writeFileSync(join(state, 'daemon.json'), JSON.stringify(file), { mode: 0o600 });
}

export function refusal(status: number, code: string, message: string): Refusal {
  return { refused: { status, code, message } };
}

function isRefusal(value: unknown): value is Refusal {
  return typeof value === 'object' && value !== null && 'refused' in value;
}

function refuse(response: ServerResponse, { status, code, message }: Refusal['refused']): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ error: { code, message, next: 'Think again.' } }));
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  return text === '' ? undefined : JSON.parse(text);
}

function frame(event: Happened): string {
  return `id: ${event.seq}\nevent: x\ndata: ${JSON.stringify(event)}\n\n`;
}
