/** Implements the routes of accounts, repositories and the rate limit. */
import { getPermission, getTokenPermission, isPermissionEnough } from '../model/access.ts';
import { GithubRefusal } from '../model/fault.ts';
import { toAccountJson, toRepositoryJson } from './json.ts';
import { type RestRequest, type RestRoute, requireVisibleRepository } from './route.ts';

export const REPOSITORY_ROUTES: readonly RestRoute[] = [
  {
    method: 'GET',
    path: '/user',
    as: 'token',
    answer: ({ desk, token }) => {
      if (token?.installation !== undefined)
        throw new GithubRefusal('FORBIDDEN', 'Resource not accessible by integration');
      return { status: 200, body: token === undefined ? {} : toAccountJson(token.account, desk.url) };
    },
  },
  {
    method: 'GET',
    path: '/users/{username}',
    as: 'anybody',
    answer: ({ desk, parameters }) => {
      const account = desk.world.accounts.get((parameters.username ?? '').toLowerCase());
      if (account === undefined) throw new GithubRefusal('NOT_FOUND', 'Not Found');
      return { status: 200, body: toAccountJson(account, desk.url) };
    },
  },
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}',
    as: 'token',
    answer: (asked) => {
      const repository = requireVisibleRepository(asked);
      const has = asked.token === undefined ? undefined : getTokenPermission(repository, asked.token);
      const permissions = {
        admin: isPermissionEnough(has, 'ADMIN'),
        maintain: isPermissionEnough(has, 'MAINTAIN'),
        push: isPermissionEnough(has, 'WRITE'),
        triage: isPermissionEnough(has, 'TRIAGE'),
        pull: isPermissionEnough(has, 'READ'),
      };
      return { status: 200, body: { ...toRepositoryJson(repository, asked.desk.url), permissions } };
    },
  },
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/collaborators/{username}/permission',
    as: 'token',
    answer: (asked) => toCollaboratorPermission(asked),
  },
  {
    method: 'GET',
    path: '/rate_limit',
    as: 'token',
    free: true,
    answer: ({ desk, token }) => {
      const login = token?.account.login ?? '';
      const of = (resource: 'core' | 'graphql') => {
        const { limit, used, remaining, resetAt } = desk.points.standing(login, resource);
        return { limit, used, remaining, reset: resetAt, resource };
      };
      return {
        status: 200,
        body: { resources: { core: of('core'), graphql: of('graphql') }, rate: of('core') },
      };
    },
  },
];

const OLD_NAMES: Readonly<Record<string, string>> = {
  ADMIN: 'admin',
  MAINTAIN: 'write',
  WRITE: 'write',
  TRIAGE: 'read',
  READ: 'read',
};

function toCollaboratorPermission(asked: RestRequest) {
  const repository = requireVisibleRepository(asked);
  if (
    asked.token === undefined ||
    !isPermissionEnough(getTokenPermission(repository, asked.token), 'WRITE')
  ) {
    throw new GithubRefusal('FORBIDDEN', 'Must have push access to view collaborator permission.');
  }
  const account = asked.desk.world.accounts.get((asked.parameters.username ?? '').toLowerCase());
  if (account === undefined) throw new GithubRefusal('NOT_FOUND', 'Not Found');
  const has = getPermission(repository, account);
  const body = {
    // This legacy field has only four possible values. `role_name` distinguishes all permissions.
    permission: has === undefined ? 'none' : OLD_NAMES[has],
    role_name: has === undefined ? 'none' : has.toLowerCase(),
    user: toAccountJson(account, asked.desk.url),
  };
  return { status: 200, body };
}
