/** Resolves fields of users, organizations and bots. */
import { canAccessProject, canSeeNode, requireScope } from '../../model/access.ts';
import { GithubRefusal } from '../../model/fault.ts';
import type { Account } from '../../model/nodes.ts';
import { buildConnection, type PageArguments } from '../connection.ts';
import type { GithubResolver, GithubResolverContext, GithubResolverTable } from '../context.ts';
import { formatGithubTime } from '../shape.ts';
import { toAccountPath } from './urls.ts';

const ACTOR_RESOLVERS: Readonly<Record<string, GithubResolver>> = {
  id: (it: Account) => it.id,
  databaseId: (it: Account) => it.databaseId,
  login: (it: Account) => it.login,
  createdAt: (it: Account) => formatGithubTime(it.createdAt),
  url: (it: Account, _: unknown, { url }: GithubResolverContext) => `${url}${toAccountPath(it)}`,
  resourcePath: (it: Account) => toAccountPath(it),
  avatarUrl: (it: Account, _: unknown, { url }: GithubResolverContext) => `${url}/avatars/${it.login}`,
};

const OWNERS: Readonly<Record<string, GithubResolver>> = {
  ...ACTOR_RESOLVERS,
  name: () => null,
  projectV2: (it: Account, { number }: { number: number }, context: GithubResolverContext) => {
    requireScope(context.token, 'projectV2', 'read:project', 'project');
    const project = context.world.projects.find((each) => each.owner === it && each.number === number);
    if (project !== undefined && canAccessProject(project, context.token, 'READ')) return project;
    throw new GithubRefusal('NOT_FOUND', `Could not resolve to a ProjectV2 with the number ${number}.`);
  },
  projectsV2: (it: Account, page: PageArguments, { world, token }: GithubResolverContext) => {
    requireScope(token, 'projectsV2', 'read:project', 'project');
    const seen = world.projects.filter((each) => each.owner === it && canAccessProject(each, token, 'READ'));
    return buildConnection('ProjectV2Connection', seen.reverse(), page);
  },
  repository: (it: Account, { name }: { name: string }, { world, token }: GithubResolverContext) => {
    const found = world.repositories.get(`${it.login}/${name}`.toLowerCase());
    return found !== undefined && canSeeNode(found, token) ? found : null;
  },
};

export const ACCOUNT: GithubResolverTable = {
  User: {
    ...OWNERS,
    isViewer: (it: Account, _: unknown, { token }: GithubResolverContext) => it === token.account,
    email: (it: Account) => `${it.login}@example.com`,
  },
  Organization: {
    ...OWNERS,
    viewerIsAMember: (it: Account, _: unknown, { token }: GithubResolverContext) =>
      it.members.has(token.account.login),
  },
  // GraphQL omits the bot suffix that REST, webhooks and `viewer` show.
  Bot: { ...ACTOR_RESOLVERS, login: (it: Account) => it.login.replace(/\[bot\]$/, '') },
};
