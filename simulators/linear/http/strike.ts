/** The answer of a request that was struck: a status, silence, a reset, a limit, an error, or half of an answer. */
import { type GraphqlAnswer, writeError } from '../graphql/answer.ts';
import { isRefusalType, LinearRefusal } from '../model/refusal.ts';
import type { NextFault } from '../simulator.ts';
import type { Answer } from './answer.ts';
import { broken } from './answer.ts';

/** `silence`: the connection stays open and nothing comes; `reset`: it is broken off. */
export type Unanswered = 'silence' | 'reset';

export function strike(
  fault: NextFault['answer'],
  now: number,
  headers: Readonly<Record<string, string>>,
): Answer | Unanswered {
  if ('timeout' in fault) return 'silence';
  if ('reset' in fault) return 'reset';
  if ('status' in fault) return broken(fault.status);
  if ('partial' in fault || 'nulled' in fault) return { status: 200, headers, body: halved({}) };
  if ('rateLimit' in fault) {
    return limited(fault.rateLimit, {
      ...headers,
      [`x-ratelimit-${fault.rateLimit}-remaining`]: '0',
      [`x-ratelimit-${fault.rateLimit}-reset`]: String(now + fault.resetsInSeconds * 1000),
    });
  }
  const type = isRefusalType(fault.errorType) ? fault.errorType : 'unknown';
  const refusal = new LinearRefusal(type, fault.message ?? fault.errorType);
  const status = type === 'authentication error' ? 401 : type === 'ratelimited' ? 400 : 200;
  return { status, headers, body: { data: null, errors: [writeError(refusal)] } };
}

/** As Linear documents it: status 400, not 429. */
export function limited(
  resource: 'requests' | 'complexity',
  headers: Readonly<Record<string, string>>,
): Answer {
  const what = resource === 'requests' ? 'requests' : 'query complexity';
  const refusal = new LinearRefusal(
    'ratelimited',
    'Rate limit exceeded',
    `Rate limit exceeded. Only a limited number of ${what} is allowed per 1 hour.`,
  );
  return { status: 400, headers, body: { errors: [writeError(refusal)] } };
}

/** Data for some, an error beside it: the last of the first list is missing, or else the last of what was asked. */
export function halved({ data, errors = [] }: GraphqlAnswer): GraphqlAnswer {
  const copy = structuredClone(data ?? {});
  const path = loseOne(copy) ?? loseLast(copy);
  const error = writeError(new LinearRefusal('internal error', 'Internal server error'));
  return { data: copy, errors: [...errors, { ...error, path }] };
}

export function nulled(answer: GraphqlAnswer, path: string): GraphqlAnswer {
  const data: Record<string, unknown> = structuredClone(answer.data ?? {});
  const names = path.split('.');
  const last = names.pop() ?? '';
  const parent = names.reduce<Record<string, unknown>>(
    (value, name) => value[name] as Record<string, unknown>,
    data,
  );
  parent[last] = null;
  return { ...answer, data };
}

/** Linear's lists hold no nulls, so what is lost leaves no gap. */
function loseOne(value: object, path: readonly (string | number)[] = []): (string | number)[] | undefined {
  for (const [key, inner] of Object.entries(value)) {
    if (key === 'nodes' && Array.isArray(inner) && inner.length > 0) {
      inner.pop();
      return [...path, key, inner.length];
    }
    const found = typeof inner === 'object' && inner !== null ? loseOne(inner, [...path, key]) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

function loseLast(data: Record<string, unknown>): string[] {
  const last = Object.keys(data).at(-1);
  if (last === undefined) return [];
  data[last] = null;
  return [last];
}
