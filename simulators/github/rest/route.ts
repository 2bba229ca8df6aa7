/**
 * Defines REST routes in the notation of GitHub's documentation, and matches paths against them.
 */
import type { GithubHttpResponse } from '../http/answer.ts';
import type { GithubServerContext } from '../http/server.ts';
import { canSeeNode } from '../model/access.ts';
import { GithubRefusal } from '../model/fault.ts';
import type { Repository } from '../model/nodes.ts';
import type { GithubToken } from '../model/world.ts';

export interface RestRequest {
  readonly desk: GithubServerContext;
  readonly token: GithubToken | undefined;
  readonly secret: string | undefined;
  readonly parameters: RouteParameters;
  /** The requested path, without its query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: {
    readonly issue_id?: unknown;
    readonly permissions?: unknown;
    readonly repositories?: unknown;
  };
}

/** Every parameter name that occurs in a route. */
export interface RouteParameters {
  readonly owner?: string;
  readonly repo?: string;
  readonly org?: string;
  readonly username?: string;
  readonly issue_number?: string;
  readonly issue_id?: string;
  readonly pull_number?: string;
  readonly job_id?: string;
  readonly branch?: string;
  readonly basehead?: string;
  readonly ref?: string;
  readonly installation_id?: string;
}

export interface RestRoute {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** For example `/repos/{owner}/{repo}`. */
  readonly path: string;
  /** `app` requires a signed assertion. `anybody` needs no credentials. */
  readonly as: 'token' | 'app' | 'anybody';
  /** Whether a request to this route costs no rate limit point. */
  readonly free?: boolean;
  answer(asked: RestRequest): GithubHttpResponse | Promise<GithubHttpResponse>;
}

const PREFIX = '/api/v3';

export function matchRoute(
  routes: readonly RestRoute[],
  method: string,
  pathname: string,
): { readonly route: RestRoute; readonly parameters: RouteParameters } | undefined {
  for (const route of routes) {
    if (route.method !== method) continue;
    const parameters = parseRouteParameters(route.path, pathname);
    if (parameters !== undefined) return { route, parameters };
  }
  return undefined;
}

/**
 * Parses the parameters in a path. The API's prefix is added to the route's path, unless that path
 * starts with `/_`.
 */
function parseRouteParameters(path: string, pathname: string): RouteParameters | undefined {
  const whole = path.startsWith('/_') ? path : `${PREFIX}${path}`;
  // A branch name may contain slashes.
  const pattern = whole.replace(/\{(\w+)\}/g, (_, name: string) =>
    name === 'branch' || name === 'basehead' ? `(?<${name}>.+)` : `(?<${name}>[^/]+)`,
  );
  const groups = new RegExp(`^${pattern}$`).exec(pathname)?.groups;
  if (groups === undefined) return new RegExp(`^${pattern}$`).test(pathname) ? {} : undefined;
  return Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, decodeURIComponent(value)]));
}

/**
 * Throws if the token may not see the repository. As on GitHub, the repository then does not exist
 * for that token.
 */
export function requireVisibleRepository({
  desk,
  token,
  parameters: { owner, repo },
}: RestRequest): Repository {
  const repository = desk.world.repositories.get(`${owner}/${repo}`.toLowerCase());
  if (repository !== undefined && token !== undefined && canSeeNode(repository, token)) return repository;
  throw new GithubRefusal('NOT_FOUND', 'Not Found');
}
