/**
 * An in-memory HTTP server that serves the built dashboard with its content security policy. It
 * answers requests with canned data.
 */
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import type { MoveEffects } from '../../../src/core/model/lifecycle.ts';
import type {
  DashboardBoard,
  DashboardCard,
  JournalSpan,
  SessionView,
} from '../../../src/protocol/dashboard.ts';
import type { InboxItem } from '../../../src/protocol/operator.ts';
import type { HealthView } from '../../../src/protocol/status.ts';

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.html': 'text/html',
};

/** The daemon's state. A test changes it and then emits an event. */
export interface Facts {
  session: SessionView;
  health: HealthView;
  inbox: InboxItem[];
  cards: DashboardCard[];
  /** Cards finished more than a week ago, sent only with `finished=all`. */
  older?: DashboardCard[];
  /** Part of the response to a move. */
  moveEffects?: MoveEffects;
  span: JournalSpan;
  /** The cards at a past moment. */
  past(at: number): DashboardCard[];
  /** Answers routes that only some pages use. Returns undefined for an unknown route. */
  answerRoute?(route: string, query: URLSearchParams, body: unknown): unknown;
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
  /** Bodies of all requests for changes, in order. */
  readonly requests: { readonly route: string; readonly body: unknown }[];
  /** Returns a login code that can be used once. */
  code(): string;
  /** Fails the next request to a route (`POST /issues/A-1/move`). */
  refuse(route: string, fault: Fault): void;
  /** Fails every request to a route until the returned function is called. */
  keepRefusing(route: string, fault: Fault): () => void;
  /** Delays the next response of a route until the returned function is called. */
  hold(route: string): () => void;
  emitEvent(type: string, fields?: Readonly<Record<string, unknown>>): void;
  /**
   * For each requested stream, the id of the event after which it resumed. Undefined if the stream
   * did not resume after an event.
   */
  readonly resumedFrom: (string | undefined)[];
  /** Number of open event streams. */
  streamCount(): number;
  /** Sends a keep-alive on every stream, as an idle daemon does. */
  sendKeepAlive(): void;
  /** Keeps the current streams open but sends nothing more on them, as if the machine had slept. */
  fallSilent(): void;
  /** Ends every session, as a timeout would. */
  expire(): void;
  /**
   * Removes the files of pages that have not been opened yet. With `reload`, the files are
   * available again after the page is reloaded.
   */
  loseFiles(until: 'reload' | 'forever'): void;
  /** Number of requests for the dashboard document. */
  documentCount(): number;
  /** Cuts all streams and stops responding, until it is called with `false`. */
  setUnreachable(isAway: boolean): void;
  close(): Promise<void>;
}

/** `built` is the directory with the dashboard's files. */
export async function openFixture(built: string, facts: Facts): Promise<Fixture> {
  const asked: Fixture['requests'] = [];
  const refusals = new Map<string, Fault>();
  const lastingRefusals = new Map<string, Fault>();
  const holds = new Map<string, Promise<void>>();
  const streams = new Set<ServerResponse>();
  const followed: Fixture['resumedFrom'] = [];
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
      const { status } = body as { status: DashboardCard['status'] };
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
        const { title, status } = body as { title: string; status: DashboardCard['status'] };
        const template = facts.cards[0] as DashboardCard;
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
    const answered = facts.answerRoute?.(route, query, body);
    if (answered === undefined) throw new Error(`the fixture does not know ${route}`);
    return answered;
  }

  function boardAt(query: URLSearchParams): DashboardBoard {
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
    // Like the daemon, reports the time of the last event before the requested moment as the time
    // of a past board.
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
    } else refuse(outgoing, { ...SIGNED_OUT, message: 'This code has already been used or has expired.' });
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
    requests: asked,
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
    emitEvent(type, fields = {}) {
      version += 1;
      const event = { ...fields, seq: version, at: Date.now(), type };
      const frame = `id: ${version}\nevent: ${type}\ndata: ${JSON.stringify(event)}\n\n`;
      told.push({ seq: version, frame });
      for (const outgoing of streams) outgoing.write(frame);
    },
    resumedFrom: followed,
    streamCount: () => streams.size,
    sendKeepAlive() {
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
    setUnreachable(now) {
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
  next: 'Run `legion open` to log in again.',
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
