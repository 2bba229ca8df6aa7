/** Sends one HTTP request to GitHub and resolves to its whole answer, whatever its status. */
import { request } from '@octokit/request';
import { LegionError } from '../core/model/fault.ts';
import { FetchError, openBoundedFetch } from '../lib/bounded-fetch.ts';
import { quoteAnswer } from '../lib/text/redact.ts';
import type { Variables } from './client.ts';

/** GitHub itself gives up after 10 s; slow networks and queues in front of it get the rest. */
const REQUEST_TIMEOUT_MS = 30_000;

/** A page of 100 issues with bodies as long as GitHub allows is 26 MB; more is not held in memory. */
const ANSWER_MAX_BYTES = 64 * 1024 * 1024;

/** The version of the REST API that the adapters are written for. */
const API_VERSION = '2022-11-28';

export interface Outgoing {
  /** `GET /repos/{owner}/{repo}` or with a whole address. */
  readonly route: string;
  readonly parameters: Variables;
  readonly etag?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly data: unknown;
}

export interface Transport {
  /** Rejects with `github.unavailable` when no whole answer comes, or with the reason of the signal. */
  send(outgoing: Outgoing, secret: string): Promise<Answer>;
  /** Resolves when no request is under way. */
  idle(): Promise<void>;
}

export interface TransportOptions {
  readonly rest: string;
  /** Ends requests under way, and refuses later ones, when aborted. */
  readonly closing: AbortSignal;
  readonly timeoutMs?: number | undefined;
}

export function openTransport({
  rest,
  closing,
  timeoutMs = REQUEST_TIMEOUT_MS,
}: TransportOptions): Transport {
  const bounded = openBoundedFetch({ maxBytes: ANSWER_MAX_BYTES, timeoutMs, closing });
  const ask = request.defaults({
    baseUrl: rest,
    headers: { 'user-agent': 'legion', 'x-github-api-version': API_VERSION },
    request: { fetch: bounded.send, log: SILENT },
  });

  return {
    async send({ route, parameters, etag, signal }, secret) {
      try {
        const { status, headers, data } = await ask(route, {
          ...parameters,
          headers: { authorization: `Bearer ${secret}`, 'if-none-match': etag },
          // A redirected POST becomes a GET: it would look done without being done.
          request: { ...(signal && { signal }), redirect: route.startsWith('GET ') ? 'follow' : 'manual' },
        });
        return { status, headers: headers as Answer['headers'], data };
      } catch (error) {
        signal?.throwIfAborted();
        closing.throwIfAborted();
        return answerOf(error) ?? raise(error, secret);
      }
    },
    idle: bounded.idle,
  };
}

/** Octokit throws answers from 304 on; to us they are answers. */
function answerOf(error: unknown): Answer | undefined {
  const { response } = error as { readonly response?: Answer };
  return response === undefined
    ? undefined
    : { status: response.status, headers: response.headers, data: response.data };
}

/** Drops Octokit's error instead of keeping it as the cause: it holds the whole request. */
function raise(error: unknown, secret: string): never {
  const { cause, message } = error as Error;
  const says = cause instanceof FetchError ? cause.message : `could not be asked: ${message}`;
  throw new LegionError('github.unavailable', `GitHub ${quoteAnswer(says, [secret])}`);
}

/** Octokit would warn on the terminal about deprecated routes. */
const SILENT = { warn: () => {} };
