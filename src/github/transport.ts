/** One HTTP request to GitHub and its whole answer, bounded in time; what the answer means is for others to say. */
import { request } from '@octokit/request';
import { follow } from '../asking/follow.ts';
import { LegionError } from '../domain/fault.ts';
import type { Variables } from './client.ts';
import { said } from './said.ts';
import { wholeAnswer } from './whole-answer.ts';

/** GitHub itself gives up after 10 s; slow networks and queues in front of it get the rest. */
const REQUEST_TIMEOUT_MS = 30_000;

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
  /** Any answer, of whatever status; rejects with `github.unavailable` where there was none, or the reason of the signal. */
  send(outgoing: Outgoing, secret: string): Promise<Answer>;
  /** Resolves when nothing is under way. */
  idle(): Promise<void>;
}

export interface TransportOptions {
  readonly rest: string;
  /** Aborted, it ends what is under way, and nothing is sent any more. */
  readonly closing: AbortSignal;
  readonly timeoutMs?: number | undefined;
}

export function openTransport({
  rest,
  closing,
  timeoutMs = REQUEST_TIMEOUT_MS,
}: TransportOptions): Transport {
  const ask = request.defaults({
    baseUrl: rest,
    headers: { 'user-agent': 'legion' },
    request: { fetch: wholeAnswer, log: SILENT },
  });
  const under = new Set<Promise<unknown>>();

  async function send(outgoing: Outgoing, secret: string): Promise<Answer> {
    const ending = new AbortController();
    const late = setTimeout(
      () => ending.abort(unavailable(`did not answer within ${timeoutMs} ms`)),
      timeoutMs,
    );
    const unlink = [follow(ending, outgoing.signal), follow(ending, closing)];
    try {
      const { status, headers, data } = await ask(outgoing.route, {
        ...outgoing.parameters,
        headers: headersOf(outgoing, secret),
        // A redirected POST would become a GET: it would look done and not be.
        request: { signal: ending.signal, redirect: outgoing.route.startsWith('GET ') ? 'follow' : 'manual' },
      });
      return { status, headers: headers as Answer['headers'], data };
    } catch (error) {
      if (ending.signal.aborted) throw ending.signal.reason;
      return answerOf(error) ?? raise(error, secret);
    } finally {
      clearTimeout(late);
      for (const leave of unlink) leave();
    }
  }

  return {
    send(outgoing, secret) {
      const sent = send(outgoing, secret);
      const settled = sent.catch(() => {}).finally(() => under.delete(settled));
      under.add(settled);
      return sent;
    },
    async idle() {
      await Promise.all(under);
    },
  };
}

function headersOf({ etag }: Outgoing, secret: string): Record<string, string> {
  return {
    authorization: `Bearer ${secret}`,
    'x-github-api-version': API_VERSION,
    ...(etag !== undefined && { 'if-none-match': etag }),
  };
}

/** Octokit throws answers from 304 on; to us they are answers. */
function answerOf(error: unknown): Answer | undefined {
  const { response } = error as { readonly response?: Answer };
  return response === undefined
    ? undefined
    : { status: response.status, headers: response.headers, data: response.data };
}

/** Octokit's error is not kept as the cause: it holds the whole request. */
function raise(error: unknown, secret: string): never {
  const { cause, message } = error as Error;
  if (cause instanceof LegionError) throw cause;
  throw unavailable(`could not be asked: ${said(message, [secret])}`);
}

function unavailable(says: string): LegionError {
  return new LegionError('github.unavailable', `GitHub ${says}`);
}

/** Octokit would warn on the terminal about deprecated routes. */
const SILENT = { warn: () => {} };
