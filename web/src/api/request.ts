/** One request to the daemon, as a promise of its answer or an ApiError. */
import type { EndpointArguments, EndpointResponse } from '../../../src/protocol/endpoint.ts';
import type { EndpointByRoute } from '../../../src/protocol/endpoints/by-route.ts';
import { toTarget } from '../../../src/protocol/request-target.ts';
import { key } from '../session/key.ts';
import { faultIn, misunderstood, unreachable } from './api-error.ts';

/** A daemon on this machine answers in milliseconds; one that reads a slow forge may take a while. */
const PATIENCE_MS = 30_000;

/** A request to one endpoint of the daemon, ready to be sent. */
export interface Call<Answer> {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  /** Only a type, never a value: what `request` resolves to. */
  readonly answer?: Answer;
}

/** As in `call('POST /issues/:id/move', { params: { id }, body: { status } })`. */
export function call<R extends keyof EndpointByRoute>(
  route: R,
  ...[parts]: EndpointArguments<EndpointByRoute[R]>
): Call<EndpointResponse<EndpointByRoute[R]>> {
  const [method = '', path = ''] = route.split(' ');
  return { method, path: toTarget(path, parts?.params, parts?.query), body: parts?.body };
}

/**
 * Trusts the type, for the page comes from the same daemon; `expected` checks only the outermost shape of the answer,
 * which catches a daemon of another version. (Zod would weigh more than the rest of the page.)
 */
export async function request<Answer>(
  { method, path, body }: Call<Answer>,
  expected: Shape<Answer>,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<Answer> {
  const patience = AbortSignal.timeout(PATIENCE_MS);
  const init: RequestInit = {
    method,
    headers: headersFor(body !== undefined),
    credentials: 'same-origin',
    cache: 'no-store',
    signal: signal === undefined ? patience : AbortSignal.any([signal, patience]),
  };
  if (body !== undefined) init.body = JSON.stringify(body);

  const answer = await fetch(path, init).catch((error: unknown) => {
    if (signal?.aborted === true) throw error; // whoever asked has left
    throw unreachable(error);
  });
  const value: unknown = await answer.json().catch(() => undefined);
  if (!answer.ok) throw faultIn(answer.status, value);
  if (!fits(value, expected)) throw misunderstood(`${method} ${path}`);
  return value as Answer;
}

/** A list, or an object with at least these fields. */
type Shape<Answer> = Answer extends readonly unknown[] ? 'list' : readonly (keyof Answer & string)[];

function fits(value: unknown, expected: 'list' | readonly string[]): boolean {
  if (expected === 'list') return Array.isArray(value);
  return typeof value === 'object' && value !== null && expected.every((field) => field in value);
}

/** The key goes beside the cookie: neither alone opens anything. */
export function headersFor(hasBody: boolean): Record<string, string> {
  const mine = key.read();
  return {
    accept: 'application/json',
    ...(hasBody ? { 'content-type': 'application/json' } : {}),
    ...(mine === null ? {} : { 'x-legion-key': mine }),
  };
}
