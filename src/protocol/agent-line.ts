/** The lines a worker's process writes on its standard output: one JSON object for each thing that happens, whatever the agent. */
import { z } from 'zod';

const count = z.number().nonnegative();

const agentLineSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('started'), session: z.string() }),
  z.object({ type: z.literal('text'), text: z.string() }),
  /** `detail`: what it is about in a few words, such as the beginning of a command; for people. */
  z.object({
    type: z.literal('tool_started'),
    tool: z.string(),
    id: z.string(),
    detail: z.string().optional(),
  }),
  /** `result`: what it gave back, cut in the middle where it is long; for people. */
  z.object({
    type: z.literal('tool_ended'),
    id: z.string(),
    failed: z.boolean(),
    result: z.string().optional(),
  }),
  /** What was used since the usage before it. */
  z.object({ type: z.literal('usage'), in: count, out: count, usd: count.optional() }),
  z.object({ type: z.literal('question'), text: z.string() }),
  /** Milliseconds since 1970. */
  z.object({ type: z.literal('rate_limited'), reset_at: z.number().optional() }),
  /** The provider did not accept the agent's login; in its words. */
  z.object({ type: z.literal('login_refused'), message: z.string() }),
  /** A letter to the session begins the next turn. */
  z.object({ type: z.literal('heard'), letter: z.string() }),
  z.object({ type: z.literal('turn_ended'), interrupted: z.literal(true).optional() }),
  z.object({ type: z.literal('error'), code: z.string(), message: z.string() }),
]);

export type AgentLine = z.output<typeof agentLineSchema>;

export function parseAgentLine(data: unknown): AgentLine | undefined {
  return agentLineSchema.safeParse(data).data;
}
