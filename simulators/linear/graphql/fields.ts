/** Ways in which the tables of types are written. */
import type { LinearNode, NodeName, NodeOf } from '../model/nodes.ts';
import { connection, type PageArguments } from './connection.ts';
import type { Context, Resolver } from './context.ts';

/** Fields that are the same for everybody: what this workspace does not use, and settings nobody has touched. */
export function fixed(values: Readonly<Record<string, unknown>>): Record<string, Resolver> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, () => value]));
}

/** Empty, as Linear answers where a feature is not used. */
export function empty(...names: readonly string[]): Record<string, Resolver> {
  return fixed(Object.fromEntries(names.map((name) => [name, null])));
}

/** Read off the node under the same name. */
export function plain(...names: readonly string[]): Record<string, Resolver> {
  return Object.fromEntries(
    names.map((name) => [name, (node: object) => (Reflect.get(node, name) as unknown) ?? null]),
  );
}

export const BASE = plain('id', 'createdAt', 'updatedAt', 'archivedAt');

/** A page of all nodes of a kind that `belong`. */
export function list<S extends LinearNode, N extends NodeName>(
  name: N,
  belongs: (each: NodeOf<N>, source: S) => boolean,
): Resolver {
  return (source: S, args: PageArguments, context: Context) =>
    connection(
      name,
      context.world.all(name).filter((each) => belongs(each, source)),
      args,
      context,
    );
}
