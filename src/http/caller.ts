/** Who speaks: the operator, one attempt of a worker, a service, a page that brings a code, or somebody unknown. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { LegionError } from '../core/model/fault.ts';
import type { Speech, WebhookService, WorkerIdentity } from '../daemon/daemon.ts';
import { findSessionCookies } from './sessions/session-cookies.ts';
import type { Session, Sessions } from './sessions/sessions.ts';

export type Caller =
  /** With the token, or in a browser that was let in with it. */
  | { readonly is: 'operator'; readonly session?: Session }
  | { readonly is: 'worker'; readonly worker: WorkerIdentity }
  /** As it says itself; whether that is so, only its signature shows. */
  | { readonly is: 'service'; readonly service: WebhookService }
  /** A page of ours that has nothing yet but, perhaps, a code. */
  | { readonly is: 'visitor' };

/** What a page sends beside its cookie. */
export const KEY_HEADER = 'x-legion-key';

/** RFC 6750: the scheme's name in any case, then the token. */
const BEARER = /^bearer +([A-Za-z0-9._~+/-]+=*) *$/i;

/** Methods that change nothing; any other wants to be told where it comes from. */
const SAFE_METHODS: readonly string[] = ['GET', 'HEAD'];

/** Tells by the head of a request who the caller is; refuses an unknown one. */
export interface Callers {
  byToken(incoming: IncomingMessage): Caller;
  /** Also by the session or the code of a browser. */
  byAnyProof(incoming: IncomingMessage): Caller;
}

export function callers(operatorToken: string, speech: Speech, sessions: Sessions): Callers {
  const expected = digest(operatorToken);

  function byToken(authorization: string): Caller {
    const [, token] = BEARER.exec(authorization) ?? [];
    if (token === undefined) throw unauthorised('the request carries no bearer token');
    // Digests are of one length, so that neither the time taken nor the length says anything about the token.
    if (timingSafeEqual(digest(token), expected)) return { is: 'operator' };
    const worker = speech.identify(token);
    if (worker === undefined) throw unauthorised('the token is none of this legion');
    return { is: 'worker', worker };
  }

  function bySession({ headers, method = '', socket }: IncomingMessage): Caller {
    const session = sessions.find(
      findSessionCookies(headers.cookie, socket.localPort),
      headers[KEY_HEADER]?.toString(),
    );
    if (session === undefined) {
      throw new LegionError('http.session_needed', 'this page is not logged in, or not any more');
    }
    // Whether the origin is ours was looked at before; a browser never leaves it out here.
    if (!SAFE_METHODS.includes(method) && headers.origin === undefined) {
      throw new LegionError('http.foreign_host', `a page that sends ${method} has to say where it is from`);
    }
    return { is: 'operator', session };
  }

  return {
    byToken: ({ headers }) => byToken(headers.authorization ?? ''),
    byAnyProof(incoming) {
      const { authorization } = incoming.headers;
      if (authorization !== undefined) return byToken(authorization);
      if (bringsCode(incoming)) return { is: 'visitor' };
      return isOfBrowser(incoming) ? bySession(incoming) : byToken('');
    },
  };
}

/** Compared with the request line as it came; only pages send an origin, and that it is ours was looked at before. */
function bringsCode({ method, url, headers }: IncomingMessage): boolean {
  return method === 'POST' && url === '/session' && headers.origin !== undefined;
}

/** What fails is told in the words of who asks: a browser has no token to send. */
function isOfBrowser({ headers, socket }: IncomingMessage): boolean {
  return (
    findSessionCookies(headers.cookie, socket.localPort).length > 0 ||
    [KEY_HEADER, 'origin', 'sec-fetch-site'].some((name) => headers[name] !== undefined)
  );
}

function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

function unauthorised(why: string): LegionError {
  return new LegionError('http.unauthorised', why);
}
