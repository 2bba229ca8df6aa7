/** Handles one REST request: finds its route, charges its cost, applies faults, and answers it. */
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { type GithubHttpResponse, toMessageResponse } from '../http/answer.ts';
import { findToken } from '../http/credentials.ts';
import { ALL_SCOPES } from '../http/graphql-request.ts';
import { toRateLimitHeaders } from '../http/points.ts';
import type { GithubServerContext } from '../http/server.ts';
import { toFaultResponse, type UnansweredOutcome } from '../http/strike.ts';
import { GithubRefusal } from '../model/fault.ts';
import type { GithubToken } from '../model/world.ts';
import { APP_ROUTES } from './apps.ts';
import { CHECK_ROUTES } from './checks.ts';
import { DEPENDENCY_ROUTES } from './dependencies.ts';
import { PULL_REQUEST_ROUTES } from './pull-requests.ts';
import { REPOSITORY_ROUTES } from './repositories.ts';
import { matchRoute, type RestRoute } from './route.ts';

const ROUTES: readonly RestRoute[] = [
  ...APP_ROUTES,
  ...CHECK_ROUTES,
  ...DEPENDENCY_ROUTES,
  ...PULL_REQUEST_ROUTES,
  ...REPOSITORY_ROUTES,
];

export async function answerRest(
  desk: GithubServerContext,
  request: IncomingMessage,
  pathname: string,
  secret: string | undefined,
): Promise<GithubHttpResponse | UnansweredOutcome> {
  const found = matchRoute(ROUTES, request.method ?? 'GET', pathname);
  if (found === undefined) {
    request.resume();
    // Answers 501 instead of 404, because a client would mistake a 404 for GitHub's own answer.
    return toMessageResponse(501, `The simulator does not know ${request.method} ${pathname}`);
  }
  const { route, parameters } = found;
  const token = findToken(desk.world, secret);
  const body = await text(request);
  if (token === undefined && secret !== undefined && route.as !== 'app' && route.as !== 'anybody') {
    return toMessageResponse(401, 'Bad credentials');
  }
  if (token === undefined && route.as === 'token') return toMessageResponse(401, 'Requires authentication');

  const login = token?.account.login ?? '';
  const write = route.method !== 'GET';
  const record = (answer: GithubHttpResponse | UnansweredOutcome): GithubHttpResponse | UnansweredOutcome => {
    const status = typeof answer === 'string' ? 0 : answer.status;
    const name = `${route.method} ${route.path}`;
    desk.seen.push({ kind: 'rest', name, write, login, cost: route.free === true ? 0 : 1, status });
    return answer;
  };
  if (route.free !== true && !desk.points.take(login, 'core', 1)) {
    const { databaseId } = desk.world.accounts.get(login.toLowerCase()) ?? { databaseId: 0 };
    return record(
      toMessageResponse(403, `API rate limit exceeded for user ID ${databaseId}.`, buildHeaders(desk, token)),
    );
  }
  const carryOut = async (): Promise<GithubHttpResponse> => {
    try {
      const query = new URL(request.url ?? '/', desk.url).searchParams;
      const answer = await route.answer({
        desk,
        token,
        secret,
        parameters,
        path: pathname,
        query,
        body: readBody(body),
      });
      return applyEtag(request, { ...answer, headers: { ...buildHeaders(desk, token), ...answer.headers } });
    } catch (error) {
      if (!(error instanceof GithubRefusal)) throw error;
      return toMessageResponse(STATUS[error.type] ?? 422, error.message, buildHeaders(desk, token));
    }
  };
  const struck = desk.faults.strike({ name: `${route.method} ${route.path}`, write });
  if (struck === undefined) return record(await carryOut());
  if (struck.executed) await carryOut();
  return record(toFaultResponse(struck.answer, desk, 'core', login, buildHeaders(desk, token)));
}

const STATUS: Readonly<Record<string, number>> = {
  NOT_FOUND: 404,
  FORBIDDEN: 403,
  INSUFFICIENT_SCOPES: 403,
  UNPROCESSABLE: 422,
  NOT_SIMULATED: 501,
};

function buildHeaders(desk: GithubServerContext, token: GithubToken | undefined): Record<string, string> {
  const login = token?.account.login ?? '';
  return {
    ...toRateLimitHeaders(desk.points.standing(login, 'core'), 'core'),
    ...(token === undefined || token.installation !== undefined
      ? {}
      : { 'x-oauth-scopes': (token.scopes ?? ALL_SCOPES).join(', ') }),
  };
}

/** Answers 304 if the client already has the content. */
function applyEtag(request: IncomingMessage, answer: GithubHttpResponse): GithubHttpResponse {
  if (request.method !== 'GET' || answer.status !== 200 || answer.body === undefined) return answer;
  const etag = `W/"${Buffer.from(JSON.stringify(answer.body)).toString('base64').length}-${hash(JSON.stringify(answer.body))}"`;
  if (request.headers['if-none-match'] === etag) return { status: 304, headers: { ...answer.headers, etag } };
  return { ...answer, headers: { ...answer.headers, etag } };
}

function hash(text: string): string {
  let sum = 0;
  for (const character of text) sum = (Math.imul(sum, 31) + (character.codePointAt(0) ?? 0)) | 0;
  return (sum >>> 0).toString(16);
}

function readBody(text: string): Record<string, unknown> {
  if (text === '') return {};
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  } catch {
    throw new GithubRefusal('UNPROCESSABLE', 'Problems parsing JSON');
  }
}
