/** The data in GraphQL's answer, or the fault its errors are: it answers 200 to nearly everything. */
import { type FaultCode, LegionError } from '../core/model/fault.ts';
import { quoteAnswer } from '../lib/text/redact.ts';
import type { PartialAnswer } from './client.ts';
import { type Complaint, complaintsIn, saidIn } from './said-in.ts';
import type { Answer } from './transport.ts';

export interface Expected {
  readonly write: boolean;
  readonly tolerates?: readonly string[] | undefined;
  /** Of this request; hidden from messages. */
  readonly secret: string;
}

export function graphqlData(answer: Answer, { write, tolerates = [], secret }: Expected): unknown {
  const complaints = complaintsIn(answer).filter(
    ({ type }) => type === undefined || !tolerates.includes(type),
  );
  const fault = (code: FaultCode, says: string) =>
    new LegionError(code, `GitHub’s GraphQL: ${quoteAnswer(says, [secret])}`);
  if (complaints.length > 0 && write && partlyDone(answer))
    throw fault('github.unavailable', `was done in part: ${saidIn(answer)}`);
  if (complaints.length > 0) throw fault(worst(complaints), saidIn(answer) || 'an error without a word');
  const data = dataIn(answer);
  // Also `{"message": …}` with status 200, which has no data either.
  if (data === undefined || data === null)
    throw fault('github.unavailable', `answered without data: ${saidIn(answer)}`);
  return data;
}

/** The data with the errors that concern only a part of it; rejects where one concerns the whole. */
export function partialData(answer: Answer, secret: string): PartialAnswer<unknown> {
  const complaints = complaintsIn(answer);
  if (complaints.some(({ path = [] }) => path.length === 0)) graphqlData(answer, { write: false, secret });
  const data = dataIn(answer);
  if (typeof data !== 'object' || data === null)
    return { data: graphqlData(answer, { write: false, secret }), refusals: [] };
  const refusals = complaints.map((complaint) => ({
    path: complaint.path ?? [],
    code: codeOf(complaint),
    message: quoteAnswer(complaint.message ?? complaint.type ?? 'an error without a message', [secret]),
  }));
  return { data, refusals };
}

/**
 * Something of a mutation has happened, although it has errors: another one of the same document, or this one, of which only
 * what was asked back could not be read. Nothing may then claim that nothing was written.
 */
export function partlyDone(answer: Answer): boolean {
  const data = dataIn(answer);
  const done =
    typeof data === 'object' && data !== null && Object.values(data).some((value) => value !== null);
  return done || complaintsIn(answer).some(({ path = [] }) => path.length > 1);
}

function dataIn({ data }: Answer): unknown {
  return typeof data === 'object' && data !== null && 'data' in data ? data.data : undefined;
}

const BY_TYPE: ReadonlyMap<string, FaultCode> = new Map([
  ['NOT_FOUND', 'github.missing'],
  ['FORBIDDEN', 'github.forbidden'],
  ['INSUFFICIENT_SCOPES', 'github.forbidden'],
  ['UNAUTHENTICATED', 'github.unauthorized'],
  ['SERVICE_UNAVAILABLE', 'github.unavailable'],
  ['INTERNAL', 'github.unavailable'],
  ['TIMEOUT', 'github.unavailable'],
]);

/** What may pass comes first, then the first that GitHub names. */
function worst(complaints: readonly Complaint[]): FaultCode {
  const codes = complaints.map(codeOf);
  return codes.find((code) => code === 'github.unavailable') ?? codes[0] ?? 'github.refused';
}

/**
 * GitHub's "Something went wrong while executing your query" has neither a type nor a place, and may have written. What is
 * wrong with the document itself has a place in it, and was refused before anything was done.
 */
function codeOf({ type, locations, extensions }: Complaint): FaultCode {
  if (type !== undefined) return BY_TYPE.get(type) ?? 'github.refused';
  return locations === undefined && extensions === undefined ? 'github.unavailable' : 'github.refused';
}
