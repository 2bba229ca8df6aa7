/**
 * Wraps a mutation as a resolver: checks that the credential may write, and returns the payload.
 */
import { canSeeNode, requireScope } from '../../model/access.ts';
import type { Issue, NodeName, NodeOf, Team } from '../../model/nodes.ts';
import { toNotFound } from '../../model/refusal.ts';
import type { LinearResolver, LinearResolverContext } from '../context.ts';

export function defineMutation<A>(
  name: string,
  perform: (args: A, context: LinearResolverContext) => Readonly<Record<string, unknown>>,
): Record<string, LinearResolver> {
  return {
    [name]: (_: unknown, args: A, context: LinearResolverContext) => {
      requireScope(context.credential, name);
      const payload = perform(args, context);
      return { success: true, lastSyncId: context.world.order, ...payload };
    },
  };
}

/** Throws if the node does not exist or the requester may not see it. */
export function find<N extends NodeName>(
  { world, credential }: LinearResolverContext,
  name: N,
  id: string,
): NodeOf<N> {
  const node = world.byId(name, id);
  if (node === undefined || !canSeeNode(credential.user, node)) throw toNotFound(name);
  return node;
}

/** Accepts a UUID or an identifier. */
export function findIssue({ world, credential }: LinearResolverContext, id: string): Issue {
  const issue = world.issue(id);
  if (issue === undefined || !canSeeNode(credential.user, issue)) throw toNotFound('Issue');
  return issue;
}

export function findTeam({ world, credential }: LinearResolverContext, id: string): Team {
  const team = world.byId('Team', id);
  if (team === undefined || !canSeeNode(credential.user, team)) throw toNotFound('Team');
  return team;
}

/**
 * Looks up the id, if there is one. Otherwise returns the argument unchanged: undefined (keep the
 * value) or null (clear it).
 */
export function findOr<T>(id: string | null | undefined, look: (id: string) => T): T | null | undefined {
  return id == null ? id : look(id);
}
