/** How one step may be written: its schema, and the sentence a mistake is answered with. */
import { z } from 'zod';

export interface Form {
  readonly input: z.ZodType;
  /** Shown beside a complaint: what would be right. */
  readonly allowed: string;
}

/** A text alone stands for an object with just that field. */
export function orText<T extends z.ZodType>(field: string, schema: T) {
  return z.preprocess((value) => (typeof value === 'string' ? { [field]: value } : value), schema);
}

/** A list alone stands for an object with just that field. */
export function orList<T extends z.ZodType>(field: string, schema: T) {
  return z.preprocess((value) => (Array.isArray(value) ? { [field]: value } : value), schema);
}

/** `push: true`, `push: {}`, or `push:` with nothing behind it. */
export function orNothing<T extends z.ZodType>(schema: T) {
  return z.preprocess((value) => (value === true || value === null ? {} : value), schema);
}
