/** A route of the REST API as its documentation writes it, and how a path is told to be it. */
import type { Answer } from '../http/answer.ts';
import type { Desk } from '../http/server.ts';
import { maySee } from '../model/access.ts';
import { GithubRefusal } from '../model/fault.ts';
import type { Repository } from '../model/nodes.ts';
import type { Token } from '../model/world.ts';

export interface Asked {
  readonly desk: Desk;
  readonly token: Token | undefined;
  readonly secret: string | undefined;
  readonly parameters: Parameters;
  /** As it was asked, without its query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: {
    readonly issue_id?: unknown;
    readonly permissions?: unknown;
    readonly repositories?: unknown;
  };
}

/** Every name that stands in a route. */
export interface Parameters {
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

export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Such as `/repos/{owner}/{repo}`. */
  readonly path: string;
  /** `app`: by a signed assertion; `anybody`: without any credentials too. */
  readonly as: 'token' | 'app' | 'anybody';
  /** Costs no point. */
  readonly free?: boolean;
  answer(asked: Asked): Answer | Promise<Answer>;
}

const PREFIX = '/api/v3';

export function matchRoute(
  routes: readonly Route[],
  method: string,
  pathname: string,
): { readonly route: Route; readonly parameters: Parameters } | undefined {
  for (const route of routes) {
    if (route.method !== method) continue;
    const parameters = parametersIn(route.path, pathname);
    if (parameters !== undefined) return { route, parameters };
  }
  return undefined;
}

/** A route that does not begin with the API's own place is written with its whole path. */
function parametersIn(path: string, pathname: string): Parameters | undefined {
  const whole = path.startsWith('/_') ? path : `${PREFIX}${path}`;
  // A branch has slashes in it.
  const pattern = whole.replace(/\{(\w+)\}/g, (_, name: string) =>
    name === 'branch' || name === 'basehead' ? `(?<${name}>.+)` : `(?<${name}>[^/]+)`,
  );
  const groups = new RegExp(`^${pattern}$`).exec(pathname)?.groups;
  if (groups === undefined) return new RegExp(`^${pattern}$`).test(pathname) ? {} : undefined;
  return Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, decodeURIComponent(value)]));
}

/** As everywhere on GitHub: what one may not see is not there. */
export function repositoryOf({ desk, token, parameters: { owner, repo } }: Asked): Repository {
  const repository = desk.world.repositories.get(`${owner}/${repo}`.toLowerCase());
  if (repository !== undefined && token !== undefined && maySee(repository, token)) return repository;
  throw new GithubRefusal('NOT_FOUND', 'Not Found');
}
