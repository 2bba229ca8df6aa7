/** What a line of `codex exec --json` says; never throws, and what is not understood says nothing. */

import { z } from 'zod';
import { parseJson } from '../../lib/json.ts';

const itemSchema = z.object({
  id: z.string(),
  type: z.string(),
  text: z.string().optional().catch(undefined),
  command: z.string().optional().catch(undefined),
  server: z.string().optional().catch(undefined),
  tool: z.string().optional().catch(undefined),
  status: z.string().optional().catch(undefined),
  /** Of a command. */
  aggregated_output: z.string().optional().catch(undefined),
  /** Of a tool of a server: what it gave back, or why it did not. */
  result: z
    .object({ content: z.array(z.object({ text: z.string().optional().catch(undefined) })) })
    .nullish()
    .catch(undefined),
  error: z.object({ message: z.string() }).nullish().catch(undefined),
  /** Of a patch. */
  changes: z
    .array(z.object({ path: z.string(), kind: z.string() }))
    .optional()
    .catch(undefined),
});
/** A step of the turn: words, a command, a call of a tool. */
export type Item = z.output<typeof itemSchema>;

const count = z.number().nonnegative();
const usageSchema = z.object({ input_tokens: count, output_tokens: count });

const lineSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('thread.started'), thread_id: z.string() }),
  z.object({ type: z.literal('turn.started') }),
  z.object({ type: z.literal('item.started'), item: itemSchema }),
  z.object({ type: z.literal('item.completed'), item: itemSchema }),
  z.object({ type: z.literal('turn.completed'), usage: usageSchema }),
  z.object({ type: z.literal('turn.failed'), error: z.object({ message: z.string() }) }),
  /** That it tries again, or, before `turn.failed`, that it does not. */
  z.object({ type: z.literal('error'), message: z.string() }),
]);
export type Heard = z.output<typeof lineSchema>;

export function heardIn(line: string): Heard | undefined {
  return lineSchema.safeParse(parseJson(line)).data;
}
