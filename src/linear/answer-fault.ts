/** Says which fault an answer without data, or with errors, is. */
import { z } from 'zod';
import { type FaultCode, LegionError } from '../core/model/fault.ts';
import { quoteAnswer } from '../lib/text/redact.ts';
import type { LinearAnswer } from './answer.ts';
import { retryAtIn } from './rate-limit.ts';

export interface Asked {
  readonly write: boolean;
  /** Of this request; hidden from messages. */
  readonly secret: string;
  readonly now: number;
}

export function answerFault(answer: LinearAnswer, asked: Asked): LegionError {
  const { status, headers } = answer;
  const complaints = complaintsIn(answer);
  const isPage = /html/i.test(headers.get('content-type') ?? '');
  const says = complaints.map(({ message }) => message).join('; ') || (isPage ? '' : answer.text);
  const fault = (code: FaultCode, words: string) =>
    new LegionError(code, `Linear ${quoteAnswer(words, [asked.secret])}`);

  if (status >= 300 && status < 400)
    return fault(
      'linear.unavailable',
      `answered ${status} and points to ${headers.get('location') ?? 'nowhere'}, where Legion sends no key; is linear.url right?`,
    );
  // Whoever is in front of Linear may ask for patience in its name.
  if (isPage && status !== 429)
    return fault('linear.unavailable', `answered ${status} with a page of HTML, not with data`);
  if (complaints.length > 0 && asked.write && partlyDone(answer, complaints))
    return fault('linear.unavailable', `has done it in part: ${says}`);
  const code = codeOf(status, complaints);
  if (code === 'linear.rate_limited')
    return limited(retryAtIn(headers, asked.now), quoteAnswer(says, [asked.secret]));
  if (complaints.length > 0) return fault(code, `says: ${says}`);
  return fault(code, `answered ${status}${status < 300 ? ' without data' : ''}${colon(says)}`);
}

/** Tells whoever waits how long, in the message for people and in `retryAt` for the loop. */
function limited(retryAt: number, why: string): LegionError {
  const time = new Date(retryAt).toISOString();
  const says = `Linear takes no more requests of this account until ${time}${colon(why)}`;
  return new LegionError('linear.rate_limited', says, { retryAt });
}

const BY_STATUS: ReadonlyMap<number, FaultCode> = new Map([
  [401, 'linear.unauthorized'],
  [403, 'linear.forbidden'],
  [404, 'linear.missing'],
  [408, 'linear.unavailable'],
  [429, 'linear.rate_limited'],
]);

/** What says when to come again comes first, then what may pass, then the first that Linear names. */
function codeOf(status: number, complaints: readonly Complaint[]): FaultCode {
  const codes = complaints.map(complaintCode);
  if (status === 429 || codes.includes('linear.rate_limited')) return 'linear.rate_limited';
  if (status >= 500 || codes.includes('linear.unavailable')) return 'linear.unavailable';
  const [first] = codes;
  if (first !== undefined) return first;
  return BY_STATUS.get(status) ?? (status >= 400 ? 'linear.refused' : 'linear.unavailable');
}

/** Every type that Linear's SDK knows, but for `other` and `unknown`, which say nothing. */
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

/** The kind of error in GraphQL's own words, where Linear gives no type of its own. */
const BY_CODE: ReadonlyMap<string | undefined, FaultCode> = new Map([
  ['RATELIMITED', 'linear.rate_limited'],
  ['AUTHENTICATION_ERROR', 'linear.unauthorized'],
  ['FORBIDDEN', 'linear.forbidden'],
  ['INPUT_ERROR', 'linear.refused'],
  ['BAD_USER_INPUT', 'linear.refused'],
  ['GRAPHQL_PARSE_FAILED', 'linear.refused'],
  ['GRAPHQL_VALIDATION_FAILED', 'linear.refused'],
]);

/** Linear has no type for what is not there: it is an invalid input with one of these sentences. */
const MISSING = /^(?:entity not found|could not find referenced)/i;

/** An error that says nothing about itself may have come in the midst of a write. */
function complaintCode({ type, code, userError, original, message }: Complaint): FaultCode {
  // Some limits come with the type of something else.
  if (code === 'RATELIMITED') return 'linear.rate_limited';
  const found =
    BY_TYPE.get(type) ?? BY_CODE.get(code) ?? (userError ? 'linear.refused' : 'linear.unavailable');
  const isMissing = found === 'linear.refused' && (MISSING.test(original) || MISSING.test(message));
  return isMissing ? 'linear.missing' : found;
}

function colon(says: string): string {
  return says === '' ? '' : `: ${says}`;
}

/** More complaints than this help nobody. */
const COMPLAINTS_READ = 5;

interface Complaint {
  /** Linear's own word, such as `invalid input`. */
  readonly type: string | undefined;
  /** GraphQL's own word, such as `RATELIMITED`. */
  readonly code: string | undefined;
  readonly userError: boolean;
  /** Linear's sentence for people where it has one. */
  readonly message: string;
  /** Its sentence for programs. */
  readonly original: string;
  /** How many steps into the answer it lies; 0 where the whole document is meant. */
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

/** Whatever stands among the errors counts as one: an answer must not pass for good because its error has an odd form. */
function complaintsIn({ errors }: LinearAnswer): readonly Complaint[] {
  return (Array.isArray(errors) ? errors : []).slice(0, COMPLAINTS_READ).map((error: unknown) => {
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
 * Something of a mutation has happened, although it has errors: another one of the same document, or this one, of which only
 * what was asked back could not be read. Nothing may then claim that nothing was written.
 */
function partlyDone({ data }: LinearAnswer, complaints: readonly Complaint[]): boolean {
  const done =
    typeof data === 'object' && data !== null && Object.values(data).some((value) => value !== null);
  return done || complaints.some(({ depth }) => depth > 1);
}
