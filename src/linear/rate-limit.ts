/** What Linear's headers say about its limits: what is left, and when somebody who was refused may ask again. */
import type { ApiBudget } from '../core/model/api-budget.ts';

/** Where no header says when: Linear's buckets are refilled all the time, so a minute gives some back. */
const UNNAMED_WAIT_MS = 60_000;
/** Linear counts by the hour; a header that says more is wrong, and asking once an hour is cheap. */
const LONGEST_WAIT_MS = 3_600_000;
/** Clocks differ; asking in the same second would only be refused again. */
const SHORTEST_WAIT_MS = 1_000;

/** What counts for everything an account asks. */
const ALWAYS = ['requests', 'complexity'];
/** Some operations have a limit of their own, which tells nothing about the others. */
const ALL = [...ALWAYS, 'endpoint-requests'];

/** Of requests and complexity the one of which the smaller share is left. */
export function budgetIn(headers: Headers, now: number): ApiBudget | undefined {
  return scarcest(bucketsIn(headers, ALWAYS, now));
}

/**
 * `Retry-After` where it is there, else the end of whatever has run out. A single costly query may be refused while something is
 * left: then it is what is scarcest that it has to wait for.
 */
export function retryAtIn(headers: Headers, now: number): number {
  const buckets = bucketsIn(headers, ALL, now);
  const ends = buckets.filter(({ remaining }) => remaining === 0).map(({ resetsAt }) => resetsAt);
  const until =
    afterHeader(headers, now) ?? (ends.length > 0 ? Math.max(...ends) : scarcest(buckets)?.resetsAt);
  const wait = (until ?? now + UNNAMED_WAIT_MS) - now;
  return now + Math.min(Math.max(wait, SHORTEST_WAIT_MS), LONGEST_WAIT_MS);
}

function bucketsIn(headers: Headers, kinds: readonly string[], now: number): readonly ApiBudget[] {
  return kinds.flatMap((kind) => {
    const read = (what: string) => count(headers.get(`x-ratelimit-${kind}-${what}`));
    const [limit, remaining, reset] = [read('limit'), read('remaining'), read('reset')];
    if (limit === undefined || limit === 0 || remaining === undefined || reset === undefined) return [];
    return [{ limit, remaining, resetsAt: onOurClock(reset, headers, now), evenly: true }];
  });
}

function scarcest(buckets: readonly ApiBudget[]): ApiBudget | undefined {
  return buckets.toSorted((a, b) => a.remaining / a.limit - b.remaining / b.limit)[0];
}

/** The answer's `date` tells how far our clock is from theirs. */
function onOurClock(reset: number, headers: Headers, now: number): number {
  const theirs = Date.parse(headers.get('date') ?? '');
  return Number.isNaN(theirs) ? reset : now + (reset - theirs);
}

function afterHeader(headers: Headers, now: number): number | undefined {
  const seconds = count(headers.get('retry-after'));
  return seconds === undefined ? undefined : now + seconds * 1_000;
}

/** A number of milliseconds since 1970 has thirteen digits for the next two centuries. */
function count(text: string | null): number | undefined {
  return text !== null && /^\d{1,13}$/.test(text) ? Number(text) : undefined;
}
