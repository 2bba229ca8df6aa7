/** Reads entries of a list without trust in their form: a malformed one is left out, with a complaint. */
import type { z } from 'zod';
import { toError } from '../../core/model/fault.ts';
import { decode } from '../../domain/decode.ts';
import type { Desk } from './desk.ts';

export function readEach<T>(
  { complain }: Pick<Desk, 'complain'>,
  schema: z.ZodType<T>,
  nodes: readonly unknown[] | null,
  what: string,
): readonly T[] {
  return (nodes ?? []).flatMap((node) => {
    if (node === null) return [];
    const read = decode(schema, node, what);
    if (!read.ok) complain(toError(read.fault));
    return read.ok ? [read.value] : [];
  });
}
