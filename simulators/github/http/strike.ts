/** The answer of a request that was struck: a status, silence, a reset, or a limit. */
import type { NextFault } from '../simulator.ts';
import { type Answer, broken, message } from './answer.ts';
import type { Resource } from './points.ts';
import type { Desk } from './server.ts';

/** `silence`: the connection stays open and nothing comes; `reset`: it is broken off. */
export type Unanswered = 'silence' | 'reset';

export function strike(
  fault: NextFault['answer'],
  desk: Desk,
  resource: Resource,
  login: string,
  headers: Readonly<Record<string, string>>,
): Answer | Unanswered {
  if ('timeout' in fault) return 'silence';
  if ('reset' in fault) return 'reset';
  if ('status' in fault) return broken(fault.status);
  if ('partial' in fault) return broken(502); // the REST API knows no halves
  if (fault.rateLimit === 'secondary') {
    return message(
      403,
      'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.',
      { ...headers, 'retry-after': String(fault.retryAfterSeconds) },
    );
  }
  const text = `API rate limit exceeded for user ID ${desk.world.account(login).databaseId}.`;
  const exhausted = {
    ...headers,
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': String(desk.world.now() + fault.retryAfterSeconds),
  };
  if (resource === 'core') return message(403, text, exhausted);
  return { status: 200, headers: exhausted, body: { errors: [{ type: 'RATE_LIMITED', message: text }] } };
}
