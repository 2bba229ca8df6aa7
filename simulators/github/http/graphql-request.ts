/** One request to the GraphQL API: whether it is struck, what it costs, what it says. */
import { executePrepared, type GraphqlAnswer, prepareDocument } from '../graphql/answer.ts';
import type { Context } from '../graphql/context.ts';
import { time } from '../graphql/shape.ts';
import type { Token } from '../model/world.ts';
import type { Answer } from './answer.ts';
import { pointHeaders } from './points.ts';
import type { Desk } from './server.ts';
import { strike, type Unanswered } from './strike.ts';

export async function answerGraphql(desk: Desk, token: Token, body: unknown): Promise<Answer | Unanswered> {
  const { login } = token.account;
  const prepared = prepareDocument(body);
  if (!('document' in prepared)) {
    const answer = { status: 200, headers: headers(desk, token), body: prepared };
    desk.seen.push({ kind: 'graphql', name: 'refused', write: false, login, cost: 0, status: 200 });
    return answer;
  }
  const { name, write, cost } = prepared;
  const record = (answer: Answer | Unanswered, paid: number) => {
    const status = typeof answer === 'string' ? 0 : answer.status;
    desk.seen.push({ kind: 'graphql', name, write, login, cost: paid, status });
    return answer;
  };
  if (!desk.points.take(login, 'graphql', cost.points)) {
    const text = `API rate limit exceeded for user ID ${token.account.databaseId}.`;
    const errors = [{ type: 'RATE_LIMITED', message: text }];
    return record({ status: 200, headers: headers(desk, token), body: { errors } }, 0);
  }
  const refusal = desk.refusals.map((refuse) => refuse(prepared)).find((text) => text !== undefined);
  if (refusal !== undefined) {
    const errors = [{ message: refusal, locations: [{ line: 1, column: 1 }] }];
    return record({ status: 200, headers: headers(desk, token), body: { errors } }, cost.points);
  }
  const struck = desk.faults.strike({ name, write });
  const standing = desk.points.standing(login, 'graphql');
  const context: Context = {
    world: desk.world,
    token,
    facts: desk.facts,
    url: desk.url,
    rateLimit: { ...standing, cost: cost.points, nodeCount: cost.nodes },
    told: new Map(),
  };
  const carryOut = async (): Promise<Answer> => {
    const answer = await executePrepared(prepared, context);
    const missing = answer.errors?.some(({ type }) => type === 'NOT_SIMULATED') === true;
    return { status: missing ? 501 : 200, headers: headers(desk, token), body: answer };
  };
  if (struck === undefined) return record(await carryOut(), cost.points);
  const executed = struck.executed || 'partial' in struck.answer ? await carryOut() : undefined;
  if ('partial' in struck.answer && executed !== undefined) {
    return record({ ...executed, body: halved(executed.body as GraphqlAnswer) }, cost.points);
  }
  return record(strike(struck.answer, desk, 'graphql', login, headers(desk, token)), cost.points);
}

function headers(desk: Desk, { account, scopes, installation, expiresAt }: Token): Record<string, string> {
  return {
    ...pointHeaders(desk.points.standing(account.login, 'graphql'), 'graphql'),
    // Fine-grained and app tokens have no scopes to tell of.
    ...(installation === undefined ? { 'x-oauth-scopes': (scopes ?? ALL_SCOPES).join(', ') } : {}),
    ...(expiresAt === undefined ? {} : { 'github-authentication-token-expiration': time(expiresAt) }),
  };
}

export const ALL_SCOPES = ['admin:org', 'project', 'repo', 'workflow'];

/** Data for some, an error beside it: the last of the first list is gone, or else the last of what was asked. */
function halved({ data, errors = [] }: GraphqlAnswer): GraphqlAnswer {
  const copy = structuredClone(data ?? {});
  const path = loseOne(copy) ?? loseLast(copy);
  const text =
    'Something went wrong while executing your query. This may be the result of a timeout, or it could be a GitHub bug.';
  return { data: copy, errors: [...errors, { type: 'SERVICE_UNAVAILABLE', message: text, path }] };
}

function loseOne(value: object, path: readonly (string | number)[] = []): (string | number)[] | undefined {
  for (const [key, inner] of Object.entries(value)) {
    if (key === 'nodes' && Array.isArray(inner) && inner.length > 0) {
      inner[inner.length - 1] = null;
      return [...path, key, inner.length - 1];
    }
    const found = typeof inner === 'object' && inner !== null ? loseOne(inner, [...path, key]) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

function loseLast(data: Record<string, unknown>): string[] {
  const last = Object.keys(data).at(-1);
  if (last === undefined) return [];
  data[last] = null;
  return [last];
}
