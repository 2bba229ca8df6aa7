/** Routes of accounts, repositories, and of what is left of the points. */
import { permissionOf, reaches, tokenPermission } from '../model/access.ts';
import { GithubRefusal } from '../model/fault.ts';
import { accountJson, repositoryJson } from './json.ts';
import { type Asked, type Route, repositoryOf } from './route.ts';

export const REPOSITORY_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/user',
    as: 'token',
    answer: ({ desk, token }) => {
      if (token?.installation !== undefined)
        throw new GithubRefusal('FORBIDDEN', 'Resource not accessible by integration');
      return { status: 200, body: token === undefined ? {} : accountJson(token.account, desk.url) };
    },
  },
  {
    method: 'GET',
    path: '/users/{username}',
    as: 'anybody',
    answer: ({ desk, parameters }) => {
      const account = desk.world.accounts.get((parameters.username ?? '').toLowerCase());
      if (account === undefined) throw new GithubRefusal('NOT_FOUND', 'Not Found');
      return { status: 200, body: accountJson(account, desk.url) };
    },
  },
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}',
    as: 'token',
    answer: (asked) => {
      const repository = repositoryOf(asked);
      const has = asked.token === undefined ? undefined : tokenPermission(repository, asked.token);
      const permissions = {
        admin: reaches(has, 'ADMIN'),
        maintain: reaches(has, 'MAINTAIN'),
        push: reaches(has, 'WRITE'),
        triage: reaches(has, 'TRIAGE'),
        pull: reaches(has, 'READ'),
      };
      return { status: 200, body: { ...repositoryJson(repository, asked.desk.url), permissions } };
    },
  },
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/collaborators/{username}/permission',
    as: 'token',
    answer: (asked) => collaboratorPermission(asked),
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

function collaboratorPermission(asked: Asked) {
  const repository = repositoryOf(asked);
  if (asked.token === undefined || !reaches(tokenPermission(repository, asked.token), 'WRITE')) {
    throw new GithubRefusal('FORBIDDEN', 'Must have push access to view collaborator permission.');
  }
  const account = asked.desk.world.accounts.get((asked.parameters.username ?? '').toLowerCase());
  if (account === undefined) throw new GithubRefusal('NOT_FOUND', 'Not Found');
  const has = permissionOf(repository, account);
  const body = {
    // The old field knows four words; the role has them all.
    permission: has === undefined ? 'none' : OLD_NAMES[has],
    role_name: has === undefined ? 'none' : has.toLowerCase(),
    user: accountJson(account, asked.desk.url),
  };
  return { status: 200, body };
}
