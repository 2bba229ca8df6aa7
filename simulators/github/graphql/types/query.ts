/** Where queries begin. */
import { maySee, requireScope } from '../../model/access.ts';
import { GithubRefusal } from '../../model/fault.ts';
import type { Account, GithubNode } from '../../model/nodes.ts';
import { connection, type Page } from '../connection.ts';
import type { Context, Table } from '../context.ts';
import { searchIssues } from '../search.ts';
import { Shape, time } from '../shape.ts';

export const QUERY: Table = {
  Query: {
    viewer: (_: unknown, __: unknown, { token }: Context) => token.account,
    rateLimit: (_: unknown, __: unknown, { rateLimit }: Context) =>
      new Shape('RateLimit', { ...rateLimit, resetAt: time(rateLimit.resetAt) }),
    node: (_: unknown, { id }: { id: string }, context: Context) => nodeById(context, id),
    nodes: (_: unknown, { ids }: { ids: string[] }, context: Context) => nodesById(context, ids),
    repository: (_: unknown, { owner, name }: { owner: string; name: string }, { world, token }: Context) => {
      const found = world.repositories.get(`${owner}/${name}`.toLowerCase());
      if (found !== undefined && maySee(found, token)) return found;
      throw new GithubRefusal(
        'NOT_FOUND',
        `Could not resolve to a Repository with the name '${owner}/${name}'.`,
      );
    },
    user: (_: unknown, { login }: { login: string }, context: Context) =>
      account(context, login, 'User', `Could not resolve to a User with the login of '${login}'.`),
    organization: (_: unknown, { login }: { login: string }, context: Context) =>
      account(
        context,
        login,
        'Organization',
        `Could not resolve to an Organization with the login of '${login}'.`,
      ),
    repositoryOwner: (_: unknown, { login }: { login: string }, { world }: Context) => {
      const found = world.accounts.get(login.toLowerCase());
      return found === undefined || found.type === 'Bot' ? null : found;
    },
    search: (_: unknown, args: Page & { query: string; type: string }, context: Context) => {
      const found = searchIssues(context, args.query, args.type);
      return connection('SearchResultItemConnection', found, args, { fields: { issueCount: found.length } });
    },
  },
};

/** GitHub takes no more ids at once. */
const MOST_IDS = 100;

function nodesById(context: Context, ids: readonly string[]): unknown[] {
  if (ids.length > MOST_IDS) {
    throw new GithubRefusal(
      'EXCESSIVE_PAGINATION',
      `You may not provide more than ${MOST_IDS} node ids; you provided ${ids.length}.`,
    );
  }
  return ids.map((id) => {
    try {
      return nodeById(context, id);
    } catch (error) {
      return error; // null in its place, and an error beside the others' data
    }
  });
}

export function nodeById({ world, token }: Context, id: string): GithubNode {
  const node = world.nodes.get(id);
  if (node?.type.startsWith('ProjectV2')) requireScope(token, 'id', 'read:project', 'project');
  if (node !== undefined && maySee(node, token)) return node;
  throw new GithubRefusal('NOT_FOUND', `Could not resolve to a node with the global id of '${id}'`);
}

function account({ world }: Context, login: string, type: Account['type'], otherwise: string): Account {
  const found = world.accounts.get(login.toLowerCase());
  if (found?.type === type) return found;
  throw new GithubRefusal('NOT_FOUND', otherwise);
}
