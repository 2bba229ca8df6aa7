/**
 * Parses Linear's responses and rate limits, and maps a response with errors or without data to a
 * fault.
 */
import { z } from 'zod';
import type { ApiBudget } from '../../../core/model/api-budget.ts';
import { type FaultCode, LegionError } from '../../../core/model/fault.ts';
import { parseJson } from '../../../lib/json.ts';
import { quoteAnswer } from '../../../lib/text/redact.ts';

export interface LinearRequestInfo {
  readonly write: boolean;
  /** The request's credential, which is redacted from messages. */
  readonly secret: string;
  readonly now: number;
}

export function toAnswerFault(answer: LinearAnswer, request: LinearRequestInfo): LegionError {
  const { status, headers } = answer;
  const errors = listErrorEntries(answer);
  const isPage = /html/i.test(headers.get('content-type') ?? '');
  const text = errors.map(({ message }) => message).join('; ') || (isPage ? '' : answer.text);
  const createFault = (code: FaultCode, message: string) =>
    new LegionError(code, `Linear ${quoteAnswer(message, [request.secret])}`);

  if (status >= 300 && status < 400)
    return createFault(
      'linear.unavailable',
      `answered ${status} with a redirect to ${headers.get('location') ?? 'nowhere'}. Legion does not send its key there. Check linear.url`,
    );
  // A proxy in front of Linear may respond with 429 and an HTML page. Such a response is still
  // treated as a rate limit.
  if (isPage && status !== 429)
    return createFault('linear.unavailable', `answered ${status} with an HTML page instead of data`);
  if (errors.length > 0 && request.write && isPartlyDone(answer, errors))
    return createFault('linear.unavailable', `applied the change only in part: ${text}`);
  const code = chooseFaultCode(status, errors);
  if (code === 'linear.rate_limited')
    return createLimitFault(computeRetryAt(headers, request.now), quoteAnswer(text, [request.secret]));
  if (errors.length > 0) return createFault(code, `says: ${text}`);
  return createFault(code, `answered ${status}${status < 300 ? ' without data' : ''}${withColon(text)}`);
}

/** States the end of the rate limit in the message for people and in `retryAt` for the daemon. */
function createLimitFault(retryAt: number, why: string): LegionError {
  const time = new Date(retryAt).toISOString();
  const message = `Linear is not accepting requests from this account until ${time}${withColon(why)}`;
  return new LegionError('linear.rate_limited', message, { retryAt });
}

const BY_STATUS: ReadonlyMap<number, FaultCode> = new Map([
  [401, 'linear.unauthorized'],
  [403, 'linear.forbidden'],
  [404, 'linear.missing'],
  [408, 'linear.unavailable'],
  [429, 'linear.rate_limited'],
]);

/** Prefers a rate limit, then a temporary error, then the first error that Linear reports. */
function chooseFaultCode(status: number, errors: readonly LinearErrorEntry[]): FaultCode {
  const codes = errors.map(toFaultCode);
  if (status === 429 || codes.includes('linear.rate_limited')) return 'linear.rate_limited';
  if (status >= 500 || codes.includes('linear.unavailable')) return 'linear.unavailable';
  const [first] = codes;
  if (first !== undefined) return first;
  return BY_STATUS.get(status) ?? (status >= 400 ? 'linear.refused' : 'linear.unavailable');
}

/** Every error type of Linear's SDK except `other` and `unknown`, which carry no information. */
const BY_TYPE: ReadonlyMap<string | undefined, FaultCode> = new Map([
  ['authentication error', 'linear.unauthorized'],
  ['forbidden', 'linear.forbidden'],
  ['feature not accessible', 'linear.forbidden'],
  ['ratelimited', 'linear.rate_limited'],
  ['invalid input', 'linear.refused'],
  ['user error', 'linear.refused'],
  ['graphql error', 'linear.refused'],
  ['usage limit exceeded', 'linear.refused'],
  ['lock timeout', 'linear.unavailable'],
  ['network error', 'linear.unavailable'],
  ['internal error', 'linear.unavailable'],
  ['bootstrap error', 'linear.unavailable'],
]);

