/** One mutation as a resolver: whether the credential may write, and its payload. */
import { requireScope, sees } from '../../model/access.ts';
import type { Issue, NodeName, NodeOf, Team } from '../../model/nodes.ts';
import { notFound } from '../../model/refusal.ts';
import type { Context, Resolver } from '../context.ts';

export function mutation<A>(
  name: string,
  perform: (args: A, context: Context) => Readonly<Record<string, unknown>>,
): Record<string, Resolver> {
  return {
    [name]: (_: unknown, args: A, context: Context) => {
      requireScope(context.credential, name);
      const payload = perform(args, context);
      return { success: true, lastSyncId: context.world.order, ...payload };
    },
  };
}

/** What is not there or not to be seen is refused, by whatever name it was asked for. */
export function find<N extends NodeName>({ world, credential }: Context, name: N, id: string): NodeOf<N> {
  const node = world.byId(name, id);
  if (node === undefined || !sees(credential.user, node)) throw notFound(name);
  return node;
}

/** By UUID or identifier. */
export function findIssue({ world, credential }: Context, id: string): Issue {
  const issue = world.issue(id);
  if (issue === undefined || !sees(credential.user, issue)) throw notFound('Issue');
  return issue;
}

export function findTeam({ world, credential }: Context, id: string): Team {
  const team = world.byId('Team', id);
  if (team === undefined || !sees(credential.user, team)) throw notFound('Team');
  return team;
}

/** Undefined stays undefined, and null stays null: the one leaves, the other takes away. */
export function findOr<T>(id: string | null | undefined, look: (id: string) => T): T | null | undefined {
  return id == null ? id : look(id);
}
