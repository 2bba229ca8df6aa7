/** One request to the daemon, as a promise of its answer or an ApiError. */
import { key } from '../session/key.ts';
import { faultIn, misunderstood, unreachable } from './api-error.ts';

/** A daemon on this machine answers in milliseconds; one that reads a slow forge may take a while. */
const PATIENCE_MS = 30_000;

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * The type is trusted, for the page comes from the same daemon; `expected` is a cheap look at the answer's outermost shape,
 * which catches a daemon of another version. (Zod would check all of it and weigh more than the whole rest of the page.)
 */
export async function request<T>(
  method: Method,
  path: string,
  expected: Shape,
  { body, signal }: { readonly body?: unknown; readonly signal?: AbortSignal | undefined } = {},
): Promise<T> {
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
  return value as T;
}

/** A list, or an object with at least these fields. */
export type Shape = 'list' | readonly string[];

function fits(value: unknown, expected: Shape): boolean {
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
