/** What an event of OpenCode's server means; what is of no use to a driver, or not of the expected form, is undefined. */

import { z } from 'zod';
import { parseJson } from '../../lib/json.ts';

const part = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('text'),
    id: z.string(),
    text: z.string(),
    /** The end is there once the whole text is; a prompt, which comes as a part too, has no time at all. */
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
      /** Of a command: null where it was cut short. */
      metadata: z.object({ exit: z.number().nullish() }).optional(),
    }),
  }),
  z.object({
    type: z.literal('step-finish'),
    id: z.string(),
    /** `input` is without what came from the cache, `output` without the reasoning. */
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
  /** `next`: when it tries again, in ms since 1970. */
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

export type Part = z.output<typeof part>;
export type SessionError = z.output<typeof error>;
export type SessionStatus = z.output<typeof status>;
export type PermissionAsked = z.output<typeof permissionSchema>;
export type QuestionAsked = z.output<typeof questionSchema>;
export type Message = z.output<typeof messageSchema>;

export type ServerEvent =
  | { readonly kind: 'status'; readonly session: string; readonly status: SessionStatus }
  | { readonly kind: 'part'; readonly session: string; readonly part: Part }
  /** An answer of the model is complete and without an error. */
  | { readonly kind: 'answered'; readonly session: string }
  | { readonly kind: 'error'; readonly session: string | undefined; readonly error: SessionError }
  | { readonly kind: 'permission'; readonly asked: PermissionAsked }
  | { readonly kind: 'question'; readonly asked: QuestionAsked };

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

/** `data` is the JSON of one event of the stream. Never throws. */
export function readEvent(data: string): ServerEvent | undefined {
  const read = eventSchema.safeParse(parseJson(data)).data;
  if (read === undefined) return undefined;
  switch (read.type) {
    case 'session.status':
      return { kind: 'status', session: read.properties.sessionID, status: read.properties.status };
    case 'message.part.updated':
      return { kind: 'part', session: read.properties.sessionID, part: read.properties.part };
    case 'message.updated':
      return { kind: 'answered', session: read.properties.sessionID };
    case 'session.error':
      return { kind: 'error', session: read.properties.sessionID, error: read.properties.error };
    case 'permission.asked':
      return { kind: 'permission', asked: read.properties };
    case 'question.asked':
      return { kind: 'question', asked: read.properties };
  }
}

/** Of a message that was read afterwards. */
export function readPart(data: unknown): Part | undefined {
  return part.safeParse(data).data;
}
