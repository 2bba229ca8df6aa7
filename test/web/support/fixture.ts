/** A daemon's door in memory: serves the built dashboard under its content policy, and answers what a page asks with canned facts. */
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import type { Board, Card, JournalSpan, SessionView } from '../../../src/protocol/dashboard.ts';
import type { MoveEffects } from '../../../src/protocol/describe-move-effects.ts';
import type { HealthView, InboxItem } from '../../../src/protocol/operator.ts';

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.html': 'text/html',
};

/** What the daemon knows; a test changes it and then tells an event. */
export interface Facts {
  session: SessionView;
  health: HealthView;
  inbox: InboxItem[];
  cards: Card[];
  /** Finished more than a week ago: sent only with `finished=all`. */
  older?: Card[];
  /** Part of the answer to a move. */
  moveEffects?: MoveEffects;
  span: JournalSpan;
  /** The cards of a moment of the past. */
  past(at: number): Card[];
  /** What only some pages ask for; undefined where it does not know the route either. */
  answers?(route: string, query: URLSearchParams, body: unknown): unknown;
}

interface Fault {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly next: string;
}

export interface Fixture {
  readonly url: string;
  readonly facts: Facts;
  /** Bodies of what was asked to be changed, in order. */
  readonly asked: { readonly route: string; readonly body: unknown }[];
  /** A code that opens the dashboard once. */
  code(): string;
  /** What the next request of a route (`POST /issues/A-1/move`) is answered with. */
  refuse(route: string, fault: Fault): void;
  /** What every request of a route is answered with, until what is returned is called. */
  keepRefusing(route: string, fault: Fault): () => void;
  /** The next answer of a route waits until what is returned is called. */
  hold(route: string): () => void;
  tell(type: string, fields?: Readonly<Record<string, unknown>>): void;
  /** What each stream of events that was asked for went on from; undefined where it began anew. */
  readonly followed: (string | undefined)[];
  /** How many streams of events are open now. */
  streamCount(): number;
  /** A sign of life on every stream, as a daemon gives one where nothing happens. */
  beat(): void;
  /** Leaves the streams of now open and never says anything on them again, as a machine that slept does. */
  fallSilent(): void;
  /** Ends every session, as time would. */
  expire(): void;
  /** Loses the files of the pages that were not opened yet; `reload`: a page that is loaded anew finds them again. */
  loseFiles(until: 'reload' | 'forever'): void;
  /** How often the dashboard itself was asked for. */
  documentCount(): number;
  /** Answers nothing and cuts all streams, until it is called with `false`. */
  away(isAway: boolean): void;
  close(): Promise<void>;
}

