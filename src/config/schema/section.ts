/** The branches of a schema: which keys there are, and what stands at a path. */
import { z } from 'zod';
import { LEAVES, type Leaf } from './leaf.ts';

/** Sections whose keys are a fixed set of names with one meaning, such as the modes; documents write `<mode>`. */
const NAMED = z.registry<{ readonly placeholder: string }>();

/** A section of which only the title is written, as after commenting everything out, is an empty one. */
export function section<S extends z.ZodRawShape>(shape: S) {
  return z.preprocess((value) => (value === null || value === undefined ? {} : value), z.strictObject(shape));
}

/** The same for every name of a fixed set. */
export function sectionOf<const N extends string, S extends z.ZodType>(
  placeholder: string,
  names: readonly N[],
  each: S,
) {
  const built = section(shapeOf(names, () => each));
  NAMED.add(built.def.out, { placeholder });
  return built;
}

export function shapeOf<const N extends string, S extends z.ZodType>(
  names: readonly N[],
  each: (name: N) => S,
): Record<N, z.ZodOptional<S>> {
  const entries = names.map((name) => [name, z.optional(each(name))]);
  return Object.fromEntries(entries) as Record<N, z.ZodOptional<S>>;
}

/** Names that the operator chooses. */
export const NAME = /^[a-z0-9][a-z0-9_-]{0,62}$/;
export const NAME_ALLOWED = 'a name of lower-case letters, digits, "-" and "_"';

export type Branch =
  | { readonly kind: 'leaf'; readonly leaf: Leaf; readonly schema: z.ZodType }
  | {
      readonly kind: 'section';
      readonly shape: Readonly<Record<string, z.ZodType>>;
      readonly placeholder?: string;
    }
  | { readonly kind: 'list'; readonly each: z.ZodType };

/** What a schema is once everything wrapped around it is taken away. */
export function branchOf(schema: z.ZodType): Branch {
  const leaf = LEAVES.get(schema);
  if (leaf !== undefined) return { kind: 'leaf', leaf, schema };
  if (schema instanceof z.ZodOptional) return branchOf(schema.def.innerType as z.ZodType);
  if (schema instanceof z.ZodPipe) return branchOf(schema.def.out as z.ZodType);
  if (schema instanceof z.ZodArray) return { kind: 'list', each: schema.def.element as z.ZodType };
  if (!(schema instanceof z.ZodObject))
    throw new TypeError(`a schema of kind ${schema.def.type} has no leaf`);
  return { kind: 'section', shape: schema.shape as Record<string, z.ZodType>, ...NAMED.get(schema) };
}

/** The branch at a path, or the last one on the way to it: a leaf has nothing below, an unknown key nothing at all. */
export function branchAt(schema: z.ZodType, path: readonly PropertyKey[]): Branch {
  const branch = branchOf(schema);
  const [first, ...rest] = path;
  if (first === undefined) return branch;
  if (branch.kind === 'leaf') return itemOf(branch) ?? branch;
  if (branch.kind !== 'section') return branchAt(branch.each, rest);
  const name = String(first);
  const below = Object.hasOwn(branch.shape, name) ? branch.shape[name] : undefined;
  return below === undefined ? branch : branchAt(below, rest);
}

/** A list is one value to its reader, but a message about an item says what an item may be. */
function itemOf({ schema }: Branch & { kind: 'leaf' }): Branch | undefined {
  if (!(schema instanceof z.ZodArray)) return undefined;
  const element = schema.def.element as z.ZodType;
  return LEAVES.has(element) ? branchOf(element) : undefined;
}

/** Every key of a schema as documents name it: `agents.<mode>.model`, `repos[].path`. */
export function* keysOf(schema: z.ZodType, prefix = ''): Generator<{ key: string; leaf: Leaf }> {
  const branch = branchOf(schema);
  if (branch.kind === 'leaf') yield { key: prefix, leaf: branch.leaf };
  else if (branch.kind === 'list') yield* keysOf(branch.each, `${prefix}[]`);
  else if (branch.placeholder !== undefined) {
    const [each] = Object.values(branch.shape);
    if (each !== undefined) yield* keysOf(each, joined(prefix, `<${branch.placeholder}>`));
  } else for (const [name, each] of Object.entries(branch.shape)) yield* keysOf(each, joined(prefix, name));
}

function joined(prefix: string, name: string): string {
  return prefix === '' ? name : `${prefix}.${name}`;
}
