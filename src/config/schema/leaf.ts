/**
 * Defines the individual values of a schema, each with a description of what is valid, and reads
 * and formats durations and sizes.
 */
import { z } from 'zod';

/** How a leaf is parsed from a flag or variable, and written back. */
export type LeafKind = 'text' | 'number' | 'boolean' | 'list' | 'duration' | 'size';

export interface ConfigLeaf {
  readonly allowed: string;
  readonly kind: LeafKind;
  /** Set if an invalid value may be a pasted secret: messages give only its length. */
  readonly secret?: true;
}

/** Records which schemas are leaves, each with its description. */
export const LEAF_REGISTRY = z.registry<ConfigLeaf>();

/** Longer than anyone sets on purpose. Catches a value with three digits too many. */
const MAX_DURATION_MS = 366 * 86_400_000;
const MAX_SIZE_BYTES = 1e15;

/** One line that a terminal or a log can show unchanged. */
const ONE_LINE = /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]+$/u;

export function defineLeaf<S extends z.ZodType>(schema: S, leaf: ConfigLeaf): S {
  LEAF_REGISTRY.add(schema, leaf);
  return schema;
}

export function defineInteger(min: number, max: number) {
  const allowed = `a whole number from ${min} to ${max}`;
  return defineLeaf(z.int().min(min).max(max), { allowed, kind: 'number' });
}

export function defineAmount(max: number, allowed: string) {
  return defineLeaf(z.number().gt(0).max(max), { allowed, kind: 'number' });
}

/** Zero allows nothing, and `none` sets no limit. */
export function defineLimit(max: number, unit: string) {
  const allowed = `${unit}, 0 to start nothing, or none for no limit`;
  return defineLeaf(z.union([z.number().min(0).max(max), z.literal('none')]), { allowed, kind: 'number' });
}

export function defineBoolean() {
  return defineLeaf(z.boolean(), { allowed: 'true or false', kind: 'boolean' });
}

export function defineChoice<const T extends readonly [string, ...string[]]>(values: T) {
  const last = values.at(-1);
  const allowed = values.length === 1 ? `${last}` : `${values.slice(0, -1).join(', ')} or ${last}`;
  return defineLeaf(z.enum(values), { allowed, kind: 'text' });
}

/** `pattern` further restricts the line. */
export function defineText(max: number, allowed: string, pattern: RegExp = ONE_LINE) {
  return defineLeaf(z.string().trim().min(1).max(max).regex(ONE_LINE).regex(pattern), {
    allowed,
    kind: 'text',
  });
}

export function defineSecret(allowed: string, pattern: RegExp) {
  return defineLeaf(z.string().max(1_000).regex(ONE_LINE).regex(pattern), {
    allowed,
    kind: 'text',
    secret: true,
  });
}

/** Items of a list are leaves too, so that a message can refer to an item by its index. */
export function defineList<S extends z.ZodType>(item: S, max: number, allowed: string) {
  return defineLeaf(z.array(item).max(max), { allowed: `${allowed} (at most ${max})`, kind: 'list' });
}

/** Parses to milliseconds. */
export function defineDuration(min = 0) {
  const allowed = `a duration${min > 0 ? ` of at least ${formatConfigDuration(min)}` : ''}, such as 90s, 5m, 2h or 1d`;
  return defineLeaf(defineQuantity(readDuration, min, MAX_DURATION_MS), { allowed, kind: 'duration' });
}

/** Parses to bytes. */
export function defineSize() {
  return defineLeaf(defineQuantity(readSize, 0, MAX_SIZE_BYTES), {
    allowed: 'a size such as 500MB or 2GB',
    kind: 'size',
  });
}

function defineQuantity(read: (value: string | number) => number | undefined, min: number, max: number) {
  return z.union([z.string(), z.number()]).transform((value, context) => {
    const amount = read(value);
    if (amount !== undefined && amount >= min && amount <= max) return amount;
    context.addIssue('is not within bounds');
    return z.NEVER;
  });
}

/** In milliseconds, largest first. */
const DURATION_UNITS = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000 } as const;

/**
 * In bytes, largest first. Powers of ten, as in the sizes of disks and in the output of `df -H`.
 */
const SIZE_UNITS = { TB: 1e12, GB: 1e9, MB: 1e6, KB: 1e3, B: 1 } as const;

/**
 * Reads a duration as people write it: `90s`, `5m`, `2h`, `1d`. A bare number is seconds. Returns
 * milliseconds, or undefined if the value is not a duration.
 */
export function readDuration(value: string | number): number | undefined {
  return readQuantity(value, DURATION_UNITS, DURATION_UNITS.s);
}

/**
 * Reads a size such as `500MB` or `2GB`. A bare number is bytes. Returns bytes, or undefined if the
 * value is not a size.
 */
export function readSize(value: string | number): number | undefined {
  return readQuantity(value, SIZE_UNITS, 1);
}

/** Returns the shortest form that parses back to the same value: `90s`, not `1.5m`. */
export function formatConfigDuration(ms: number): string {
  return ms === 0 ? '0s' : (formatQuantity(ms, DURATION_UNITS) ?? `${ms / DURATION_UNITS.s}s`);
}

export function formatConfigSize(bytes: number): string {
  return (bytes === 0 ? undefined : formatQuantity(bytes, SIZE_UNITS)) ?? `${bytes}B`;
}

function readQuantity(
  value: string | number,
  units: Readonly<Record<string, number>>,
  defaultUnit: number,
): number | undefined {
  if (typeof value === 'number') return value >= 0 ? toSafeInteger(value * defaultUnit) : undefined;
  const [, amount, unit = ''] = /^(\d{1,15}(?:\.\d{1,9})?) ?([A-Za-z]{1,2})$/.exec(value) ?? [];
  const size = Object.hasOwn(units, unit) ? units[unit] : undefined;
  return amount === undefined || size === undefined ? undefined : toSafeInteger(Number(amount) * size);
}

function formatQuantity(amount: number, units: Readonly<Record<string, number>>): string | undefined {
  const unit = Object.keys(units).find((name) => amount % (units[name] ?? 1) === 0);
  return unit === undefined ? undefined : `${amount / (units[unit] ?? 1)}${unit}`;
}

function toSafeInteger(amount: number): number | undefined {
  const rounded = Math.round(amount);
  return Number.isSafeInteger(rounded) ? rounded : undefined;
}
