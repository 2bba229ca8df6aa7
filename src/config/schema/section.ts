/**
 * Defines the sections of a schema, finds the part of a schema at a path, and flattens and rebuilds
 * its values.
 */
import { z } from 'zod';
import { type ConfigLeaf, LEAF_REGISTRY } from './leaf.ts';

/**
 * Placeholders for sections whose keys are a fixed set of names of the same kind, such as the
 * modes. Documents then show `<mode>` instead of each name.
 */
const PLACEHOLDER_REGISTRY = z.registry<{ readonly placeholder: string }>();

/**
 * Defines a section. A section without content, for example because every line is commented out, is
 * treated as empty.
 */
export function defineSection<S extends z.ZodRawShape>(shape: S) {
  return z.preprocess((value) => (value === null || value === undefined ? {} : value), z.strictObject(shape));
}

/** Defines a section with the same schema for every name of a fixed set. */
export function defineNamedSection<const N extends string, S extends z.ZodType>(
  placeholder: string,
  names: readonly N[],
  each: S,
) {
  const built = defineSection(buildShape(names, () => each));
  PLACEHOLDER_REGISTRY.add(built.def.out, { placeholder });
  return built;
}

export function buildShape<const N extends string, S extends z.ZodType>(
  names: readonly N[],
  each: (name: N) => S,
): Record<N, z.ZodOptional<S>> {
  const entries = names.map((name) => [name, z.optional(each(name))]);
  return Object.fromEntries(entries) as Record<N, z.ZodOptional<S>>;
}

/** Names that the operator chooses. */
export const NAME_PATTERN = /^[a-z0-9][a-z0-9_-]{0,62}$/;
export const NAME_ALLOWED = 'a name of lower-case letters, digits, "-" and "_"';

export type SchemaBranch =
  | { readonly kind: 'leaf'; readonly leaf: ConfigLeaf; readonly schema: z.ZodType }
  | {
      readonly kind: 'section';
      readonly shape: Readonly<Record<string, z.ZodType>>;
      readonly placeholder?: string;
    }
  | { readonly kind: 'list'; readonly each: z.ZodType };

/** Unwraps optional and piped schemas. */
export function resolveBranch(schema: z.ZodType): SchemaBranch {
  const leaf = LEAF_REGISTRY.get(schema);
  if (leaf !== undefined) return { kind: 'leaf', leaf, schema };
  if (schema instanceof z.ZodOptional) return resolveBranch(schema.def.innerType as z.ZodType);
  if (schema instanceof z.ZodPipe) return resolveBranch(schema.def.out as z.ZodType);
  if (schema instanceof z.ZodArray) return { kind: 'list', each: schema.def.element as z.ZodType };
  if (!(schema instanceof z.ZodObject))
    throw new TypeError(`a schema of kind ${schema.def.type} has no leaf`);
  return {
    kind: 'section',
    shape: schema.shape as Record<string, z.ZodType>,
    ...PLACEHOLDER_REGISTRY.get(schema),
  };
}

/** Returns the branch at a path, or the last known branch on the way to it. */
export function findBranch(schema: z.ZodType, path: readonly PropertyKey[]): SchemaBranch {
  const branch = resolveBranch(schema);
  const [first, ...rest] = path;
  if (first === undefined) return branch;
  if (branch.kind === 'leaf') return findItemBranch(branch) ?? branch;
  if (branch.kind !== 'section') return findBranch(branch.each, rest);
  const name = String(first);
  const child = Object.hasOwn(branch.shape, name) ? branch.shape[name] : undefined;
  return child === undefined ? branch : findBranch(child, rest);
}

/** A list is a single value, but a message about an item describes the valid items. */
function findItemBranch({ schema }: SchemaBranch & { kind: 'leaf' }): SchemaBranch | undefined {
  if (!(schema instanceof z.ZodArray)) return undefined;
  const element = schema.def.element as z.ZodType;
  return LEAF_REGISTRY.has(element) ? resolveBranch(element) : undefined;
}

/**
 * Lists every key of a schema as the documentation writes it: `agents.<mode>.model`,
 * `repos[].path`.
 */
export function* listKeys(schema: z.ZodType, prefix = ''): Generator<{ key: string; leaf: ConfigLeaf }> {
  const branch = resolveBranch(schema);
  if (branch.kind === 'leaf') yield { key: prefix, leaf: branch.leaf };
  else if (branch.kind === 'list') yield* listKeys(branch.each, `${prefix}[]`);
  else if (branch.placeholder !== undefined) {
    const [each] = Object.values(branch.shape);
    if (each !== undefined) yield* listKeys(each, joinKey(prefix, `<${branch.placeholder}>`));
  } else
    for (const [name, each] of Object.entries(branch.shape)) yield* listKeys(each, joinKey(prefix, name));
}

function joinKey(prefix: string, name: string): string {
  return prefix === '' ? name : `${prefix}.${name}`;
}

/** Type `T`, in which everything that has a default in `D` is required. */
export type WithDefaults<T, D> = {
  readonly [K in keyof T & keyof D]-?: D[K] extends readonly unknown[]
    ? NonNullable<T[K]>
    : D[K] extends object
      ? WithDefaults<NonNullable<T[K]>, D[K]>
      : NonNullable<T[K]>;
} & { readonly [K in Exclude<keyof T, keyof D>]?: T[K] };

/** Values of one layer by key, such as `limits.workers`. A list is one value. */
export type ConfigValues = ReadonlyMap<string, { readonly path: readonly string[]; readonly value: unknown }>;

/** Flattens data of the schema's form into its values by key, and omits unset keys. */
export function collectConfigValues(schema: z.ZodType, data: unknown): ConfigValues {
  const values = new Map<string, { path: readonly string[]; value: unknown }>();
  collectInto(schema, data, [], (path, value) => values.set(path.join('.'), { path, value }));
  return values;
}

function collectInto(
  schema: z.ZodType,
  data: unknown,
  path: readonly string[],
  add: (path: readonly string[], value: unknown) => void,
): void {
  if (data === undefined) return;
  const branch = resolveBranch(schema);
  if (branch.kind === 'leaf' || branch.kind === 'list') {
    add(path, data);
    return;
  }
  for (const [name, value] of Object.entries(data as object)) {
    const each = branch.shape[name];
    if (each !== undefined) collectInto(each, value, [...path, name], add);
  }
}

/**
 * Rebuilds the nested form. Starts from `empty`, whose sections exist even if they have no values.
 */
export function applyValues(empty: object, values: ConfigValues): Record<string, unknown> {
  const whole = structuredClone(empty) as Record<string, unknown>;
  for (const { path, value } of values.values()) {
    let section = whole;
    for (const name of path.slice(0, -1)) {
      // A name chosen by the operator may equal an inherited property, such as "constructor".
      if (!Object.hasOwn(section, name)) section[name] = {};
      section = section[name] as Record<string, unknown>;
    }
    section[path.at(-1) ?? ''] = value;
  }
  return whole;
}
