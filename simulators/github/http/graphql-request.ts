/** Handles one GraphQL request: applies faults, charges its cost, and answers it. */
import { executePrepared, type GraphqlAnswer, prepareDocument } from '../graphql/answer.ts';
import type { GithubResolverContext } from '../graphql/context.ts';
import { formatGithubTime } from '../graphql/shape.ts';
import type { GithubToken } from '../model/world.ts';
import type { GithubHttpResponse } from './answer.ts';
import { toRateLimitHeaders } from './points.ts';
import type { GithubServerContext } from './server.ts';
import { toFaultResponse, type UnansweredOutcome } from './strike.ts';

export async function answerGraphql(
  desk: GithubServerContext,
  token: GithubToken,
  body: unknown,
): Promise<GithubHttpResponse | UnansweredOutcome> {
  const { login } = token.account;
  const prepared = prepareDocument(body);
  if (!('document' in prepared)) {
    const answer = { status: 200, headers: buildHeaders(desk, token), body: prepared };
    desk.seen.push({ kind: 'graphql', name: 'refused', write: false, login, cost: 0, status: 200 });
    return answer;
  }
  const { name, write, cost } = prepared;
  const record = (answer: GithubHttpResponse | UnansweredOutcome, paid: number) => {
    const status = typeof answer === 'string' ? 0 : answer.status;
    desk.seen.push({ kind: 'graphql', name, write, login, cost: paid, status });
    return answer;
  };
  if (!desk.points.take(login, 'graphql', cost.points)) {
    const text = `API rate limit exceeded for user ID ${token.account.databaseId}.`;
    const errors = [{ type: 'RATE_LIMITED', message: text }];
    return record({ status: 200, headers: buildHeaders(desk, token), body: { errors } }, 0);
  }
  const refusal = desk.refusals.map((refuse) => refuse(prepared)).find((text) => text !== undefined);
  if (refusal !== undefined) {
    const errors = [{ message: refusal, locations: [{ line: 1, column: 1 }] }];
    return record({ status: 200, headers: buildHeaders(desk, token), body: { errors } }, cost.points);
  }
  const struck = desk.faults.strike({ name, write });
  const standing = desk.points.standing(login, 'graphql');
  const context: GithubResolverContext = {
    world: desk.world,
    token,
    facts: desk.facts,
    url: desk.url,
    rateLimit: { ...standing, cost: cost.points, nodeCount: cost.nodes },
    told: new Map(),
  };
  const carryOut = async (): Promise<GithubHttpResponse> => {
    const answer = await executePrepared(prepared, context);
    const missing = answer.errors?.some(({ type }) => type === 'NOT_SIMULATED') === true;
    return { status: missing ? 501 : 200, headers: buildHeaders(desk, token), body: answer };
  };
  if (struck === undefined) return record(await carryOut(), cost.points);
  const executed = struck.executed || 'partial' in struck.answer ? await carryOut() : undefined;
  if ('partial' in struck.answer && executed !== undefined) {
    return record({ ...executed, body: toPartialAnswer(executed.body as GraphqlAnswer) }, cost.points);
  }
  return record(
    toFaultResponse(struck.answer, desk, 'graphql', login, buildHeaders(desk, token)),
    cost.points,
  );
}

function buildHeaders(
  desk: GithubServerContext,
  { account, scopes, installation, expiresAt }: GithubToken,
): Record<string, string> {
  return {
    ...toRateLimitHeaders(desk.points.standing(account.login, 'graphql'), 'graphql'),
    // Fine-grained and app tokens have no scopes header.
    ...(installation === undefined ? { 'x-oauth-scopes': (scopes ?? ALL_SCOPES).join(', ') } : {}),
    ...(expiresAt === undefined
      ? {}
      : { 'github-authentication-token-expiration': formatGithubTime(expiresAt) }),
  };
}

export const ALL_SCOPES = ['admin:org', 'project', 'repo', 'workflow'];

/**
 * Returns partial data with an error: drops the last entry of the first list, or the last selected
 * field if there is no list.
 */
function toPartialAnswer({ data, errors = [] }: GraphqlAnswer): GraphqlAnswer {
  const copy = structuredClone(data ?? {});
  const path = removeOneNode(copy) ?? clearLastField(copy);
  const text =
    'Something went wrong while executing your query. This may be the result of a timeout, or it could be a GitHub bug.';
  return { data: copy, errors: [...errors, { type: 'SERVICE_UNAVAILABLE', message: text, path }] };
}

function removeOneNode(
  value: object,
  path: readonly (string | number)[] = [],
): (string | number)[] | undefined {
  for (const [key, inner] of Object.entries(value)) {
    if (key === 'nodes' && Array.isArray(inner) && inner.length > 0) {
      inner[inner.length - 1] = null;
      return [...path, key, inner.length - 1];
    }
    const found =
      typeof inner === 'object' && inner !== null ? removeOneNode(inner, [...path, key]) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

function clearLastField(data: Record<string, unknown>): string[] {
  const last = Object.keys(data).at(-1);
  if (last === undefined) return [];
  data[last] = null;
  return [last];
}
