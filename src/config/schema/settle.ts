/** Several layers of the same configuration as one: for each key the first layer that has it. */
import type { z } from 'zod';
import { branchOf } from './section.ts';

/** `T` with everything that has a default in `D` no longer optional. */
export type Settled<T, D> = {
  readonly [K in keyof T & keyof D]-?: D[K] extends readonly unknown[]
    ? NonNullable<T[K]>
    : D[K] extends object
      ? Settled<NonNullable<T[K]>, D[K]>
      : NonNullable<T[K]>;
} & { readonly [K in Exclude<keyof T, keyof D>]?: T[K] };

/** The values of one layer by key: `limits.workers`. A list is one value. */
export type Values = ReadonlyMap<string, { readonly path: readonly string[]; readonly value: unknown }>;

/** Takes a value of the schema's form apart; keys that hold nothing are left out. */
export function valuesIn(schema: z.ZodType, data: unknown): Values {
  const values = new Map<string, { path: readonly string[]; value: unknown }>();
  collect(schema, data, [], (path, value) => values.set(path.join('.'), { path, value }));
  return values;
}

function collect(
  schema: z.ZodType,
  data: unknown,
  path: readonly string[],
  add: (path: readonly string[], value: unknown) => void,
): void {
  if (data === undefined) return;
  const branch = branchOf(schema);
  if (branch.kind === 'leaf' || branch.kind === 'list') {
    add(path, data);
    return;
  }
  for (const [name, value] of Object.entries(data as object)) {
    const each = branch.shape[name];
    if (each !== undefined) collect(each, value, [...path, name], add);
  }
}

/** Puts the values together again, over sections that are there even when nothing is in them. */
export function settle(empty: object, values: Values): Record<string, unknown> {
  const whole = structuredClone(empty) as Record<string, unknown>;
  for (const { path, value } of values.values()) {
    let section = whole;
    for (const name of path.slice(0, -1)) {
      // An operator's name may be that of something every object inherits, such as "constructor".
      if (!Object.hasOwn(section, name)) section[name] = {};
      section = section[name] as Record<string, unknown>;
    }
    section[path.at(-1) ?? ''] = value;
  }
  return whole;
}
