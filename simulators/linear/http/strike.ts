/**
 * Builds the response for an injected fault: a status, silence, a reset, a limit, an error, or a
 * partial response.
 */
import { type GraphqlAnswer, writeError } from '../graphql/answer.ts';
import { isRefusalType, LinearRefusal } from '../model/refusal.ts';
import type { NextFault } from '../simulator.ts';
import { type LinearHttpResponse, toBrokenResponse } from './answer.ts';

/** `silence` keeps the connection open and sends nothing. `reset` breaks it. */
export type UnansweredOutcome = 'silence' | 'reset';

export function toFaultResponse(
  fault: NextFault['answer'],
  now: number,
  headers: Readonly<Record<string, string>>,
): LinearHttpResponse | UnansweredOutcome {
  if ('timeout' in fault) return 'silence';
  if ('reset' in fault) return 'reset';
  if ('status' in fault) return toBrokenResponse(fault.status);
  if ('partial' in fault || 'nulled' in fault) return { status: 200, headers, body: toPartialAnswer({}) };
  if ('rateLimit' in fault) {
    return toRateLimitResponse(fault.rateLimit, {
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

/** Uses status 400, not 429, as Linear documents. */
export function toRateLimitResponse(
  resource: 'requests' | 'complexity',
  headers: Readonly<Record<string, string>>,
): LinearHttpResponse {
  const what = resource === 'requests' ? 'requests' : 'query complexity';
  const refusal = new LinearRefusal(
    'ratelimited',
    'Rate limit exceeded',
    `Rate limit exceeded. Only a limited number of ${what} is allowed per 1 hour.`,
  );
  return { status: 400, headers, body: { errors: [writeError(refusal)] } };
}

/**
 * Returns partial data with an error: drops the last entry of the first list, or the last selected
 * field if there is no list.
 */
export function toPartialAnswer({ data, errors = [] }: GraphqlAnswer): GraphqlAnswer {
  const copy = structuredClone(data ?? {});
  const path = removeOneNode(copy) ?? clearLastField(copy);
  const error = writeError(new LinearRefusal('internal error', 'Internal server error'));
  return { data: copy, errors: [...errors, { ...error, path }] };
}

export function clearPath(answer: GraphqlAnswer, path: string): GraphqlAnswer {
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

/** Removes the entry, because Linear's lists contain no nulls. */
function removeOneNode(
  value: object,
  path: readonly (string | number)[] = [],
): (string | number)[] | undefined {
  for (const [key, inner] of Object.entries(value)) {
    if (key === 'nodes' && Array.isArray(inner) && inner.length > 0) {
      inner.pop();
      return [...path, key, inner.length];
    }
    const found =
      typeof inner === 'object' && inner !== null ? removeOneNode(inner, [...path, key]) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

function clearLastField(data: Record<string, unknown>): string[] {
  const last = Object.keys(data).at(-1);
  if (last === undefined) return [];
  data[last] = null;
  return [last];
}
