/** Extracts error texts from the responses of GitHub's two APIs and maps them to faults. */
import { z } from 'zod';
import { type FaultCode, LegionError } from '../../../core/model/fault.ts';
import { quoteAnswer } from '../../../lib/text/redact.ts';
import type { GithubRefusal, GithubRequest, GithubResponse } from './client.ts';

const BY_STATUS: ReadonlyMap<number, FaultCode> = new Map([
  [401, 'github.unauthorized'],
  [403, 'github.forbidden'],
  [404, 'github.missing'],
  [408, 'github.unavailable'],
  [410, 'github.missing'],
]);

export function findAnswerFault(
  answer: GithubResponse,
  { route, etag }: GithubRequest,
  secret: string,
): LegionError | undefined {
  const { status, headers } = answer;
  const { location = 'somewhere else' } = headers;
  const createFault = (code: FaultCode, text: string) =>
    new LegionError(code, `${formatRoute(route)}: ${quoteAnswer(text, [secret])}`);
  const page = describeUnexpectedPage(answer);
  if (page !== undefined)
    return createFault('github.unavailable', `answered ${status} with ${page} instead of data`);
  if (status === 304)
    return etag === undefined
      ? createFault('github.unavailable', 'answered 304 although no etag was sent')
      : undefined;
  if (status >= 200 && status < 300) return undefined;
  if (status < 400) return createFault('github.missing', `has moved to ${location}`);
  const code = BY_STATUS.get(status) ?? (status >= 500 ? 'github.unavailable' : 'github.refused');
  return createFault(code, `answered ${status}${withColon(extractErrorText(answer))}`);
}

/**
 * Removes the host from the path, so that the path is short and the same on every GitHub server.
 */
function formatRoute(route: string): string {
  return `GitHub ${route.replace(/https?:\/\/[^/]+/, '')}`;
}

/** Detects an HTML page from a proxy, or truncated JSON from a broken connection. */
function describeUnexpectedPage({ headers, data, status }: GithubResponse): string | undefined {
  const type = headers['content-type'] ?? '';
  if (/^text\/html|^application\/xhtml/i.test(type)) return 'an HTML page';
  // A 304 has a content type but no body.
  const isBroken = typeof data === 'string' && status < 500 && status !== 304;
  if (/^application\/json/i.test(type) && isBroken) return 'broken JSON';
  return undefined;
}

export function withColon(text: string): string {
  return text === '' ? '' : `: ${text}`;
}

/** Converts an error that came with partial data into a fault. */
export function toRefusalFault({ code, message }: GithubRefusal): LegionError {
  return new LegionError(code, `GitHub’s GraphQL: ${message}`);
}

/**
 * Throws if GitHub was temporarily unavailable. The whole read is then retried, so that no single
 * record is mistaken for a broken one.
 */
export function throwUnavailable(refusals: readonly GithubRefusal[]): void {
  const temporary = refusals.find(({ code }) => code === 'github.unavailable');
  if (temporary !== undefined) throw toRefusalFault(temporary);
}

/**
 * Returns whether a failed write may have taken effect. Without a response the result is unknown,
 * and a refusal may mean that another process made the same change first.
 */
export function isPossiblyDone(error: unknown): boolean {
  return error instanceof LegionError && ['github.unavailable', 'github.refused'].includes(error.code);
}

/** Maximum number of errors in a message. More do not help the reader. */
const MAX_SHOWN_ERRORS = 3;

const complaint = z.object({
  message: z.string().optional().catch(undefined),
  /** GraphQL's error type, such as `NOT_FOUND`. */
  type: z.string().optional().catch(undefined),
  path: z
    .array(z.union([z.string(), z.number()]))
    .optional()
    .catch(undefined),
  locations: z.array(z.unknown()).optional().catch(undefined),
  extensions: z.record(z.string(), z.unknown()).optional().catch(undefined),
  /** REST's reasons, such as `already_exists` for `name`. */
  code: z.string().optional().catch(undefined),
  field: z.string().optional().catch(undefined),
});

const body = z.object({ message: z.string().optional().catch(undefined), errors: z.unknown().optional() });

export type GithubErrorEntry = Partial<z.infer<typeof complaint>>;

/**
 * Returns all errors. Includes entries of unknown form, so that a response with an odd error does
 * not pass as successful.
 */
export function listErrorEntries({ data }: GithubResponse): readonly GithubErrorEntry[] {
  const errors = body.safeParse(data).data?.errors ?? [];
  return (Array.isArray(errors) ? errors : [errors]).map((error: unknown) =>
    typeof error === 'string' ? { message: error } : (complaint.safeParse(error).data ?? {}),
  );
}

/**
 * Joins all error texts, starting with GitHub's summary. Returns an empty string if the response
 * has no errors.
 */
export function extractErrorText(answer: GithubResponse): string {
  const message = body.safeParse(answer.data).data?.message;
  return [...(message === undefined ? [] : [message]), ...listErrorEntries(answer).map(describeErrorEntry)]
    .slice(0, MAX_SHOWN_ERRORS)
    .join('; ');
}

function describeErrorEntry({ type, message, code, field }: GithubErrorEntry): string {
  return [type, field, code, message].filter((part) => part !== undefined).join(' ');
}
