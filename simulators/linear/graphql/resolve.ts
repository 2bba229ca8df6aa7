/** Resolves fields. A field of the schema that is not simulated is an error, never null. */
import type { GraphQLFieldResolver, GraphQLResolveInfo, GraphQLTypeResolver } from 'graphql';
import { watchArguments } from '../../watched-arguments.ts';
import type { LinearNode } from '../model/nodes.ts';
import { NotSimulated } from '../model/refusal.ts';
import type { LinearResolver, LinearResolverContext, LinearResolverTable } from './context.ts';
import { MUTATIONS } from './mutations/all.ts';
import { ACCOUNT } from './types/account.ts';
import { ISSUE } from './types/issue.ts';
import { PROJECT } from './types/project.ts';
import { QUERY } from './types/query.ts';
import { TEAM } from './types/team.ts';
import { THREAD } from './types/thread.ts';

const TABLE: LinearResolverTable = {
  ...ACCOUNT,
  ...ISSUE,
  ...PROJECT,
  ...QUERY,
  ...TEAM,
  ...THREAD,
  Mutation: MUTATIONS,
};

export const resolveField: GraphQLFieldResolver<unknown, LinearResolverContext> = (
  source,
  args,
  context,
  info,
) => {
  if (isNode(source)) context.places?.note(source, info);
  const value = resolveAsIs(source, args, context, info);
  const odd = context.world.oddFields.find(
    ({ field, matches }) => field === info.fieldName && isNode(source) && matches(source),
  );
  return odd === undefined ? value : odd.answer(value);
};

function isNode(source: unknown): source is LinearNode {
  return typeof source === 'object' && source !== null && 'node' in source;
}

const resolveAsIs: GraphQLFieldResolver<unknown, LinearResolverContext> = (source, args, context, info) => {
  const { fieldName, parentType } = info;
  const fields = TABLE[parentType.name];
  const resolver = fields !== undefined && Object.hasOwn(fields, fieldName) ? fields[fieldName] : undefined;
  if (resolver !== undefined) return withArguments(resolver, source, args, context, info);
  // Pages and payloads contain their own fields. A type that has a resolver table uses only that
  // table.
  if (fields === undefined && typeof source === 'object' && source !== null && fieldName in source) {
    return Reflect.get(source, fieldName);
  }
  throw new NotSimulated(
    `The simulator does not know ${parentType.name}.${fieldName}: it is in Linear's schema, but it has no resolver here.`,
  );
};

function withArguments(
  resolver: LinearResolver,
  source: unknown,
  args: Readonly<Record<string, unknown>>,
  context: LinearResolverContext,
  info: GraphQLResolveInfo,
): unknown {
  if ((info.fieldNodes[0]?.arguments ?? []).length === 0)
    return resolver(source as never, args as never, context);
  const watched = watchArguments(args, info, (message) => new NotSimulated(message));
  const value = resolver(source as never, watched.args as never, context);
  watched.check();
  return value;
}

export const resolveType: GraphQLTypeResolver<unknown, LinearResolverContext> = (value) =>
  (value as { node: string }).node;
