/** Sends one request to the daemon and resolves to its response or rejects with an ApiError. */
import type { EndpointArguments, EndpointResponse } from '../../../src/protocol/endpoint.ts';
import type { EndpointByRoute } from '../../../src/protocol/endpoints/by-route.ts';
import { toRequestTarget } from '../../../src/protocol/request-target.ts';
import { sessionKey } from '../session/key.ts';
import { parseApiError, toUnexpectedAnswerError, toUnreachableError } from './api-error.ts';

/** A local daemon answers in milliseconds, but may take longer while it reads from a slow forge. */
const MAX_REQUEST_MS = 30_000;

/** A request to one daemon endpoint, ready to be sent. */
export interface ApiCall<Answer> {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  /** Never set. Exists only so that TypeScript knows the type that `sendRequest` resolves to. */
  readonly answer?: Answer;
}

/**
 * Builds a request, for example `createCall('POST /issues/:id/move', { params, body: { status }
 * })`.
 */
export function createCall<R extends keyof EndpointByRoute>(
  route: R,
  ...[parts]: EndpointArguments<EndpointByRoute[R]>
): ApiCall<EndpointResponse<EndpointByRoute[R]>> {
  const [method = '', path = ''] = route.split(' ');
  return { method, path: toRequestTarget(path, parts?.params, parts?.query), body: parts?.body };
}

/**
 * Does not validate the response, because the page comes from the same daemon. `expected` checks
 * only the outermost shape, which detects a daemon of another version. (Zod would be larger than
 * the rest of the page.)
 */
export async function sendRequest<Answer>(
  { method, path, body }: ApiCall<Answer>,
  expected: ExpectedShape<Answer>,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<Answer> {
  const timeout = AbortSignal.timeout(MAX_REQUEST_MS);
  const init: RequestInit = {
    method,
    headers: buildHeaders(body !== undefined),
    credentials: 'same-origin',
    cache: 'no-store',
    signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
  };
  if (body !== undefined) init.body = JSON.stringify(body);

  const answer = await fetch(path, init).catch((error: unknown) => {
    if (signal?.aborted === true) throw error; // the caller has aborted
    throw toUnreachableError(error);
  });
  const value: unknown = await answer.json().catch(() => undefined);
  if (!answer.ok) throw parseApiError(answer.status, value);
  if (!hasShape(value, expected)) throw toUnexpectedAnswerError(`${method} ${path}`);
  return value as Answer;
}

/** A list, or an object with at least these fields. */
type ExpectedShape<Answer> = Answer extends readonly unknown[] ? 'list' : readonly (keyof Answer & string)[];

function hasShape(value: unknown, expected: 'list' | readonly string[]): boolean {
  if (expected === 'list') return Array.isArray(value);
  return typeof value === 'object' && value !== null && expected.every((field) => field in value);
}

/** Includes the session key, because the daemon requires both the key and the cookie. */
export function buildHeaders(hasBody: boolean): Record<string, string> {
  const key = sessionKey.read();
  return {
    accept: 'application/json',
    ...(hasBody ? { 'content-type': 'application/json' } : {}),
    ...(key === null ? {} : { 'x-legion-key': key }),
  };
}
