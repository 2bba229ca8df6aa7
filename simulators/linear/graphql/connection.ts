/**
 * Returns one page of a list, newest first. A cursor is a node's id and stays valid when the node
 * moves.
 */
import { canSeeNode } from '../model/access.ts';
import type { LinearNode, NodeName, NodeOf } from '../model/nodes.ts';
import { toInvalidInput } from '../model/refusal.ts';
import type { LinearResolverContext } from './context.ts';
import { type LinearFilter, matchFilter } from './filter.ts';

/** Linear's documented values. */
export const DEFAULT_PAGE = 50;
const LARGEST_PAGE = 250;

export interface PageArguments {
  readonly first?: number | null;
  readonly last?: number | null;
  readonly after?: string | null;
  readonly before?: string | null;
  readonly orderBy?: 'createdAt' | 'updatedAt' | null;
  readonly includeArchived?: boolean | null;
  readonly filter?: LinearFilter | null;
}

/** Pages through the nodes in `all` that the requester may see. */
export function buildConnection<N extends NodeName>(
  name: N,
  all: readonly NodeOf<N>[],
  args: PageArguments,
  context: LinearResolverContext,
): object {
  const { first, last, after, before, filter } = args;
  const by = args.orderBy ?? 'createdAt';
  const archived = args.includeArchived ?? false;
  requireSize('first', first);
  requireSize('last', last);
  if (first != null && last != null) throw toInvalidInput('first and last cannot be given together');
  const { user } = context.credential;
  const nodes = (all as readonly LinearNode[])
    .filter((node) => (archived || node.archivedAt === undefined) && canSeeNode(user, node))
    .filter((node) => filter == null || matchFilter(node, filter, context))
    .sort((a, b) => compare(a, b, by));
  let from = after == null ? 0 : placeOf(nodes, requireNodeAt(context, name, after), by, 'after');
  let to = before == null ? nodes.length : placeOf(nodes, requireNodeAt(context, name, before), by, 'before');
  to = Math.max(from, to);
  if (last != null) from = Math.max(from, to - last);
  else to = Math.min(to, from + (first ?? DEFAULT_PAGE));
  const page = nodes.slice(from, to);
  return {
    nodes: page,
    edges: page.map((node) => ({ node, cursor: node.id })),
    pageInfo: {
      startCursor: page[0]?.id ?? null,
      endCursor: page.at(-1)?.id ?? null,
      hasNextPage: to < nodes.length,
      hasPreviousPage: from > 0,
    },
  };
}

function requireSize(name: string, size: number | null | undefined): void {
  if (size == null) return;
  if (size < 1) throw toInvalidInput(`${name} must not be less than 1`);
  if (size > LARGEST_PAGE) throw toInvalidInput(`${name} must not be greater than ${LARGEST_PAGE}`);
}

function requireNodeAt({ world }: LinearResolverContext, name: NodeName, cursor: string): LinearNode {
  const node = world.byId(name, cursor);
  if (node === undefined) throw toInvalidInput(`The cursor ${cursor} is invalid`);
  return node;
}

function compare(a: LinearNode, b: LinearNode, by: 'createdAt' | 'updatedAt'): number {
  return b[by] - a[by] || b.order - a.order;
}

/**
 * Returns the position that the node would have now. The node itself may have moved or left the
 * list.
 */
function placeOf(
  nodes: readonly LinearNode[],
  node: LinearNode,
  by: 'createdAt' | 'updatedAt',
  side: 'after' | 'before',
): number {
  const found = nodes.findIndex((each) =>
    side === 'after' ? compare(each, node, by) > 0 : compare(each, node, by) >= 0,
  );
  return found < 0 ? nodes.length : found;
}
