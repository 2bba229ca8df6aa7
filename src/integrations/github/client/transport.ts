/**
 * Sends one HTTP request to GitHub and returns the complete response, whatever its status. Also
 * limits concurrent requests, and derives the server's addresses from its URL.
 */
import { request } from '@octokit/request';
import type { Clock } from '../../../core/model/clock.ts';
import { LegionError } from '../../../core/model/fault.ts';
import { createSemaphore, type Semaphore } from '../../../lib/async/mutex.ts';
import { FetchError, openBoundedFetch } from '../../../lib/bounded-fetch.ts';
import { quoteAnswer } from '../../../lib/text/redact.ts';
import type { GithubRequest, GithubResponse } from './client.ts';

/** GitHub itself gives up after 10 s. The rest of the time allows for slow networks and proxies. */
const REQUEST_TIMEOUT_MS = 30_000;

/**
 * A page of 100 issues with bodies of maximum length is 26 MB. Larger responses are not held in
 * memory.
 */
const ANSWER_MAX_BYTES = 64 * 1024 * 1024;

/** The REST API version that the adapters are written for. */
const API_VERSION = '2022-11-28';

export interface GithubTransport {
  /** Rejects with `github.unavailable` if no complete response arrives, or with the signal's reason. */
  send(outgoing: GithubRequest, secret: string): Promise<GithubResponse>;
  /** Resolves when no request is in flight. */
  idle(): Promise<void>;
}

export interface TransportOptions {
  readonly rest: string;
  /** When aborted, cancels requests in flight and rejects later ones. */
  readonly closing: AbortSignal;
  readonly timeoutMs?: number | undefined;
}

export function openTransport({
  rest,
  closing,
  timeoutMs = REQUEST_TIMEOUT_MS,
}: TransportOptions): GithubTransport {
  const bounded = openBoundedFetch({ maxBytes: ANSWER_MAX_BYTES, timeoutMs, closing });
  const sendRequest = request.defaults({
    baseUrl: rest,
    headers: { 'user-agent': 'legion', 'x-github-api-version': API_VERSION },
    request: { fetch: bounded.send, log: SILENT },
  });

  return {
    async send({ route, parameters, etag, signal }, secret) {
      try {
        const { status, headers, data } = await sendRequest(route, {
          ...parameters,
          headers: { authorization: `Bearer ${secret}`, 'if-none-match': etag },
          // A redirected POST would become a GET, which appears to succeed but has no effect.
          request: { ...(signal && { signal }), redirect: route.startsWith('GET ') ? 'follow' : 'manual' },
        });
        return { status, headers: headers as GithubResponse['headers'], data };
      } catch (error) {
        signal?.throwIfAborted();
        closing.throwIfAborted();
        return findResponse(error) ?? throwTransportFault(error, secret);
      }
    },
    idle: bounded.idle,
  };
}

/** Octokit throws for status 304 and above, but Legion treats these as responses. */
function findResponse(error: unknown): GithubResponse | undefined {
  const { response } = error as { readonly response?: GithubResponse };
  return response === undefined
    ? undefined
    : { status: response.status, headers: response.headers, data: response.data };
}

/**
 * Drops Octokit's error instead of keeping it as the cause, because it contains the whole request.
 */
function throwTransportFault(error: unknown, secret: string): never {
  const { cause, message } = error as Error;
  const text = cause instanceof FetchError ? cause.message : `could not be reached: ${message}`;
  throw new LegionError('github.unavailable', `GitHub ${quoteAnswer(text, [secret])}`);
}

/** Suppresses Octokit's terminal warnings about deprecated routes. */
const SILENT = { warn: () => {} };

/**
 * GitHub recommends serial requests. Allowing a few at once keeps a long log download from blocking
 * the board.
 */
const READS_AT_ONCE = 4;

/**
 * GitHub recommends one second between writes. 60 a minute stays below its limit of 80
 * content-creating requests a minute. Legion usually writes less often than that, so only bursts of
 * writes have to wait.
 */
const WRITE_SPACING_MS = 1_000;

export interface RequestLanes {
  readonly read: Semaphore;
  readonly write: Semaphore;
}

export interface LaneOptions {
  readonly clock: Clock;
  readonly writeSpacingMs?: number | undefined;
  /** When aborted, queued writes stop waiting. */
  readonly closing: AbortSignal;
}

/** Limits concurrent requests to GitHub: writes run one after another, reads a few at a time. */
export function openLanes({ clock, closing, writeSpacingMs = WRITE_SPACING_MS }: LaneOptions): RequestLanes {
  const reads = createSemaphore(READS_AT_ONCE);
  const writes = createSemaphore(1);
  let mayWriteAt = Number.NEGATIVE_INFINITY;

  async function waitForSpacing(signal: AbortSignal | undefined): Promise<void> {
    const wait = mayWriteAt - clock.monotonic();
    if (wait > 0) {
      const ended = AbortSignal.any(signal === undefined ? [closing] : [closing, signal]);
      // Rethrows the signal's reason instead of the sleep's own error.
      await clock.sleep(wait, ended).catch(() => ended.throwIfAborted());
    }
    mayWriteAt = clock.monotonic() + writeSpacingMs;
  }

  return {
    read: reads,
    write: (work, signal) =>
      writes(async () => {
        await waitForSpacing(signal);
        return work();
      }, signal),
  };
}

export interface GithubAddresses {
  /** Without a trailing slash. */
  readonly web: string;
  readonly host: string;
  readonly rest: string;
  readonly graphql: string;
}

/** Loopback traffic cannot be intercepted, so tokens are safe even without HTTPS. */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

export function parseAddresses(url: string): GithubAddresses {
  const { protocol, hostname, host, pathname } = parseUrl(url);
  if (protocol !== 'https:' && !(protocol === 'http:' && LOOPBACK.test(hostname)))
    throw createUrlFault('must begin with https://, because tokens are sent there');
  if (host === 'github.com')
    return {
      web: 'https://github.com',
      host,
      rest: 'https://api.github.com',
      graphql: 'https://api.github.com/graphql',
    };
  const web = `${protocol}//${host}${pathname.replace(/\/+$/, '')}`;
  return { web, host, rest: `${web}/api/v3`, graphql: `${web}/api/graphql` };
}

function parseUrl(url: string): URL {
  const parsed = URL.parse(url);
  if (parsed === null) throw createUrlFault('is not an address such as https://github.com');
  // A user name or password in the address would appear in every message that shows the address.
  if (parsed.username !== '' || parsed.password !== '' || parsed.search !== '' || parsed.hash !== '')
    throw createUrlFault('must be a plain address such as https://github.com');
  return parsed;
}

function createUrlFault(problem: string): LegionError {
  return new LegionError('config.invalid', `github.url ${problem}`);
}
