/** One page of a list, newest first; a cursor is the id of the one it stands at, wherever that is by now. */
import { sees } from '../model/access.ts';
import type { LinearNode, NodeName, NodeOf } from '../model/nodes.ts';
import { invalid } from '../model/refusal.ts';
import type { Context } from './context.ts';
import { type Filter, matches } from './filter.ts';

/** Both as Linear documents them. */
export const DEFAULT_PAGE = 50;
const LARGEST_PAGE = 250;

export interface PageArguments {
  readonly first?: number | null;
  readonly last?: number | null;
  readonly after?: string | null;
  readonly before?: string | null;
  readonly orderBy?: 'createdAt' | 'updatedAt' | null;
  readonly includeArchived?: boolean | null;
  readonly filter?: Filter | null;
}

/** Of those in `all` that the asker may see. */
export function connection<N extends NodeName>(
  name: N,
  all: readonly NodeOf<N>[],
  args: PageArguments,
  context: Context,
): object {
  const { first, last, after, before, filter } = args;
  const by = args.orderBy ?? 'createdAt';
  const archived = args.includeArchived ?? false;
  requireSize('first', first);
  requireSize('last', last);
  if (first != null && last != null) throw invalid('first and last cannot be given together');
  const { user } = context.credential;
  const nodes = (all as readonly LinearNode[])
    .filter((node) => (archived || node.archivedAt === undefined) && sees(user, node))
    .filter((node) => filter == null || matches(node, filter, context))
    .sort((a, b) => compare(a, b, by));
  let from = after == null ? 0 : placeOf(nodes, nodeAt(context, name, after), by, 'after');
  let to = before == null ? nodes.length : placeOf(nodes, nodeAt(context, name, before), by, 'before');
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
  if (size < 1) throw invalid(`${name} must not be less than 1`);
  if (size > LARGEST_PAGE) throw invalid(`${name} must not be greater than ${LARGEST_PAGE}`);
}

function nodeAt({ world }: Context, name: NodeName, cursor: string): LinearNode {
  const node = world.byId(name, cursor);
  if (node === undefined) throw invalid(`The cursor ${cursor} leads nowhere`);
  return node;
}

function compare(a: LinearNode, b: LinearNode, by: 'createdAt' | 'updatedAt'): number {
  return b[by] - a[by] || b.order - a.order;
}

/** It may have moved, or be no longer in the list: what counts is where it would stand now. */
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