/** `built` is the folder with the dashboard's files. */
export async function openFixture(built: string, facts: Facts): Promise<Fixture> {
  const asked: Fixture['asked'] = [];
  const refusals = new Map<string, Fault>();
  const lastingRefusals = new Map<string, Fault>();
  const holds = new Map<string, Promise<void>>();
  const streams = new Set<ServerResponse>();
  const followed: Fixture['followed'] = [];
  const told: { readonly seq: number; readonly frame: string }[] = [];
  const codes = new Set<string>();
  let issued = 0;
  let key = '';
  let isAway = false;
  let lost: 'reload' | 'forever' | undefined;
  let documents = 0;
  let version = facts.span.last.version;

  const server = createServer((incoming, outgoing) => {
    if (isAway) return void incoming.socket.destroy();
    answer(incoming, outgoing).catch((error: unknown) => {
      outgoing.writeHead(500).end(String(error));
    });
  });

  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(incoming.url ?? '/', 'http://fixture');
    const route = `${incoming.method} ${pathname}`;
    if (pathname.startsWith('/ui'))
      return page(pathname, outgoing, incoming.headers['sec-fetch-mode'] === 'navigate');
    const body = await bodyOf(incoming);
    const held = holds.get(route);
    holds.delete(route);
    await held;
    const fault = refusals.get(route) ?? lastingRefusals.get(route);
    refusals.delete(route);
    if (fault !== undefined) return refuse(outgoing, fault);
    if (route === 'POST /session') return enter(body, outgoing);
    if (
      key === '' ||
      incoming.headers['x-legion-key'] !== key ||
      incoming.headers.cookie !== `legion=${key}`
    ) {
      return refuse(outgoing, SIGNED_OUT);
    }
    if (incoming.method !== 'GET') asked.push({ route, body });
    if (route === 'GET /events') return stream(incoming, outgoing);
    json(outgoing, 200, dataOf(route, searchParams, body));
  }

  function dataOf(route: string, query: URLSearchParams, body: unknown): unknown {
    const [, moved] = /^POST \/issues\/(.+)\/move$/.exec(route) ?? [];
    if (moved !== undefined) {
      const { status } = body as { status: Card['status'] };
      const column = facts.session.statuses.find((known) => known.status === status)?.column ?? status;
      facts.cards = facts.cards.map((card) => (card.id === moved ? { ...card, status, column } : card));
      return { says: `${moved} moved`, ...facts.moveEffects };
    }
    switch (route) {
      case 'GET /session':
        return facts.session;
      case 'DELETE /session':
        key = '';
        return { says: 'left' };
      case 'GET /health':
        return facts.health;
      case 'GET /inbox':
        return facts.inbox;
      case 'GET /journal/span':
        return facts.span;
      case 'GET /board':
        return boardAt(query);
      case 'POST /issues': {
        const { title, status } = body as { title: string; status: Card['status'] };
        const template = facts.cards[0] as Card;
        const added = {
          ...template,
          id: `NEW-${facts.cards.length}`,
          title,
          status,
          needsYou: false,
          worker: null,
        };
        facts.cards = [...facts.cards, added];
        return added;
      }
      default:
        return further(route, query, body);
    }
  }

  function further(route: string, query: URLSearchParams, body: unknown): unknown {
    const answered = facts.answers?.(route, query, body);
    if (answered === undefined) throw new Error(`the fixture does not know ${route}`);
    return answered;
  }

  function boardAt(query: URLSearchParams): Board {
    const { first, last } = facts.span;
    const isWhole = query.get('finished') === 'all';
    if (query.size === 0 || isWhole) {
      const older = facts.older ?? [];
      const cards = isWhole ? [...facts.cards, ...older] : facts.cards;
      const omitted = isWhole ? 0 : older.length;
      return { at: Date.now(), version, isPresent: true, readAt: Date.now(), cards, omitted };
    }
    const msPerEvent = (last.at - first.at) / (last.version - first.version);
    const asked = query.has('at')
      ? first.version + Math.floor((Number(query.get('at')) - first.at) / msPerEvent)
      : Number(query.get('version'));
    // As the daemon does it: the moment of a past board is that of its last event.
    const at = first.at + (asked - first.version) * msPerEvent;
    return { at, version: asked, isPresent: false, readAt: at, cards: facts.past(at), omitted: 0 };
  }

  function page(pathname: string, outgoing: ServerResponse, isNavigation: boolean): void {
    const file = pathname.startsWith('/ui/assets/') ? pathname.slice('/ui/'.length) : 'index.html';
    if (file === 'index.html' && isNavigation) {
      documents += 1;
      if (lost === 'reload') lost = undefined;
    }
    if (lost !== undefined && /^assets\/page-/.test(file)) return void outgoing.writeHead(404).end();
    outgoing.writeHead(200, {
      'content-type': `${TYPES[extname(file)]}; charset=utf-8`,
      'content-security-policy': POLICY,
      'x-content-type-options': 'nosniff',
      'cross-origin-opener-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
    });
    outgoing.end(readFileSync(join(built, file)));
  }

  function enter(body: unknown, outgoing: ServerResponse): void {
    const { code } = body as { code: string };
    if (codes.delete(code)) {
      key = `key-of-${code}`;
      outgoing.setHeader('set-cookie', `legion=${key}; HttpOnly; SameSite=Strict; Path=/`);
      json(outgoing, 200, { key });
    } else refuse(outgoing, { ...SIGNED_OUT, message: 'This code was used, or is too old.' });
  }

  function stream(incoming: IncomingMessage, outgoing: ServerResponse): void {
    outgoing.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
    });
    outgoing.write('retry: 1000\n\n');
    const from = incoming.headers['last-event-id'];
    followed.push(from === undefined ? from : String(from));
    if (from !== undefined) for (const { seq, frame } of told) if (seq > Number(from)) outgoing.write(frame);
    streams.add(outgoing);
    outgoing.on('close', () => streams.delete(outgoing));
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    facts,
    asked,
    code() {
      issued += 1;
      const code = `code-${issued}-${port}`;
      codes.add(code);
      return code;
    },
    refuse: (route, fault) => void refusals.set(route, fault),
    keepRefusing(route, fault) {
      lastingRefusals.set(route, fault);
      return () => void lastingRefusals.delete(route);
    },
    hold(route) {
      const { promise, resolve } = Promise.withResolvers<void>();
      holds.set(route, promise);
      return resolve;
    },
    tell(type, fields = {}) {
      version += 1;
      const event = { ...fields, seq: version, at: Date.now(), type };
      const frame = `id: ${version}\nevent: ${type}\ndata: ${JSON.stringify(event)}\n\n`;
      told.push({ seq: version, frame });
      for (const outgoing of streams) outgoing.write(frame);
    },
    followed,
    streamCount: () => streams.size,
    beat() {
      for (const outgoing of streams) outgoing.write(': beat\n\n');
    },
    fallSilent: () => streams.clear(),
    expire() {
      key = '';
      for (const outgoing of streams) outgoing.destroy();
    },
    loseFiles(until) {
      lost = until;
    },
    documentCount: () => documents,
    away(now) {
      isAway = now;
      if (now) for (const outgoing of streams) outgoing.destroy();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const SIGNED_OUT: Fault = {
  status: 401,
  code: 'http.unauthorised',
  message: 'This daemon does not know your session.',
  next: 'Run `legion open`.',
};

function refuse(outgoing: ServerResponse, { status, ...error }: Fault): void {
  json(outgoing, status, { error });
}

function json(outgoing: ServerResponse, status: number, value: unknown): void {
  outgoing.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

async function bodyOf(incoming: IncomingMessage): Promise<unknown> {
  let text = '';
  for await (const chunk of incoming) text += String(chunk);
  return text === '' ? undefined : JSON.parse(text);
}
