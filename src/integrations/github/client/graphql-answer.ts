/**
 * Extracts the data of a GraphQL response, or throws a fault for its errors, since nearly every
 * GraphQL response has status 200. Also sends several mutations in one request.
 */
import { type FaultCode, LegionError } from '../../../core/model/fault.ts';
import { quoteAnswer } from '../../../lib/text/redact.ts';
import { extractErrorText, type GithubErrorEntry, listErrorEntries } from './answer-fault.ts';
import type { GithubCallOptions, GithubClient, GithubResponse, PartialAnswer } from './client.ts';

export interface GraphqlExpectation {
  readonly write: boolean;
  readonly tolerates?: readonly string[] | undefined;
  /** The token of this request, which is removed from messages. */
  readonly secret: string;
}

export function requireGraphqlData(
  answer: GithubResponse,
  { write, tolerates = [], secret }: GraphqlExpectation,
): unknown {
  const errors = listErrorEntries(answer).filter(
    ({ type }) => type === undefined || !tolerates.includes(type),
  );
  const createFault = (code: FaultCode, text: string) =>
    new LegionError(code, `GitHub’s GraphQL: ${quoteAnswer(text, [secret])}`);
  if (errors.length > 0 && write && isPartlyDone(answer))
    throw createFault(
      'github.unavailable',
      `the request was only partly carried out: ${extractErrorText(answer)}`,
    );
  if (errors.length > 0)
    throw createFault(chooseFaultCode(errors), extractErrorText(answer) || 'an error without a message');
  const data = extractData(answer);
  // Also handles a response with status 200 that consists of `{"message": …}` and has no data.
  if (data === undefined || data === null)
    throw createFault('github.unavailable', `answered without data: ${extractErrorText(answer)}`);
  return data;
}

/**
 * Returns the data with the errors that affect only part of it. Throws if an error affects the
 * whole response.
 */
export function readPartialData(answer: GithubResponse, secret: string): PartialAnswer<unknown> {
  const errors = listErrorEntries(answer);
  if (errors.some(({ path = [] }) => path.length === 0)) requireGraphqlData(answer, { write: false, secret });
  const data = extractData(answer);
  if (typeof data !== 'object' || data === null)
    return { data: requireGraphqlData(answer, { write: false, secret }), refusals: [] };
  const refusals = errors.map((error) => ({
    path: error.path ?? [],
    code: toFaultCode(error),
    message: quoteAnswer(error.message ?? error.type ?? 'an error without a message', [secret]),
  }));
  return { data, refusals };
}

/**
 * Returns whether part of a failed mutation took effect: another mutation of the document
 * succeeded, or this one did and only its result could not be read. Such a response must not be
 * reported as "nothing was written".
 */
export function isPartlyDone(answer: GithubResponse): boolean {
  const data = extractData(answer);
  const done =
    typeof data === 'object' && data !== null && Object.values(data).some((value) => value !== null);
  return done || listErrorEntries(answer).some(({ path = [] }) => path.length > 1);
}

function extractData({ data }: GithubResponse): unknown {
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

/** Returns the code of a temporary failure if there is one, otherwise of the first error. */
function chooseFaultCode(errors: readonly GithubErrorEntry[]): FaultCode {
  const codes = errors.map(toFaultCode);
  return codes.find((code) => code === 'github.unavailable') ?? codes[0] ?? 'github.refused';
}

/**
 * GitHub's "Something went wrong while executing your query" has neither type nor location, and the
 * request may have written something. An error in the document itself has a location and was
 * rejected before any effect.
 */
function toFaultCode({ type, locations, extensions }: GithubErrorEntry): FaultCode {
  if (type !== undefined) return BY_TYPE.get(type) ?? 'github.refused';
  return locations === undefined && extensions === undefined ? 'github.unavailable' : 'github.refused';
}

/** One change: the name of GitHub's mutation and its input. */
export interface MutationStep {
  readonly mutation: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** Creates one change for `makeChanges`. */
export function createStep(mutation: string, input: MutationStep['input']): MutationStep {
  return { mutation, input };
}

/**
 * Sends all steps in one request. GitHub runs them in order and continues after a failure. Without
 * steps, sends nothing.
 */
export async function makeChanges(
  client: GithubClient,
  name: string,
  steps: readonly MutationStep[],
  options: GithubCallOptions = {},
): Promise<void> {
  if (steps.length === 0) return;
  const { document, variables } = buildMutationRequest(name, steps);
  await client.mutate(document, variables, options);
}

/** Builds the document and variables. `name` is the name of the operation. */
export function buildMutationRequest(
  name: string,
  steps: readonly MutationStep[],
): { document: string; variables: Record<string, unknown> } {
  const declared = steps.map(({ mutation }, index) => `$s${index}: ${toInputType(mutation)}!`);
  const fields = steps.map(
    ({ mutation }, index) => `s${index}: ${mutation}(input: $s${index}) { clientMutationId }`,
  );
  return {
    document: `mutation ${name}(${declared.join(', ')}) {\n  ${fields.join('\n  ')}\n}`,
    variables: Object.fromEntries(steps.map(({ input }, index) => [`s${index}`, input])),
  };
}

function toInputType(mutation: string): string {
  return `${mutation.charAt(0).toUpperCase()}${mutation.slice(1)}Input`;
}

/**
 * The response to a document with any number of aliases `a0`, `a1` …, derived from the type of the
 * response to a document with one alias.
 */
export type AliasedFields<T, Alias extends string> = Omit<T, `${Alias}0`> & {
  readonly [Name in `${Alias}${number}`]?: T[`${Alias}0` & keyof T];
};
