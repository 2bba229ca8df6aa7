/** Resolves the root fields of queries. */
import { canSeeNode, requireScope } from '../../model/access.ts';
import { GithubRefusal } from '../../model/fault.ts';
import type { Account, GithubNode } from '../../model/nodes.ts';
import { buildConnection, type PageArguments } from '../connection.ts';
import type { GithubResolverContext, GithubResolverTable } from '../context.ts';
import { searchIssues } from '../search.ts';
import { formatGithubTime, SchemaValue } from '../shape.ts';

export const QUERY: GithubResolverTable = {
  Query: {
    viewer: (_: unknown, __: unknown, { token }: GithubResolverContext) => token.account,
    rateLimit: (_: unknown, __: unknown, { rateLimit }: GithubResolverContext) =>
      new SchemaValue('RateLimit', { ...rateLimit, resetAt: formatGithubTime(rateLimit.resetAt) }),
    node: (_: unknown, { id }: { id: string }, context: GithubResolverContext) =>
      requireNodeById(context, id),
    nodes: (_: unknown, { ids }: { ids: string[] }, context: GithubResolverContext) =>
      findNodesById(context, ids),
    repository: (
      _: unknown,
      { owner, name }: { owner: string; name: string },
      { world, token }: GithubResolverContext,
    ) => {
      const found = world.repositories.get(`${owner}/${name}`.toLowerCase());
      if (found !== undefined && canSeeNode(found, token)) return found;
      throw new GithubRefusal(
        'NOT_FOUND',
        `Could not resolve to a Repository with the name '${owner}/${name}'.`,
      );
    },
    user: (_: unknown, { login }: { login: string }, context: GithubResolverContext) =>
      requireAccount(context, login, 'User', `Could not resolve to a User with the login of '${login}'.`),
    organization: (_: unknown, { login }: { login: string }, context: GithubResolverContext) =>
      requireAccount(
        context,
        login,
        'Organization',
        `Could not resolve to an Organization with the login of '${login}'.`,
      ),
    repositoryOwner: (_: unknown, { login }: { login: string }, { world }: GithubResolverContext) => {
      const found = world.accounts.get(login.toLowerCase());
      return found === undefined || found.type === 'Bot' ? null : found;
    },
    search: (
      _: unknown,
      args: PageArguments & { query: string; type: string },
      context: GithubResolverContext,
    ) => {
      const found = searchIssues(context, args.query, args.type);
      return buildConnection('SearchResultItemConnection', found, args, {
        fields: { issueCount: found.length },
      });
    },
  },
};

/** GitHub's maximum number of ids per query. */
const MAX_IDS = 100;

function findNodesById(context: GithubResolverContext, ids: readonly string[]): unknown[] {
  if (ids.length > MAX_IDS) {
    throw new GithubRefusal(
      'EXCESSIVE_PAGINATION',
      `You may not provide more than ${MAX_IDS} node ids; you provided ${ids.length}.`,
    );
  }
  return ids.map((id) => {
    try {
      return requireNodeById(context, id);
    } catch (error) {
      return error; // GraphQL returns null in this position, and adds the error to the response beside the other data
    }
  });
}

export function requireNodeById({ world, token }: GithubResolverContext, id: string): GithubNode {
  const node = world.nodes.get(id);
  if (node?.type.startsWith('ProjectV2')) requireScope(token, 'id', 'read:project', 'project');
  if (node !== undefined && canSeeNode(node, token)) return node;
  throw new GithubRefusal('NOT_FOUND', `Could not resolve to a node with the global id of '${id}'`);
}

function requireAccount(
  { world }: GithubResolverContext,
  login: string,
  type: Account['type'],
  otherwise: string,
): Account {
  const found = world.accounts.get(login.toLowerCase());
  if (found?.type === type) return found;
  throw new GithubRefusal('NOT_FOUND', otherwise);
}
