/**
 * Parses the lines of `claude --output-format stream-json` that Legion uses, and converts them to
 * the lines every worker writes.
 */
import { z } from 'zod';
import { parseJson } from '../../lib/json.ts';
import type { AgentLine } from '../../protocol/agent-line.ts';

const count = z.number().nonnegative().catch(0);
const textPart = z.object({ type: z.literal('text'), text: z.string() });
const parent = z.string().nullish().catch(undefined);

/** A tool result: either text, or a list of parts, some of which are text. */
const resultSchema = z
  .union([z.string(), z.array(z.unknown()).transform(joinTexts)])
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
type ContentBlock = z.output<typeof blockSchema>;

/** Skips other block types, such as images. */
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
  /** `error` is set if the agent itself wrote the text to report a failed request. */
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
      /**
       * The last delta of a message contains the stop reason and the message's total output tokens.
       */
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
    /** Both totals count from the start of the process, not of the session. */
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

/**
 * Returns undefined for lines that Legion does not use, such as those of newer versions. Never
 * throws.
 */
export function readStreamLine(text: string): StreamLine | undefined {
  return streamLineSchema.safeParse(parseJson(text)).data;
}

/** Tool inputs that describe a call, in order of preference. */
const DETAIL_KEYS: readonly string[] = [
  ...['command', 'file_path', 'notebook_path', 'pattern', 'url', 'query', 'skill', 'description', 'summary'],
];

/**
 * Converts a turn's texts and tool calls to the lines every worker writes. Omits the texts of
 * subagents, because the agent summarises them itself, but keeps the subagents' tool calls, which
 * run on this machine too.
 */
export function extractAgentLines(line: StreamLineOf<'assistant' | 'user'>): readonly AgentLine[] {
  // Skips the agent's message about a failed request, because the turn's result repeats it.
  if (line.type === 'assistant' && line.error !== undefined) return [];
  const isOwnText = line.type === 'assistant' && (line.parent_tool_use_id ?? undefined) === undefined;
  return line.message.content.flatMap((block) => toAgentLine(block, isOwnText) ?? []);
}

function toAgentLine(block: ContentBlock, isOwnText: boolean): AgentLine | undefined {
  switch (block.type) {
    case 'text':
      return isOwnText ? { type: 'text', text: block.text } : undefined;
    case 'thinking':
      // Includes thinking, because a model that thinks for minutes prints nothing else. Models that
      // hide their thinking send empty text.
      return isOwnText && block.thinking !== '' ? { type: 'text', text: block.thinking } : undefined;
    case 'tool_use':
      return { type: 'tool_started', tool: block.name, id: block.id, ...extractDetail(block.input) };
    case 'tool_result':
      return {
        type: 'tool_ended',
        id: block.tool_use_id,
        failed: block.is_error,
        ...(block.content ? { result: block.content } : {}),
      };
  }
}

function joinTexts(parts: readonly unknown[]): string {
  return parts.flatMap((part) => textPart.safeParse(part).data?.text ?? []).join('\n');
}

function extractDetail(input: Readonly<Record<string, unknown>>): { readonly detail?: string } {
  const detail = DETAIL_KEYS.map((name) => input[name]).find((value) => typeof value === 'string');
  return typeof detail === 'string' ? { detail } : {};
}
