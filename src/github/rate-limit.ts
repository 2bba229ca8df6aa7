/** Whether an answer says that an account must wait, for which of the two APIs, and until when. */
import { complaintsIn, saidIn } from './said-in.ts';
import type { Answer } from './transport.ts';

export type Api = 'graphql' | 'rest';

export interface RateLimit {
  /** GitHub counts its two APIs apart, but its secondary limits hold for both. */
  readonly apis: readonly Api[];
  readonly until: number;
}

/** GitHub's advice for a secondary limit that names no time. */
const UNNAMED_WAIT_MS = 60_000;
/** GitHub counts in windows of an hour; a header that says more is wrong, and asking once an hour is cheap. */
const LONGEST_WAIT_MS = 3_600_000;
/** Times are whole seconds: asking in the same one would only be refused again. */
const SHORTEST_WAIT_MS = 1_000;

/** Newer answers say RATE_LIMIT where the documentation says RATE_LIMITED. */
const LIMITED_TYPES: ReadonlySet<string | undefined> = new Set(['RATE_LIMITED', 'RATE_LIMIT']);
const SECONDARY = /secondary rate limit|abuse detection/i;
const PRIMARY = /API rate limit (?:already )?exceeded/i;

export function rateLimitIn(answer: Answer, api: Api, now: number): RateLimit | undefined {
  const { status, headers } = answer;
  const refused = status === 403 || status === 429;
  const complaints = complaintsIn(answer);
  // A sentence alone counts only where something was refused: titles of issues are among GitHub's words as well.
  const says = refused || (complaints.length > 0 && api === 'graphql') ? saidIn(answer) : '';
  if (SECONDARY.test(says)) return limit(['graphql', 'rest'], answer, now);
  const exhausted = refused && headers['x-ratelimit-remaining'] === '0';
  if (exhausted || PRIMARY.test(says) || complaints.some(({ type }) => LIMITED_TYPES.has(type)))
    return { apis: [api], until: bounded(afterHeader(answer, now) ?? resetIn(answer, now), now) };
  if (status === 429 || (refused && headers['retry-after'] !== undefined))
    return limit(['graphql', 'rest'], answer, now);
  return undefined;
}

/** The last answer before a limit already says that nothing is left; GitHub asks to stop there. */
export function exhaustedBy(answer: Answer, now: number): RateLimit | undefined {
  const { 'x-ratelimit-remaining': remaining, 'x-ratelimit-resource': resource } = answer.headers;
  const api = resource === 'graphql' ? 'graphql' : resource === 'core' ? 'rest' : undefined;
  const until = resetIn(answer, now);
  if (remaining !== '0' || api === undefined || until === undefined || until <= now) return undefined;
  return { apis: [api], until: bounded(until, now) };
}

function limit(apis: readonly Api[], answer: Answer, now: number): RateLimit {
  const exhausted = answer.headers['x-ratelimit-remaining'] === '0';
  const until = afterHeader(answer, now) ?? (exhausted ? resetIn(answer, now) : undefined);
  return { apis, until: bounded(until, now) };
}

function bounded(until: number | undefined, now: number): number {
  const wait = (until ?? now + UNNAMED_WAIT_MS) - now;
  return now + Math.min(Math.max(wait, SHORTEST_WAIT_MS), LONGEST_WAIT_MS);
}

function afterHeader({ headers }: Answer, now: number): number | undefined {
  const seconds = Number(headers['retry-after'] ?? Number.NaN);
  return Number.isFinite(seconds) ? now + seconds * 1_000 : undefined;
}

/** On our clock: GitHub's `date` tells how far ours is from theirs. */
export function resetIn({ headers }: Answer, now: number): number | undefined {
  const reset = Number(headers['x-ratelimit-reset'] ?? Number.NaN) * 1_000;
  if (!Number.isFinite(reset)) return undefined;
  const { date = '' } = headers;
  const theirs = Date.parse(date);
  return Number.isNaN(theirs) ? reset : now + (reset - theirs);
}
