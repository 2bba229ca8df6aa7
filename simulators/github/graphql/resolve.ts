/** Resolves fields. A field of the schema that is not simulated is an error, never null. */
import type { GraphQLFieldResolver, GraphQLResolveInfo, GraphQLTypeResolver } from 'graphql';
import { watchArguments } from '../../watched-arguments.ts';
import { GithubRefusal } from '../model/fault.ts';
import type { GithubNode, RewritableNode } from '../model/nodes.ts';
import type { GithubResolver, GithubResolverContext, GithubResolverTable } from './context.ts';
import { MUTATIONS } from './mutations/all.ts';
import { SchemaValue } from './shape.ts';
import { ACCOUNT } from './types/account.ts';
import { CHECKS } from './types/checks.ts';
import { ISSUE } from './types/issue.ts';
import { PROJECT } from './types/project.ts';
import { PULL_REQUEST } from './types/pull-request.ts';
import { QUERY } from './types/query.ts';
import { REPOSITORY } from './types/repository.ts';
import { THREAD } from './types/thread.ts';

const TABLE: GithubResolverTable = {
  ...ACCOUNT,
  ...CHECKS,
  ...ISSUE,
  ...PROJECT,
  ...PULL_REQUEST,
  ...QUERY,
  ...REPOSITORY,
  ...THREAD,
  Mutation: MUTATIONS,
};

export const resolveField: GraphQLFieldResolver<unknown, GithubResolverContext> = (
  source,
  args,
  context,
  info,
) => {
  if (isRewritable(source)) context.places?.note(source, info);
  const odd = context.world.oddFields.find(
    ({ field, matches }) => field === info.fieldName && isNode(source) && matches(source),
  );
  const value = resolveAsIs(source, args, context, info);
  if (odd === undefined) return value;
  return value instanceof Promise ? value.then(odd.answer) : odd.answer(value);
};

/** Returns true for nodes and for commits, although commits have no id here. */
function isRewritable(source: unknown): source is RewritableNode {
  return (
    isNode(source) || (typeof source === 'object' && source !== null && 'oid' in source && 'type' in source)
  );
}

function isNode(source: unknown): source is GithubNode {
  return typeof source === 'object' && source !== null && 'id' in source && 'type' in source;
}

const resolveAsIs: GraphQLFieldResolver<unknown, GithubResolverContext> = (source, args, context, info) => {
  const { fieldName, parentType } = info;
  const fields = TABLE[parentType.name];
  const resolver = fields !== undefined && Object.hasOwn(fields, fieldName) ? fields[fieldName] : undefined;
  if (resolver !== undefined) return withArguments(resolver, source, args, context, info);
  if (source instanceof SchemaValue && Object.hasOwn(source.fields, fieldName))
    return source.fields[fieldName];
  throw new GithubRefusal(
    'NOT_SIMULATED',
    `The simulator does not know ${parentType.name}.${fieldName}: it is in GitHub's schema, but it has no resolver here.`,
  );
};

function withArguments(
  resolver: GithubResolver,
  source: unknown,
  args: Readonly<Record<string, unknown>>,
  context: GithubResolverContext,
  info: GraphQLResolveInfo,
): unknown {
  if ((info.fieldNodes[0]?.arguments ?? []).length === 0)
    return resolver(source as never, args as never, context);
  const watched = watchArguments(args, info, (message) => new GithubRefusal('NOT_SIMULATED', message));
  const value = resolver(source as never, watched.args as never, context);
  if (!(value instanceof Promise)) {
    watched.check();
    return value;
  }
  return value.then((resolved: unknown) => {
    watched.check();
    return resolved;
  });
}

export const resolveType: GraphQLTypeResolver<unknown, GithubResolverContext> = (value) =>
  (value as { type: string }).type;
