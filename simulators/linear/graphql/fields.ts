/** Helpers for writing the resolver tables of types. */
import type { LinearNode, NodeName, NodeOf } from '../model/nodes.ts';
import { buildConnection, type PageArguments } from './connection.ts';
import type { LinearResolver, LinearResolverContext } from './context.ts';

/** Defines fields with constant values, for unused features and default settings. */
export function defineFixedFields(values: Readonly<Record<string, unknown>>): Record<string, LinearResolver> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, () => value]));
}

/** Defines fields that are always empty lists, which is Linear's answer for unused features. */
export function defineEmptyFields(...names: readonly string[]): Record<string, LinearResolver> {
  return defineFixedFields(Object.fromEntries(names.map((name) => [name, null])));
}

/** Defines fields that are read from the node's property of the same name. */
export function definePlainFields(...names: readonly string[]): Record<string, LinearResolver> {
  return Object.fromEntries(
    names.map((name) => [name, (node: object) => (Reflect.get(node, name) as unknown) ?? null]),
  );
}

export const BASE = definePlainFields('id', 'createdAt', 'updatedAt', 'archivedAt');

/** Defines a field that pages through all nodes of a type for which `belongs` is true. */
export function list<S extends LinearNode, N extends NodeName>(
  name: N,
  belongs: (each: NodeOf<N>, source: S) => boolean,
): LinearResolver {
  return (source: S, args: PageArguments, context: LinearResolverContext) =>
    buildConnection(
      name,
      context.world.all(name).filter((each) => belongs(each, source)),
      args,
      context,
    );
}
