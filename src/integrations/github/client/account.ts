/** One account on GitHub as Legion uses it: its tokens, what it may do, what is left to it, and whether it must wait. */
import type { ApiBudget } from '../../../core/model/api-budget.ts';
import { LegionError } from '../../../core/model/fault.ts';
import type { Clock } from '../../../domain/clock.ts';
import { limitFault } from '../../../github/answer-fault.ts';
import type { Role } from '../../../github/client.ts';
import { type Api, exhaustedBy, type RateLimit, rateLimitIn, resetIn } from '../../../github/rate-limit.ts';
import { saidIn } from '../../../github/said-in.ts';
import type { TokenSource } from '../../../github/token-source.ts';
import type { Answer } from '../../../github/transport.ts';
import { quoteAnswer } from '../../../lib/text/redact.ts';

export type AccountName = 'legion' | Role;

export interface Account {
  readonly name: AccountName;
  readonly source: TokenSource;
  /** The fault of a limit that is still in force: GitHub bans who goes on asking. */
  limited(api: Api): LegionError | undefined;
  /** Takes in what an answer says about the account; the fault where that is a limit. */
  note(answer: Answer, api: Api, secret: string): LegionError | undefined;
  /** Takes in a limit that its App has met before there was a token to ask with. */
  heed(error: unknown): void;
  budget(): ApiBudget | undefined;
  /** Of a classic token, as of the last answer; other kinds have none. */
  scopes(): readonly string[] | undefined;
}

interface InForce {
  readonly fault: LegionError;
  /** On the clock that nobody sets: a limit ends although somebody sets the machine's clock back. */
  readonly ends: number;
}

export function openAccount(name: AccountName, source: TokenSource, clock: Clock): Account {
  const inForce = new Map<Api, InForce>();
  let budget: ApiBudget | undefined;
  let scopes: readonly string[] | undefined;

  function impose({ apis, until }: RateLimit, fault: LegionError): LegionError {
    const ends = clock.monotonic() + (until - clock.now());
    // A later answer of the same moment may name an earlier end.
    for (const api of apis) if ((inForce.get(api)?.ends ?? 0) < ends) inForce.set(api, { fault, ends });
    return fault;
  }

  return {
    name,
    source,
    budget: () => budget,
    scopes: () => scopes,
    limited(api) {
      const found = inForce.get(api);
      if (found === undefined) return undefined;
      if (clock.monotonic() < found.ends) return found.fault;
      inForce.delete(api);
      return undefined;
    },
    heed(error) {
      if (!(error instanceof LegionError) || error.code !== 'github.rate_limited') return;
      if (error.retryAt !== undefined) impose({ apis: ['graphql', 'rest'], until: error.retryAt }, error);
    },
    note(answer, api, secret) {
      const now = clock.now();
      budget = budgetIn(answer, now) ?? budget;
      scopes = scopesIn(answer) ?? scopes;
      const limit = rateLimitIn(answer, api, now);
      if (limit !== undefined)
        return impose(limit, limitFault(limit, name, quoteAnswer(saidIn(answer), [secret])));
      const exhausted = exhaustedBy(answer, now);
      if (exhausted !== undefined)
        impose(exhausted, limitFault(exhausted, name, 'nothing is left of its budget'));
      return undefined;
    },
  };
}

function budgetIn(answer: Answer, now: number): ApiBudget | undefined {
  const { headers } = answer;
  if (headers['x-ratelimit-resource'] !== 'graphql') return undefined;
  const limit = count(headers['x-ratelimit-limit']);
  const remaining = count(headers['x-ratelimit-remaining']);
  const resetsAt = resetIn(answer, now);
  if (limit === undefined || remaining === undefined || resetsAt === undefined) return undefined;
  return { limit, remaining, resetsAt };
}

function count(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

function scopesIn({ headers }: Answer): readonly string[] | undefined {
  return headers['x-oauth-scopes']
    ?.split(',')
    .map((scope) => scope.trim())
    .filter((scope) => scope !== '');
}