/** GraphQL error codes, used if Linear gives no type. */
const BY_CODE: ReadonlyMap<string | undefined, FaultCode> = new Map([
  ['RATELIMITED', 'linear.rate_limited'],
  ['AUTHENTICATION_ERROR', 'linear.unauthorized'],
  ['FORBIDDEN', 'linear.forbidden'],
  ['INPUT_ERROR', 'linear.refused'],
  ['BAD_USER_INPUT', 'linear.refused'],
  ['GRAPHQL_PARSE_FAILED', 'linear.refused'],
  ['GRAPHQL_VALIDATION_FAILED', 'linear.refused'],
]);

/**
 * Linear has no error type for a missing entity: it reports an invalid input with one of these
 * texts.
 */
const MISSING = /^(?:entity not found|could not find referenced)/i;

/**
 * Returns the fault code of one error. An error without details may have occurred in the middle of
 * a write, so it is treated as unavailability.
 */
function toFaultCode({ type, code, userError, original, message }: LinearErrorEntry): FaultCode {
  // Linear reports some rate limits with an unrelated error type.
  if (code === 'RATELIMITED') return 'linear.rate_limited';
  const faultCode =
    BY_TYPE.get(type) ?? BY_CODE.get(code) ?? (userError ? 'linear.refused' : 'linear.unavailable');
  const isMissing = faultCode === 'linear.refused' && (MISSING.test(original) || MISSING.test(message));
  return isMissing ? 'linear.missing' : faultCode;
}

function withColon(text: string): string {
  return text === '' ? '' : `: ${text}`;
}

/** Maximum number of errors included in a message. */
const MAX_ERROR_ENTRIES = 5;

interface LinearErrorEntry {
  /** Linear's error type, such as `invalid input`. */
  readonly type: string | undefined;
  /** GraphQL error code, such as `RATELIMITED`. */
  readonly code: string | undefined;
  readonly userError: boolean;
  /** Linear's message for people, if there is one. */
  readonly message: string;
  /** Linear's message for programs. */
  readonly original: string;
  /** Length of the error's path in the response; 0 if it concerns the whole document. */
  readonly depth: number;
}

const word = z.string().optional().catch(undefined);

const raw = z.object({
  message: word,
  path: z.array(z.unknown()).optional().catch(undefined),
  extensions: z
    .object({
      type: word,
      code: word,
      userError: z.boolean().optional().catch(undefined),
      userPresentableMessage: word,
    })
    .optional()
    .catch(undefined),
});

/**
 * Counts every entry as an error, so that an oddly shaped error never makes a response look
 * successful.
 */
function listErrorEntries({ errors }: LinearAnswer): readonly LinearErrorEntry[] {
  return (Array.isArray(errors) ? errors : []).slice(0, MAX_ERROR_ENTRIES).map((error: unknown) => {
    const { message, path = [], extensions = {} } = raw.safeParse(error).data ?? {};
    const { type, code, userError, userPresentableMessage } = extensions;
    return {
      type,
      code,
      userError: userError === true,
      message: userPresentableMessage ?? message ?? type ?? 'an error without a message',
      original: message ?? '',
      depth: path.length,
    };
  });
}

/**
 * Returns true if a mutation may have taken effect despite errors: another mutation of the same
 * document succeeded, or this one did and only the requested fields could not be read. The fault
 * must then not claim that nothing was written.
 */
function isPartlyDone({ data }: LinearAnswer, errors: readonly LinearErrorEntry[]): boolean {
  const done =
    typeof data === 'object' && data !== null && Object.values(data).some((value) => value !== null);
  return done || errors.some(({ depth }) => depth > 1);
}

export interface LinearAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** GraphQL data. Undefined if the body has none. */
  readonly data: unknown;
  readonly errors: unknown;
  /** Text of a body that is not GraphQL. Empty for a GraphQL body. */
  readonly text: string;
}

/**
 * Parses a response from Linear. Resolves to undefined if the body claims to be JSON but is
 * malformed.
 */
