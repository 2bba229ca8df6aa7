/**
 * Parses the events of OpenCode's server, and converts message parts to agent lines. Writes each
 * line once, however often a part is reported.
 */

import { z } from 'zod';
import { parseJson } from '../../lib/json.ts';
import type { AgentLine } from '../../protocol/agent-line.ts';
import type { EmitAgentLine } from '../runner/dialect.ts';

const part = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('text'),
    id: z.string(),
    text: z.string(),
    /** `end` is set once the text is complete. A prompt, which is also a part, has no `time`. */
    time: z.object({ end: z.number().optional() }).optional(),
  }),
  z.object({
    type: z.literal('tool'),
    callID: z.string(),
    tool: z.string(),
    state: z.object({
      status: z.enum(['pending', 'running', 'completed', 'error']),
      input: z.record(z.string(), z.unknown()).optional(),
      title: z.string().optional(),
      output: z.string().optional(),
      error: z.string().optional(),
      /** Exit code of a command. Null if the command was interrupted. */
      metadata: z.object({ exit: z.number().nullish() }).optional(),
    }),
  }),
  z.object({
    type: z.literal('step-finish'),
    id: z.string(),
    /** `input` excludes cached tokens, `output` excludes reasoning. */
    tokens: z.object({
      input: z.number(),
      output: z.number(),
      reasoning: z.number(),
      cache: z.object({ read: z.number(), write: z.number() }),
    }),
    cost: z.number(),
  }),
]);

const error = z.object({
  name: z.string(),
  data: z
    .object({
      message: z.string().optional(),
      statusCode: z.number().optional(),
      responseHeaders: z.record(z.string(), z.string()).optional(),
    })
    .optional(),
});

const status = z.discriminatedUnion('type', [
  z.object({ type: z.literal('idle') }),
  z.object({ type: z.literal('busy') }),
  /** `next`: time of the retry, in ms since 1970. */
  z.object({ type: z.literal('retry'), attempt: z.number(), message: z.string(), next: z.number() }),
]);

export const permissionSchema = z.object({
  id: z.string(),
  permission: z.string(),
  patterns: z.array(z.string()),
});

export const questionSchema = z.object({
  id: z.string(),
  questions: z.array(
    z.object({
      question: z.string(),
      options: z.array(z.object({ label: z.string(), description: z.string().optional() })).default([]),
    }),
  ),
});

export const messageSchema = z.object({
  info: z.object({
    id: z.string(),
    role: z.string(),
    time: z.object({ completed: z.number().optional() }),
    error: error.optional(),
  }),
  parts: z.array(z.unknown()),
});

export const statusesSchema = z.record(z.string(), status);

export type MessagePart = z.output<typeof part>;
export type SessionError = z.output<typeof error>;
export type SessionStatus = z.output<typeof status>;
export type PermissionRequest = z.output<typeof permissionSchema>;
export type QuestionRequest = z.output<typeof questionSchema>;
export type OpencodeMessage = z.output<typeof messageSchema>;

export type ServerEvent =
  | { readonly kind: 'status'; readonly session: string; readonly status: SessionStatus }
  | { readonly kind: 'part'; readonly session: string; readonly part: MessagePart }
  /** A model response is complete and contains no error. */
  | { readonly kind: 'answered'; readonly session: string }
  | { readonly kind: 'error'; readonly session: string | undefined; readonly error: SessionError }
  | { readonly kind: 'permission'; readonly asked: PermissionRequest }
  | { readonly kind: 'question'; readonly asked: QuestionRequest };

const sessionID = z.string();
const answered = z.object({
  role: z.literal('assistant'),
  time: z.object({ completed: z.number() }),
  error: z.undefined().optional(),
});

const eventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('session.status'), properties: z.object({ sessionID, status }) }),
  z.object({ type: z.literal('message.part.updated'), properties: z.object({ sessionID, part }) }),
  z.object({ type: z.literal('message.updated'), properties: z.object({ sessionID, info: answered }) }),
  z.object({
    type: z.literal('session.error'),
    properties: z.object({ sessionID: sessionID.optional(), error }),
  }),
  z.object({ type: z.literal('permission.asked'), properties: permissionSchema }),
  z.object({ type: z.literal('question.asked'), properties: questionSchema }),
]);

