/**
 * Represents a GitHub account that Legion uses (its tokens, scopes, remaining budget and rate
 * limits), and defines the names of accounts.
 */

import type { ApiBudget } from '../../../core/model/api-budget.ts';
import type { Clock } from '../../../core/model/clock.ts';
import { LegionError } from '../../../core/model/fault.ts';
import { quoteAnswer } from '../../../lib/text/redact.ts';
import { extractErrorText } from './answer-fault.ts';
import type { GithubResponse, GithubRole, TokenSource } from './client.ts';
import { isSameLogin } from './client.ts';
import {
  createLimitFault,
  findExhaustion,
  findRateLimit,
  type GithubApi,
  type RateLimit,
  readResetTime,
} from './rate-limit.ts';

export type AccountName = 'legion' | GithubRole;

export interface GithubAccount {
  readonly name: AccountName;
  readonly source: TokenSource;
  /**
   * Returns the error for a rate limit that is still in force. Until the limit ends, no request may
   * be sent, because GitHub bans clients that ignore a limit.
   */
  findActiveLimit(api: GithubApi): LegionError | undefined;
  /** Records the account data in a response. Returns an error if the response reports a rate limit. */
  recordResponse(answer: GithubResponse, api: GithubApi, secret: string): LegionError | undefined;
  /** Records a rate limit that was reported while the App requested a token. */
  recordLimit(error: unknown): void;
  budget(): ApiBudget | undefined;
  /**
   * Returns the scopes of a classic token, as of the last response. Undefined for other kinds of
   * token.
   */
  scopes(): readonly string[] | undefined;
}

interface ActiveLimit {
  readonly fault: LegionError;
  /**
   * Time on the monotonic clock, so that the limit ends even if the machine's clock is set back.
   */
  readonly ends: number;
}

export function openAccount(name: AccountName, source: TokenSource, clock: Clock): GithubAccount {
  const inForce = new Map<GithubApi, ActiveLimit>();
  let budget: ApiBudget | undefined;
  let scopes: readonly string[] | undefined;

  function applyLimit({ apis, until }: RateLimit, fault: LegionError): LegionError {
    const ends = clock.monotonic() + (until - clock.now());
    // If concurrent responses report different end times, keeps the later one.
    for (const api of apis) if ((inForce.get(api)?.ends ?? 0) < ends) inForce.set(api, { fault, ends });
    return fault;
  }

  return {
    name,
    source,
    budget: () => budget,
    scopes: () => scopes,
    findActiveLimit(api) {
      const limit = inForce.get(api);
      if (limit === undefined) return undefined;
      if (clock.monotonic() < limit.ends) return limit.fault;
      inForce.delete(api);
      return undefined;
    },
    recordLimit(error) {
      if (!(error instanceof LegionError) || error.code !== 'github.rate_limited') return;
      if (error.retryAt !== undefined) applyLimit({ apis: ['graphql', 'rest'], until: error.retryAt }, error);
    },
    recordResponse(answer, api, secret) {
      const now = clock.now();
      budget = readBudget(answer, now) ?? budget;
      scopes = readScopes(answer) ?? scopes;
      const limit = findRateLimit(answer, api, now);
      if (limit !== undefined)
        return applyLimit(
          limit,
          createLimitFault(limit, name, quoteAnswer(extractErrorText(answer), [secret])),
        );
      const exhausted = findExhaustion(answer, now);
      if (exhausted !== undefined)
        applyLimit(exhausted, createLimitFault(exhausted, name, 'its budget is used up'));
      return undefined;
    },
  };
}

function readBudget(answer: GithubResponse, now: number): ApiBudget | undefined {
  const { headers } = answer;
  if (headers['x-ratelimit-resource'] !== 'graphql') return undefined;
  const limit = parseCount(headers['x-ratelimit-limit']);
  const remaining = parseCount(headers['x-ratelimit-remaining']);
  const resetsAt = readResetTime(answer, now);
  if (limit === undefined || remaining === undefined || resetsAt === undefined) return undefined;
  return { limit, remaining, resetsAt };
}

function parseCount(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

function readScopes({ headers }: GithubResponse): readonly string[] | undefined {
  return headers['x-oauth-scopes']
    ?.split(',')
    .map((scope) => scope.trim())
    .filter((scope) => scope !== '');
}

export function isOneOf(login: string, logins: readonly string[]): boolean {
  return logins.some((each) => isSameLogin(each, login));
}
