/** Fields of users, organizations and bots. */
import { mayProject, maySee, requireScope } from '../../model/access.ts';
import { GithubRefusal } from '../../model/fault.ts';
import type { Account } from '../../model/nodes.ts';
import { connection, type Page } from '../connection.ts';
import type { Context, Resolver, Table } from '../context.ts';
import { time } from '../shape.ts';
import { accountPath } from './urls.ts';

const EVERYBODY: Readonly<Record<string, Resolver>> = {
  id: (it: Account) => it.id,
  databaseId: (it: Account) => it.databaseId,
  login: (it: Account) => it.login,
  createdAt: (it: Account) => time(it.createdAt),
  url: (it: Account, _: unknown, { url }: Context) => `${url}${accountPath(it)}`,
  resourcePath: (it: Account) => accountPath(it),
  avatarUrl: (it: Account, _: unknown, { url }: Context) => `${url}/avatars/${it.login}`,
};

const OWNERS: Readonly<Record<string, Resolver>> = {
  ...EVERYBODY,
  name: () => null,
  projectV2: (it: Account, { number }: { number: number }, context: Context) => {
    requireScope(context.token, 'projectV2', 'read:project', 'project');
    const project = context.world.projects.find((each) => each.owner === it && each.number === number);
    if (project !== undefined && mayProject(project, context.token, 'READ')) return project;
    throw new GithubRefusal('NOT_FOUND', `Could not resolve to a ProjectV2 with the number ${number}.`);
  },
  projectsV2: (it: Account, page: Page, { world, token }: Context) => {
    requireScope(token, 'projectsV2', 'read:project', 'project');
    const seen = world.projects.filter((each) => each.owner === it && mayProject(each, token, 'READ'));
    return connection('ProjectV2Connection', seen.reverse(), page);
  },
  repository: (it: Account, { name }: { name: string }, { world, token }: Context) => {
    const found = world.repositories.get(`${it.login}/${name}`.toLowerCase());
    return found !== undefined && maySee(found, token) ? found : null;
  },
};

export const ACCOUNT: Table = {
  User: {
    ...OWNERS,
    isViewer: (it: Account, _: unknown, { token }: Context) => it === token.account,
    email: (it: Account) => `${it.login}@example.com`,
  },
  Organization: {
    ...OWNERS,
    viewerIsAMember: (it: Account, _: unknown, { token }: Context) => it.members.has(token.account.login),
  },
  // GraphQL shows a bot without the suffix that REST, webhooks and `viewer` show it with.
  Bot: { ...EVERYBODY, login: (it: Account) => it.login.replace(/\[bot\]$/, '') },
};
