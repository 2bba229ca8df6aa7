/**
 * The JSON lines that a worker's process writes to standard output, one line per event. All agents
 * share this format.
 */
import { z } from 'zod';

const count = z.number().nonnegative();

const agentLineSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('started'), session: z.string() }),
  z.object({ type: z.literal('text'), text: z.string() }),
  /**
   * `detail`: a short description of the tool call for people, such as the beginning of a command.
   */
  z.object({
    type: z.literal('tool_started'),
    tool: z.string(),
    id: z.string(),
    detail: z.string().optional(),
  }),
  /** `result`: the tool's output for people, shortened in the middle if it is long. */
  z.object({
    type: z.literal('tool_ended'),
    id: z.string(),
    failed: z.boolean(),
    result: z.string().optional(),
  }),
  /** Usage since the previous usage line. */
  z.object({ type: z.literal('usage'), in: count, out: count, usd: count.optional() }),
  z.object({ type: z.literal('question'), text: z.string() }),
  /** `reset_at`: when the limit ends, in milliseconds since 1970. */
  z.object({ type: z.literal('rate_limited'), reset_at: z.number().optional() }),
  /** The provider rejected the agent's login. `message` is the provider's text. */
  z.object({ type: z.literal('login_refused'), message: z.string() }),
  /** The agent receives the worker message with the id `letter` at the start of the next turn. */
  z.object({ type: z.literal('heard'), letter: z.string() }),
  z.object({ type: z.literal('turn_ended'), interrupted: z.literal(true).optional() }),
  z.object({ type: z.literal('error'), code: z.string(), message: z.string() }),
]);
export type AgentLine = z.output<typeof agentLineSchema>;

export function parseAgentLine(data: unknown): AgentLine | undefined {
  return agentLineSchema.safeParse(data).data;
}
