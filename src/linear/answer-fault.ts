/** Which fault it is that Linear's SDK has thrown: an answer that is none, or one with errors. */
import { LinearError, LinearErrorType } from '@linear/sdk';
import { type FaultCode, LegionError } from '../domain/fault.ts';
import { type Complaint, complaintsIn, partlyDone, type RawAnswer } from './complaints.ts';
import { retryAtIn } from './rate-limit.ts';
import { said } from './said.ts';

export interface Asked {
  readonly write: boolean;
  /** Of this request; hidden from messages. */
  readonly secret: string;
  readonly now: number;
}

/** The SDK's own error is not kept as the cause: it holds the whole request and the whole answer. */
export function answerFault(error: unknown, asked: Asked): LegionError {
  const answer = answerIn(error);
  if (answer === undefined) return noAnswer(error, asked);
  const { status = 0, headers = new Headers() } = answer;
  const complaints = complaintsIn(answer);
  const isPage = /html/i.test(headers.get('content-type') ?? '');
  const says = complaints.map(({ message }) => message).join('; ') || (isPage ? '' : textIn(answer));
  const fault = (code: FaultCode, words: string) =>
    new LegionError(code, `Linear ${said(words, asked.secret)}`);

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
  if (code === 'linear.rate_limited') return limited(retryAtIn(headers, asked.now), said(says, asked.secret));
  return fault(code, complaints.length > 0 ? `says: ${says}` : `answered ${status}${colon(says)}`);
}

/** What the SDK has made of an answer; it has none where nothing came, or something that it could not even read. */
export function answerIn(error: unknown): RawAnswer | undefined {
  return error instanceof LinearError ? error.raw?.response : undefined;
}

/** Tells whoever waits how long, in the message for people and in `retryAt` for the loop. */
function limited(retryAt: number, why: string): LegionError {
  const time = new Date(retryAt).toISOString();
  const says = `Linear takes no more requests of this account until ${time}${colon(why)}`;
  return new LegionError('linear.rate_limited', says, { retryAt });
}

function noAnswer(error: unknown, { secret }: Asked): LegionError {
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause instanceof LegionError) return cause;
  const words =
    cause instanceof Error
      ? `could not be asked: ${(cause as NodeJS.ErrnoException).code ?? ''} ${cause.message}`
      : 'answered with something that is no answer of Linear’s';
  return new LegionError('linear.unavailable', `Linear ${said(words, secret)}`);
}

/** Without an error of Linear's own, whatever the answer has for a text. */
function textIn({ error }: RawAnswer): string {
  return typeof error === 'string' ? error : '';
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

const BY_TYPE: Readonly<Record<LinearErrorType, FaultCode | undefined>> = {
  [LinearErrorType.AuthenticationError]: 'linear.unauthorized',
  [LinearErrorType.Forbidden]: 'linear.forbidden',
  [LinearErrorType.FeatureNotAccessible]: 'linear.forbidden',
  [LinearErrorType.Ratelimited]: 'linear.rate_limited',
  [LinearErrorType.InvalidInput]: 'linear.refused',
  [LinearErrorType.UserError]: 'linear.refused',
  [LinearErrorType.GraphqlError]: 'linear.refused',
  [LinearErrorType.UsageLimitExceeded]: 'linear.refused',
  [LinearErrorType.LockTimeout]: 'linear.unavailable',
  [LinearErrorType.NetworkError]: 'linear.unavailable',
  [LinearErrorType.InternalError]: 'linear.unavailable',
  [LinearErrorType.BootstrapError]: 'linear.unavailable',
  [LinearErrorType.Other]: undefined,
  [LinearErrorType.Unknown]: undefined,
};

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
  const found = BY_TYPE[type] ?? BY_CODE.get(code) ?? (userError ? 'linear.refused' : 'linear.unavailable');
  const isMissing = found === 'linear.refused' && (MISSING.test(original) || MISSING.test(message));
  return isMissing ? 'linear.missing' : found;
}

function colon(says: string): string {
  return says === '' ? '' : `: ${says}`;
}
