/**
 * Detects from a response whether an account is rate limited, for which API, and until when. Builds
 * the fault for it.
 */
import { LegionError } from '../../../core/model/fault.ts';
import { extractErrorText, listErrorEntries, withColon } from './answer-fault.ts';
import type { GithubResponse } from './client.ts';

export type GithubApi = 'graphql' | 'rest';

export interface RateLimit {
  /**
   * APIs to which the limit applies. GitHub's two APIs have separate budgets, but secondary limits
   * apply to both.
   */
  readonly apis: readonly GithubApi[];
  readonly until: number;
}

/** GitHub's recommended wait if a secondary limit does not specify a time. */
const DEFAULT_WAIT_MS = 60_000;
/**
 * GitHub's windows last an hour. A longer wait must be a mistake, and sending one request an hour
 * is cheap.
 */
const MAX_WAIT_MS = 3_600_000;
/** GitHub's times are whole seconds, so a request in the same second would be rejected again. */
const MIN_WAIT_MS = 1_000;

/** Newer responses use RATE_LIMIT although the documentation says RATE_LIMITED. */
const LIMITED_TYPES: ReadonlySet<string | undefined> = new Set(['RATE_LIMITED', 'RATE_LIMIT']);
const SECONDARY = /secondary rate limit|abuse detection/i;
const PRIMARY = /API rate limit (?:already )?exceeded/i;

export function findRateLimit(answer: GithubResponse, api: GithubApi, now: number): RateLimit | undefined {
  const { status, headers } = answer;
  const refused = status === 403 || status === 429;
  const errors = listErrorEntries(answer);
  // The text is checked only if GitHub refused something, because a successful response may contain
  // issue titles that look like an error.
  const text = refused || (errors.length > 0 && api === 'graphql') ? extractErrorText(answer) : '';
  if (SECONDARY.test(text)) return buildRateLimit(['graphql', 'rest'], answer, now);
  const exhausted = refused && headers['x-ratelimit-remaining'] === '0';
  if (exhausted || PRIMARY.test(text) || errors.some(({ type }) => LIMITED_TYPES.has(type)))
    return {
      apis: [api],
      until: toBoundedTime(readRetryAfter(answer, now) ?? readResetTime(answer, now), now),
    };
  if (status === 429 || (refused && headers['retry-after'] !== undefined))
    return buildRateLimit(['graphql', 'rest'], answer, now);
  return undefined;
}

/** Detects that a successful response has used up the budget, as GitHub recommends. */
export function findExhaustion(answer: GithubResponse, now: number): RateLimit | undefined {
  const { 'x-ratelimit-remaining': remaining, 'x-ratelimit-resource': resource } = answer.headers;
  const api = resource === 'graphql' ? 'graphql' : resource === 'core' ? 'rest' : undefined;
  const until = readResetTime(answer, now);
  if (remaining !== '0' || api === undefined || until === undefined || until <= now) return undefined;
  return { apis: [api], until: toBoundedTime(until, now) };
}

function buildRateLimit(apis: readonly GithubApi[], answer: GithubResponse, now: number): RateLimit {
  const exhausted = answer.headers['x-ratelimit-remaining'] === '0';
  const until = readRetryAfter(answer, now) ?? (exhausted ? readResetTime(answer, now) : undefined);
  return { apis, until: toBoundedTime(until, now) };
}

function toBoundedTime(until: number | undefined, now: number): number {
  const wait = (until ?? now + DEFAULT_WAIT_MS) - now;
  return now + Math.min(Math.max(wait, MIN_WAIT_MS), MAX_WAIT_MS);
}

function readRetryAfter({ headers }: GithubResponse, now: number): number | undefined {
  const seconds = Number(headers['retry-after'] ?? Number.NaN);
  return Number.isFinite(seconds) ? now + seconds * 1_000 : undefined;
}

/** Converts the reset time to our clock, using GitHub's `date` header to compute the difference. */
export function readResetTime({ headers }: GithubResponse, now: number): number | undefined {
  const reset = Number(headers['x-ratelimit-reset'] ?? Number.NaN) * 1_000;
  if (!Number.isFinite(reset)) return undefined;
  const { date = '' } = headers;
  const serverTime = Date.parse(date);
  return Number.isNaN(serverTime) ? reset : now + (reset - serverTime);
}

/**
 * Builds the rate limit error. The end of the limit is in the message for people and in `retryAt`
 * for the reconcile loop. `why` must be safe to show.
 */
export function createLimitFault({ until }: RateLimit, account: string, why: string): LegionError {
  const time = new Date(until).toISOString();
  const message = `GitHub is not accepting requests from ${account} until ${time}${withColon(why)}`;
  return new LegionError('github.rate_limited', message, { retryAt: until });
}
