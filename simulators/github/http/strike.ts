/** Builds the response for an injected fault: a status, silence, a reset, or a limit. */
import type { NextFault } from '../simulator.ts';
import { type GithubHttpResponse, toBrokenResponse, toMessageResponse } from './answer.ts';
import type { RateLimitResource } from './points.ts';
import type { GithubServerContext } from './server.ts';

/** `silence` keeps the connection open and sends nothing. `reset` breaks it. */
export type UnansweredOutcome = 'silence' | 'reset';

export function toFaultResponse(
  fault: NextFault['answer'],
  desk: GithubServerContext,
  resource: RateLimitResource,
  login: string,
  headers: Readonly<Record<string, string>>,
): GithubHttpResponse | UnansweredOutcome {
  if ('timeout' in fault) return 'silence';
  if ('reset' in fault) return 'reset';
  if ('status' in fault) return toBrokenResponse(fault.status);
  if ('partial' in fault) return toBrokenResponse(502); // the REST API has no partial responses
  if (fault.rateLimit === 'secondary') {
    return toMessageResponse(
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
  if (resource === 'core') return toMessageResponse(403, text, exhausted);
  return { status: 200, headers: exhausted, body: { errors: [{ type: 'RATE_LIMITED', message: text }] } };
}
