/** The lines of `claude --output-format stream-json` that mean something to Legion, as they are. */

import { z } from 'zod';
import { parseJson } from '../../lib/json.ts';

const count = z.number().nonnegative().catch(0);
const textPart = z.object({ type: z.literal('text'), text: z.string() });
const parent = z.string().nullish().catch(undefined);

/** Of a tool: a text, or parts of which some are texts. */
const resultSchema = z
  .union([z.string(), z.array(z.unknown()).transform(textsOf)])
  .optional()
  .catch(undefined);

const blockSchema = z.discriminatedUnion('type', [
  textPart,
  z.object({ type: z.literal('thinking'), thinking: z.string() }),
  z.object({
    type: z.literal('tool_use'),
    id: z.string(),
    name: z.string(),
    input: z.record(z.string(), z.unknown()).catch({}),
  }),
  z.object({
    type: z.literal('tool_result'),
    tool_use_id: z.string(),
    is_error: z.boolean().catch(false),
    content: resultSchema,
  }),
]);
export type Block = z.output<typeof blockSchema>;

/** Blocks of other kinds, such as images, are passed over. */
const message = z.object({
  content: z
    .array(z.unknown())
    .catch([])
    .transform((blocks) => blocks.flatMap((block) => blockSchema.safeParse(block).data ?? [])),
});

const usage = z.object({
  input_tokens: count,
  cache_creation_input_tokens: count,
  cache_read_input_tokens: count,
});

const streamLineSchema = z.discriminatedUnion('type', [
  z.discriminatedUnion('subtype', [
    z.object({
      type: z.literal('system'),
      subtype: z.literal('init'),
      session_id: z.string(),
      mcp_servers: z.array(z.object({ name: z.string(), status: z.string() })).catch([]),
    }),
    z.object({
      type: z.literal('system'),
      subtype: z.literal('api_retry'),
      attempt: count,
      retry_delay_ms: count,
      error_status: z.number().nullable().catch(null),
      error: z.string().catch(''),
    }),
  ]),
  /** `error`: it is the agent that speaks, of a request that failed. */
  z.object({
    type: z.literal('assistant'),
    message,
    parent_tool_use_id: parent,
    error: z.string().optional(),
  }),
  z.object({ type: z.literal('user'), message }),
  z.object({
    type: z.literal('stream_event'),
    event: z.discriminatedUnion('type', [
      z.object({ type: z.literal('message_start'), message: z.object({ usage }) }),
      /** The last of a message has the reason it stopped for, and all the tokens of its answer. */
      z.object({
        type: z.literal('message_delta'),
        delta: z.object({ stop_reason: z.string() }),
        usage: z.object({ output_tokens: count }),
      }),
    ]),
  }),
  z.object({
    type: z.literal('rate_limit_event'),
    /** Seconds since 1970. */
    rate_limit_info: z.object({ status: z.string(), resetsAt: z.number().optional().catch(undefined) }),
  }),
  z.object({
    type: z.literal('result'),
    is_error: z.boolean(),
    result: z.string().optional().catch(undefined),
    errors: z.array(z.string()).catch([]),
    api_error_status: z.number().nullish().catch(undefined),
    terminal_reason: z.string().nullish().catch(undefined),
    /** Both since the process began, whatever the session has used before. */
    total_cost_usd: count,
    modelUsage: z
      .record(
        z.string(),
        z.object({
          inputTokens: count,
          outputTokens: count,
          cacheReadInputTokens: count,
          cacheCreationInputTokens: count,
        }),
      )
      .catch({}),
  }),
]);

export type StreamLine = z.output<typeof streamLineSchema>;
export type StreamLineOf<T extends StreamLine['type']> = Extract<StreamLine, { readonly type: T }>;

function textsOf(parts: readonly unknown[]): string {
  return parts.flatMap((part) => textPart.safeParse(part).data?.text ?? []).join('\n');
}

/** Undefined for everything else, such as what a newer version says; never throws. */
export function readStreamLine(text: string): StreamLine | undefined {
  return streamLineSchema.safeParse(parseJson(text)).data;
}
