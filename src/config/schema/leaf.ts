/** The single values of a schema, each with the words that say what is allowed there. */
import { z } from 'zod';
import { durationText, readDuration, readSize } from './quantity.ts';

/** How a leaf is read from the text of a flag or a variable, and written back. */
export type Kind = 'text' | 'number' | 'boolean' | 'list' | 'duration' | 'size';

export interface Leaf {
  readonly allowed: string;
  readonly kind: Kind;
  /** A wrong value may be a pasted secret: messages give its length only. */
  readonly secret?: true;
}

/** What a schema in the tree is, if it is a leaf. */
export const LEAVES = z.registry<Leaf>();

/** Longer than any a person sets on purpose; a typing error of three digits is caught. */
const LONGEST_MS = 366 * 86_400_000;
const MOST_BYTES = 1e15;

/** One line that a terminal or a log shows as it is. */
const ONE_LINE = /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]+$/u;

export function leaf<S extends z.ZodType>(schema: S, about: Leaf): S {
  LEAVES.add(schema, about);
  return schema;
}

export function whole(least: number, most: number) {
  const allowed = `a whole number from ${least} to ${most}`;
  return leaf(z.int().min(least).max(most), { allowed, kind: 'number' });
}

export function amount(most: number, allowed: string) {
  return leaf(z.number().gt(0).max(most), { allowed, kind: 'number' });
}

/** Zero allows nothing, and `none` sets no limit. */
export function limit(most: number, of: string) {
  const allowed = `${of}, 0 to start nothing, or none for no limit`;
  return leaf(z.union([z.number().min(0).max(most), z.literal('none')]), { allowed, kind: 'number' });
}

export function yesNo() {
  return leaf(z.boolean(), { allowed: 'true or false', kind: 'boolean' });
}

export function choice<const T extends readonly [string, ...string[]]>(values: T) {
  const last = values.at(-1);
  const allowed = values.length === 1 ? `${last}` : `${values.slice(0, -1).join(', ')} or ${last}`;
  return leaf(z.enum(values), { allowed, kind: 'text' });
}

/** `form` narrows what one line may hold. */
export function text(most: number, allowed: string, form: RegExp = ONE_LINE) {
  return leaf(z.string().trim().min(1).max(most).regex(ONE_LINE).regex(form), { allowed, kind: 'text' });
}

export function secret(allowed: string, form: RegExp) {
  return leaf(z.string().max(1_000).regex(ONE_LINE).regex(form), { allowed, kind: 'text', secret: true });
}

/** The items of a list are leaves too: a message about one of them names it by its place in the list. */
export function list<S extends z.ZodType>(item: S, most: number, allowed: string) {
  return leaf(z.array(item).max(most), { allowed: `${allowed} (at most ${most})`, kind: 'list' });
}

/** In milliseconds once it is read. */
export function duration(least = 0) {
  const allowed = `a duration${least > 0 ? ` of at least ${durationText(least)}` : ''}, such as 90s, 5m, 2h or 1d`;
  return leaf(quantity(readDuration, least, LONGEST_MS), { allowed, kind: 'duration' });
}

/** In bytes once it is read. */
export function size() {
  return leaf(quantity(readSize, 0, MOST_BYTES), { allowed: 'a size such as 500MB or 2GB', kind: 'size' });
}

function quantity(read: (value: string | number) => number | undefined, least: number, most: number) {
  return z.union([z.string(), z.number()]).transform((value, context) => {
    const amount = read(value);
    if (amount !== undefined && amount >= least && amount <= most) return amount;
    context.addIssue('is not within bounds');
    return z.NEVER;
  });
}