/**
 * Parses the JSON of one stream event. Returns undefined for irrelevant or malformed events. Never
 * throws.
 */
export function readEvent(data: string): ServerEvent | undefined {
  const event = eventSchema.safeParse(parseJson(data)).data;
  if (event === undefined) return undefined;
  switch (event.type) {
    case 'session.status':
      return { kind: 'status', session: event.properties.sessionID, status: event.properties.status };
    case 'message.part.updated':
      return { kind: 'part', session: event.properties.sessionID, part: event.properties.part };
    case 'message.updated':
      return { kind: 'answered', session: event.properties.sessionID };
    case 'session.error':
      return { kind: 'error', session: event.properties.sessionID, error: event.properties.error };
    case 'permission.asked':
      return { kind: 'permission', asked: event.properties };
    case 'question.asked':
      return { kind: 'question', asked: event.properties };
  }
}

/** Parses a message part that was fetched by polling instead of received as an event. */
export function readPart(data: unknown): MessagePart | undefined {
  return part.safeParse(data).data;
}

/**
 * Number of recent ids remembered. Repeated parts are always recent, and a transcript may grow
 * without limit.
 */
const MAX_REMEMBERED_IDS = 1_000;

/** Inputs that describe a tool call, most informative first. */
const DETAIL_KEYS: readonly string[] = [
  'command',
  'filePath',
  'path',
  'pattern',
  'url',
  'description',
  'name',
];

export interface TurnTranscript {
  /** `isOwn` is true if the part belongs to the session itself, not to a subsession. */
  addPart(part: MessagePart, isOwn: boolean): void;
  /** Marks tools still running at the end of the turn as interrupted. */
  closeOpenTools(): void;
}

export function createTranscript(emit: EmitAgentLine): TurnTranscript {
  const rememberedIds = new Set<string>();
  const running = new Set<string>();

  function isNew(name: string): boolean {
    if (rememberedIds.has(name)) return false;
    rememberedIds.add(name);
    const [oldest] = rememberedIds;
    if (rememberedIds.size > MAX_REMEMBERED_IDS && oldest !== undefined) rememberedIds.delete(oldest);
    return true;
  }

  function addTool({ callID: id, tool, state }: Extract<MessagePart, { type: 'tool' }>): void {
    // The tool's input is not available yet.
    if (state.status === 'pending') return;
    if (isNew(`started ${id}`)) {
      running.add(id);
      const detail = extractToolDetail(state);
      emit({ type: 'tool_started', tool, id, ...(detail === undefined ? {} : { detail }) });
    }
    if (state.status === 'running' || !isNew(`ended ${id}`)) return;
    running.delete(id);
    const result = state.error ?? state.output;
    emit({ type: 'tool_ended', id, failed: hasFailed(state), ...(result ? { result } : {}) });
  }

  return {
    addPart(part, isOwn) {
      if (part.type === 'tool') addTool(part);
      else if (part.type === 'step-finish') {
        if (isNew(part.id)) emit(toUsageLine(part));
      } else if (isOwn && part.time?.end !== undefined && part.text !== '' && isNew(part.id))
        emit({ type: 'text', text: part.text });
    },
    closeOpenTools() {
      for (const id of running) emit({ type: 'tool_ended', id, failed: true });
      running.clear();
    },
  };
}

type ToolState = Extract<MessagePart, { type: 'tool' }>['state'];

function hasFailed({ status, metadata }: ToolState): boolean {
  const exit = metadata?.exit;
  return status === 'error' || exit === null || (exit !== undefined && exit !== 0);
}

function extractToolDetail({ input = {}, title }: ToolState): string | undefined {
  const detail = DETAIL_KEYS.map((name) => input[name]).find(
    (value) => typeof value === 'string' && value !== '',
  );
  return typeof detail === 'string' ? detail : title || undefined;
}

/**
 * Omits a cost of zero, because it means that the price is unknown. Reporting the usage as free
 * would mislead budgets.
 */
function toUsageLine({ tokens, cost }: Extract<MessagePart, { type: 'step-finish' }>): AgentLine {
  const { input, output, reasoning, cache } = tokens;
  return {
    type: 'usage',
    in: input + cache.read + cache.write,
    out: output + reasoning,
    ...(cost > 0 ? { usd: cost } : {}),
  };
}
