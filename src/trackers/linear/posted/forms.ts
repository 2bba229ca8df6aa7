/** The forms one thing has in Linear's answers: a text, an object with a name, a list, or a list within `nodes`. */
import { z } from 'zod';

/** Longest name of a label, state, project or address; Linear's own are far shorter. */
const NAME_MOST = 2_000;

/** Labels, relations or attachments of one issue. */
const LIST_MOST = 1_000;

export const name = z.string().max(NAME_MOST);

/**
 * The schema for the form a value has. Of a union Zod would only say that no form fits; this says what is wrong, and where,
 * with the form that was meant. Schemas are made once, outside: making one costs more than reading an issue by it.
 */
export function byForm<T>(choose: (value: unknown) => z.ZodType<T>) {
  return z.unknown().transform((value, context): T => {
    const read = choose(value).safeParse(value);
    if (read.success) return read.data;
    for (const issue of read.error.issues) context.addIssue({ ...issue });
    return z.NEVER;
  });
}

const withName = z.object({ name }).transform((given) => given.name);

/** As in `"bug"` and `{"name": "bug"}`. */
export const named = byForm<string>((value) => (typeof value === 'string' ? name : withName));

/** As in `[…]` and `{"nodes": […]}`. */
export function listOf<T>(item: z.ZodType<T>) {
  const list = z.array(item).max(LIST_MOST);
  const withNodes = z.object({ nodes: list }).transform(({ nodes }) => nodes);
  return byForm<T[]>((value) => (isObject(value) ? withNodes : list));
}

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