export async function readAnswer(response: Response): Promise<LinearAnswer | undefined> {
  const { status, headers } = response;
  const read = await response.text();
  const isJson = headers.get('content-type')?.startsWith('application/json') === true;
  if (!isJson) return { status, headers, data: undefined, errors: undefined, text: read };
  const body = parseJson(read);
  if (body === undefined) return undefined;
  if (typeof body !== 'object' || body === null)
    return { status, headers, data: undefined, errors: undefined, text: toText(body) };
  const { data, errors, error } = body as Readonly<Record<'data' | 'errors' | 'error', unknown>>;
  return { status, headers, data, errors, text: toText(error) };
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/**
 * Time to wait if no header specifies one. Linear refills its rate limit buckets continuously, so a
 * minute restores some budget.
 */
const DEFAULT_WAIT_MS = 60_000;
/**
 * Linear's limits are per hour. A longer wait in a header must be a mistake, and retrying once an
 * hour is cheap.
 */
const MAX_WAIT_MS = 3_600_000;
/** Minimum wait. The clocks differ, and a retry within the same second would be refused again. */
const MIN_WAIT_MS = 1_000;

/** Rate limit buckets that apply to every request of an account. */
const ALWAYS = ['requests', 'complexity'];
/**
 * All rate limit buckets. `endpoint-requests` is for operations that have a limit of their own and
 * does not affect other requests.
 */
const ALL = [...ALWAYS, 'endpoint-requests'];

/**
 * Reads Linear's rate limit headers and returns the budget of requests or of complexity, whichever
 * has the smaller share left.
 */
export function readBudget(headers: Headers, now: number): ApiBudget | undefined {
  return findScarcest(readBuckets(headers, ALWAYS, now));
}

/**
 * Returns the time to retry: `Retry-After` if present, otherwise the reset of the exhausted
 * buckets. Linear may refuse a single costly query although budget is left; the retry then waits
 * for the bucket with the smallest share left.
 */
function computeRetryAt(headers: Headers, now: number): number {
  const buckets = readBuckets(headers, ALL, now);
  const resetTimes = buckets.filter(({ remaining }) => remaining === 0).map(({ resetsAt }) => resetsAt);
  const until =
    readRetryAfter(headers, now) ??
    (resetTimes.length > 0 ? Math.max(...resetTimes) : findScarcest(buckets)?.resetsAt);
  const wait = (until ?? now + DEFAULT_WAIT_MS) - now;
  return now + Math.min(Math.max(wait, MIN_WAIT_MS), MAX_WAIT_MS);
}

function readBuckets(headers: Headers, kinds: readonly string[], now: number): readonly ApiBudget[] {
  return kinds.flatMap((kind) => {
    const read = (suffix: string) => parseCount(headers.get(`x-ratelimit-${kind}-${suffix}`));
    const [limit, remaining, reset] = [read('limit'), read('remaining'), read('reset')];
    if (limit === undefined || limit === 0 || remaining === undefined || reset === undefined) return [];
    return [{ limit, remaining, resetsAt: toOurClock(reset, headers, now), evenly: true }];
  });
}

function findScarcest(buckets: readonly ApiBudget[]): ApiBudget | undefined {
  return buckets.toSorted((a, b) => a.remaining / a.limit - b.remaining / b.limit)[0];
}

/** Converts a time to our clock, using the response's `date` header to compute the difference. */
function toOurClock(reset: number, headers: Headers, now: number): number {
  const serverTime = Date.parse(headers.get('date') ?? '');
  return Number.isNaN(serverTime) ? reset : now + (reset - serverTime);
}

function readRetryAfter(headers: Headers, now: number): number | undefined {
  const seconds = parseCount(headers.get('retry-after'));
  return seconds === undefined ? undefined : now + seconds * 1_000;
}

/** Thirteen digits cover milliseconds since 1970 for the next two centuries. */
function parseCount(text: string | null): number | undefined {
  return text !== null && /^\d{1,13}$/.test(text) ? Number(text) : undefined;
}
