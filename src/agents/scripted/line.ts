/** The lines a scripted agent writes, one JSON object for each thing that happens, and what they mean. */
import { z } from 'zod';
import type { AgentEvent } from '../agent.ts';

/** Characters. What is longer is not parsed: nobody shows it, and it would be held in memory twice. */
const LINE_MOST = 1_000_000;

const count = z.number().nonnegative();

const lineSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('started'), session: z.string() }),
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('tool_started'), tool: z.string(), id: z.string() }),
  z.object({ type: z.literal('tool_ended'), id: z.string(), failed: z.boolean() }),
  z.object({ type: z.literal('usage'), in: count, out: count, usd: count.optional() }),
  z.object({ type: z.literal('question'), text: z.string() }),
  /** Milliseconds since 1970. */
  z.object({ type: z.literal('rate_limited'), reset_at: z.number().optional() }),
  z.object({ type: z.literal('turn_ended') }),
  z.object({ type: z.literal('error'), code: z.string(), message: z.string() }),
]);

export type Line = z.output<typeof lineSchema>;

/** Never throws. Empty lines are nothing at all. */
export function readLine(line: string): readonly AgentEvent[] {
  if (line.trim() === '') return [];
  const read = line.length <= LINE_MOST ? lineSchema.safeParse(parsed(line)) : undefined;
  return [read?.success === true ? eventOf(read.data) : { kind: 'unreadable', length: line.length }];
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function eventOf(line: Line): AgentEvent {
  switch (line.type) {
    case 'started':
      return { kind: 'started', native: line.session };
    case 'text':
      return { kind: 'text', text: line.text };
    case 'tool_started':
      return { kind: 'tool started', tool: line.tool, id: line.id };
    case 'tool_ended':
      return { kind: 'tool ended', id: line.id, failed: line.failed };
    case 'usage':
      return {
        ...{ kind: 'usage', tokensIn: line.in, tokensOut: line.out },
        ...(line.usd === undefined ? {} : { usd: line.usd }),
      };
    case 'question':
      return { kind: 'question', text: line.text };
    case 'rate_limited':
      return { kind: 'rate limited', ...(line.reset_at === undefined ? {} : { resetAt: line.reset_at }) };
    case 'turn_ended':
      return { kind: 'turn ended' };
    case 'error':
      return { kind: 'error', message: `${line.message} [${line.code}]`, ...aboutSession(line.code) };
  }
}

function aboutSession(code: string): { readonly session?: 'unknown' | 'taken' } {
  if (code === 'agent.session_unknown') return { session: 'unknown' };
  return code === 'agent.session_taken' ? { session: 'taken' } : {};
}
