/** Linear's comparators of texts, numbers, times and ids. */
import { NotSimulated } from '../model/refusal.ts';

type Value = string | number | boolean;
type Compare = (value: Value, wanted: never) => boolean;

const COMPARATORS: Readonly<Record<string, Compare>> = {
  eq: (value, wanted: Value) => value === wanted,
  neq: (value, wanted: Value) => value !== wanted,
  in: (value, wanted: readonly Value[]) => isAmong(wanted, value),
  nin: (value, wanted: readonly Value[]) => !isAmong(wanted, value),
  gt: (value, wanted: Value) => value > wanted,
  gte: (value, wanted: Value) => value >= wanted,
  lt: (value, wanted: Value) => value < wanted,
  lte: (value, wanted: Value) => value <= wanted,
  eqIgnoreCase: (value, wanted: string) => lower(value) === lower(wanted),
  neqIgnoreCase: (value, wanted: string) => lower(value) !== lower(wanted),
  contains: (value, wanted: string) => String(value).includes(wanted),
  notContains: (value, wanted: string) => !String(value).includes(wanted),
  containsIgnoreCase: (value, wanted: string) => lower(value).includes(lower(wanted)),
  notContainsIgnoreCase: (value, wanted: string) => !lower(value).includes(lower(wanted)),
  startsWith: (value, wanted: string) => String(value).startsWith(wanted),
  startsWithIgnoreCase: (value, wanted: string) => lower(value).startsWith(lower(wanted)),
  notStartsWith: (value, wanted: string) => !String(value).startsWith(wanted),
  endsWith: (value, wanted: string) => String(value).endsWith(wanted),
  notEndsWith: (value, wanted: string) => !String(value).endsWith(wanted),
};

export function compares(value: Value | undefined, wanted: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(wanted).every(([name, each]) => {
    if (each == null) return true;
    if (name === 'null') return (value === undefined) === each;
    const compare = COMPARATORS[name];
    if (compare === undefined) throw new NotSimulated(`The simulator does not know the comparator ${name}`);
    // As in Linear's database: nothing is neither equal to a value nor different from it.
    return value !== undefined && compare(value, each as never);
  });
}

/** Told by its words: a filter of a node names fields. */
export function isComparator(wanted: Readonly<Record<string, unknown>>): boolean {
  return Object.keys(wanted).some((name) => Object.hasOwn(COMPARATORS, name));
}

/** Lists as sets: a board of a thousand asks each of its issues whether it is among a thousand. */
const SETS = new WeakMap<readonly Value[], ReadonlySet<Value>>();

export function isAmong(list: readonly Value[], value: Value): boolean {
  const known = SETS.get(list) ?? new Set(list);
  SETS.set(list, known);
  return known.has(value);
}

function lower(value: Value): string {
  return String(value).toLowerCase();
}
