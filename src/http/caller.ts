/**
 * Identifies the caller of a request: the operator, one attempt of a worker, a service, or a page
 * that sends a login code. Also defines the name of the session cookie.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { LegionError } from '../core/model/fault.ts';
import type { WorkerIdentity } from '../core/model/ids.ts';
import type { WebhookService, WorkerApi } from '../daemon/daemon.ts';
import type { BrowserSession, BrowserSessions } from './sessions.ts';

export type Caller =
  /**
   * A caller that sends the operator's token, or a browser that logged in with a code from the
   * operator.
   */
  | { readonly is: 'operator'; readonly session?: BrowserSession }
  | { readonly is: 'worker'; readonly worker: WorkerIdentity }
  /** The service that the request claims to be from. Only its signature proves it. */
  | { readonly is: 'service'; readonly service: WebhookService }
  /** A page of the dashboard without a session. It may send a login code. */
  | { readonly is: 'visitor' };

/** Header that a page sends in addition to its cookie. */
export const KEY_HEADER = 'x-legion-key';

/** RFC 6750: the scheme in any case, then the token. */
const BEARER = /^bearer +([A-Za-z0-9._~+/-]+=*) *$/i;

/** Methods that change nothing. A page that uses any other method must send an Origin header. */
const SAFE_METHODS: readonly string[] = ['GET', 'HEAD'];

/** Identifies the caller by the headers of a request and refuses an unknown caller. */
export interface CallerAuthenticator {
  identifyByToken(incoming: IncomingMessage): Caller;
  /** Accepts a token, a browser session or a login code. */
  identifyByAnyProof(incoming: IncomingMessage): Caller;
}

export function createAuthenticator(
  operatorToken: string,
  workerApi: WorkerApi,
  sessions: BrowserSessions,
): CallerAuthenticator {
  const expected = hashToken(operatorToken);

  function identifyToken(authorization: string): Caller {
    const [, token] = BEARER.exec(authorization) ?? [];
    if (token === undefined) throw refuseUnauthorised('The request has no bearer token.');
    // Compares digests, which have equal length. Neither the time nor the length of the comparison
    // then reveals anything about the token.
    if (timingSafeEqual(hashToken(token), expected)) return { is: 'operator' };
    const worker = workerApi.identify(token);
    if (worker === undefined) throw refuseUnauthorised('The token does not belong to this legion.');
    return { is: 'worker', worker };
  }

  function identifySession({ headers, method = '', socket }: IncomingMessage): Caller {
    const session = sessions.find(
      findSessionCookies(headers.cookie, socket.localPort),
      headers[KEY_HEADER]?.toString(),
    );
    if (session === undefined) {
      throw new LegionError('http.session_needed', 'This page is not logged in, or its session has ended.');
    }
    // Browsers always send an Origin header with these methods, and an earlier guard has already
    // checked the header's value.
    if (!SAFE_METHODS.includes(method) && headers.origin === undefined) {
      throw new LegionError('http.foreign_host', `A ${method} request from a page needs an Origin header.`);
    }
    return { is: 'operator', session };
  }

  return {
    identifyByToken: ({ headers }) => identifyToken(headers.authorization ?? ''),
    identifyByAnyProof(incoming) {
      const { authorization } = incoming.headers;
      if (authorization !== undefined) return identifyToken(authorization);
      if (hasLoginCode(incoming)) return { is: 'visitor' };
      return isFromBrowser(incoming) ? identifySession(incoming) : identifyToken('');
    },
  };
}

/**
 * Compares the request target exactly as it was sent. Only pages send an Origin header, and an
 * earlier guard has already checked the header's value.
 */
function hasLoginCode({ method, url, headers }: IncomingMessage): boolean {
  return method === 'POST' && url === '/session' && headers.origin !== undefined;
}

/**
 * Returns whether a browser sent the request. A browser has no token to send, so an error for it
 * must mention the session instead.
 */
function isFromBrowser({ headers, socket }: IncomingMessage): boolean {
  return (
    findSessionCookies(headers.cookie, socket.localPort).length > 0 ||
    [KEY_HEADER, 'origin', 'sec-fetch-site'].some((name) => headers[name] !== undefined)
  );
}

function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

function refuseUnauthorised(why: string): LegionError {
  return new LegionError('http.unauthorised', why);
}

/**
 * Returns the name of the session cookie. It contains the port, because all ports of a host share
 * cookies: with the same name, logging in to one legion would log the browser out of another.
 */
export function toCookieName(port: number | undefined): string {
  return `legion-${port}`;
}

/**
 * Returns every value of the cookie, because another server on this machine may have set a cookie
 * of the same name.
 */
function findSessionCookies(header: string | undefined, port: number | undefined): readonly string[] {
  const begin = `${toCookieName(port)}=`;
  return (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(begin))
    .map((pair) => pair.slice(begin.length));
}
