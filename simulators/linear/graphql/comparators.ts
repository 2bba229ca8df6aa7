/** Implements Linear's comparators for texts, numbers, times and ids. */
import { NotSimulated } from '../model/refusal.ts';

type ComparableValue = string | number | boolean;
type ValueComparator = (value: ComparableValue, wanted: never) => boolean;

const COMPARATORS: Readonly<Record<string, ValueComparator>> = {
  eq: (value, wanted: ComparableValue) => value === wanted,
  neq: (value, wanted: ComparableValue) => value !== wanted,
  in: (value, wanted: readonly ComparableValue[]) => isAmong(wanted, value),
  nin: (value, wanted: readonly ComparableValue[]) => !isAmong(wanted, value),
  gt: (value, wanted: ComparableValue) => value > wanted,
  gte: (value, wanted: ComparableValue) => value >= wanted,
  lt: (value, wanted: ComparableValue) => value < wanted,
  lte: (value, wanted: ComparableValue) => value <= wanted,
  eqIgnoreCase: (value, wanted: string) => toLower(value) === toLower(wanted),
  neqIgnoreCase: (value, wanted: string) => toLower(value) !== toLower(wanted),
  contains: (value, wanted: string) => String(value).includes(wanted),
  notContains: (value, wanted: string) => !String(value).includes(wanted),
  containsIgnoreCase: (value, wanted: string) => toLower(value).includes(toLower(wanted)),
  notContainsIgnoreCase: (value, wanted: string) => !toLower(value).includes(toLower(wanted)),
  startsWith: (value, wanted: string) => String(value).startsWith(wanted),
  startsWithIgnoreCase: (value, wanted: string) => toLower(value).startsWith(toLower(wanted)),
  notStartsWith: (value, wanted: string) => !String(value).startsWith(wanted),
  endsWith: (value, wanted: string) => String(value).endsWith(wanted),
  notEndsWith: (value, wanted: string) => !String(value).endsWith(wanted),
};

export function matchComparators(
  value: ComparableValue | undefined,
  wanted: Readonly<Record<string, unknown>>,
): boolean {
  return Object.entries(wanted).every(([name, each]) => {
    if (each == null) return true;
    if (name === 'null') return (value === undefined) === each;
    const compare = COMPARATORS[name];
    if (compare === undefined) throw new NotSimulated(`The simulator does not know the comparator ${name}`);
    // As in Linear's database, a missing value fails every comparison: it neither equals a value
    // nor differs from it.
    return value !== undefined && compare(value, each as never);
  });
}

/** Recognises a comparator by its keys. A filter for a node has field names as keys instead. */
export function isComparator(wanted: Readonly<Record<string, unknown>>): boolean {
  return Object.keys(wanted).some((name) => Object.hasOwn(COMPARATORS, name));
}

/**
 * Caches lists as sets. A filter on a board of a thousand issues may check each issue against a
 * thousand ids.
 */
const SETS = new WeakMap<readonly ComparableValue[], ReadonlySet<ComparableValue>>();

export function isAmong(list: readonly ComparableValue[], value: ComparableValue): boolean {
  const known = SETS.get(list) ?? new Set(list);
  SETS.set(list, known);
  return known.has(value);
}

function toLower(value: ComparableValue): string {
  return String(value).toLowerCase();
}
