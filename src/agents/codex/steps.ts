/**
 * Parses the output of `codex exec --json`, converts the steps of a turn to lines, and records a
 * thread's rules and token counts.
 */
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { readJsonFile } from '../../lib/fs/read-bounded.ts';
import { parseJson } from '../../lib/json.ts';
import type { AgentLine } from '../../protocol/agent-line.ts';

/**
 * Type of an item that is a notice rather than a step, for example about an unknown model or a
 * dangerous flag.
 */
const NOTICE_ITEM = 'error';
/** Type of an item that contains the agent's plan, which the agent rewrites often. */
const PLAN_ITEM = 'todo_list';

/**
 * Types of items that contain text. Includes reasoning summaries, because a model that thinks for
 * minutes prints nothing else.
 */
const TEXT_ITEMS: readonly string[] = ['agent_message', 'reasoning'];

export class ItemTranscript {
  /**
   * Makes tool ids unique in the worker's transcript: Codex numbers its items from 0 in every
   * process.
   */
  readonly #process = randomUUID().slice(0, 8);
  readonly #open = new Set<string>();

  recordStarted(item: CodexItem): readonly AgentLine[] {
    if (!isTool(item)) return [];
    const id = this.#toToolId(item);
    this.#open.add(id);
    return [{ type: 'tool_started', id, ...describeTool(item) }];
  }

  recordCompleted(item: CodexItem): readonly AgentLine[] {
    if (TEXT_ITEMS.includes(item.type)) return item.text ? [{ type: 'text', text: item.text }] : [];
    if (!isTool(item)) return [];
    const id = this.#toToolId(item);
    const before = this.#open.has(id) ? [] : this.recordStarted(item);
    this.#open.delete(id);
    const failed = item.status === 'failed' || item.status === 'declined';
    const result = extractResult(item);
    return [...before, { type: 'tool_ended', id, failed, ...(result ? { result } : {}) }];
  }

  /**
   * Reports tools that are still running at the end of the turn as ended: Codex stops them without
   * reporting it.
   */
  closeOpenTools(): readonly AgentLine[] {
    const ids = [...this.#open];
    this.#open.clear();
    return ids.map((id) => ({ type: 'tool_ended', id, failed: true }));
  }

  #toToolId({ id }: CodexItem): string {
    return `${this.#process}-${id}`;
  }
}

/** Returns whether the item shows that the turn is in progress. */
export function isWork({ type }: CodexItem): boolean {
  return type !== NOTICE_ITEM;
}

function isTool({ type }: CodexItem): boolean {
  return type !== NOTICE_ITEM && type !== PLAN_ITEM && !TEXT_ITEMS.includes(type);
}

function describeTool({ type, command, server, tool }: CodexItem): {
  readonly tool: string;
  readonly detail?: string;
} {
  if (type === 'command_execution')
    return { tool: 'shell', ...(command === undefined ? {} : { detail: command }) };
  // Uses the same name for the tool as the model itself does.
  if (type === 'mcp_tool_call') return { tool: `mcp__${server}__${tool}` };
  return { tool: tool ?? type };
}

function extractResult({ aggregated_output: output, result, error, changes }: CodexItem): string | undefined {
  if (output !== undefined) return output;
  if (error) return error.message;
  if (result) return result.content.flatMap(({ text }) => text ?? []).join('\n');
  return changes?.map(({ kind, path }) => `${kind} ${path}`).join('\n');
}

const itemSchema = z.object({
  id: z.string(),
  type: z.string(),
  text: z.string().optional().catch(undefined),
  command: z.string().optional().catch(undefined),
  server: z.string().optional().catch(undefined),
  tool: z.string().optional().catch(undefined),
  status: z.string().optional().catch(undefined),
  /** Set for a command. */
  aggregated_output: z.string().optional().catch(undefined),
  /** Set for an MCP tool call: its result, or the reason for its failure. */
  result: z
    .object({ content: z.array(z.object({ text: z.string().optional().catch(undefined) })) })
    .nullish()
    .catch(undefined),
  error: z.object({ message: z.string() }).nullish().catch(undefined),
  /** Set for a patch. */
  changes: z
    .array(z.object({ path: z.string(), kind: z.string() }))
    .optional()
    .catch(undefined),
});
/** A step of the turn: text, a command or a tool call. */
export type CodexItem = z.output<typeof itemSchema>;

const count = z.number().nonnegative();
const usageSchema = z.object({ input_tokens: count, output_tokens: count });

const lineSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('thread.started'), thread_id: z.string() }),
  z.object({ type: z.literal('turn.started') }),
  z.object({ type: z.literal('item.started'), item: itemSchema }),
  z.object({ type: z.literal('item.completed'), item: itemSchema }),
  z.object({ type: z.literal('turn.completed'), usage: usageSchema }),
  z.object({ type: z.literal('turn.failed'), error: z.object({ message: z.string() }) }),
  /** An error after which Codex retries. If `turn.failed` follows, Codex has given up. */
  z.object({ type: z.literal('error'), message: z.string() }),
]);
export type CodexLine = z.output<typeof lineSchema>;

/** Parses a line of `codex exec --json`. Never throws and ignores unknown lines. */
export function parseCodexLine(line: string): CodexLine | undefined {
  return lineSchema.safeParse(parseJson(line)).data;
}

const tokenCount = z.number().nonnegative();
const recordSchema = z.object({ thread: z.string(), rules: z.string(), in: tokenCount, out: tokenCount });
type StoredThread = z.output<typeof recordSchema>;

export interface TokenCounts {
  readonly in: number;
  readonly out: number;
}

/**
 * Stores a thread's initial rules and reported token counts between the processes that run its
 * turns.
 */
export class ThreadRecord {
  readonly #file: string;
  #stored: StoredThread | undefined;

  constructor(folder: string) {
    this.#file = join(folder, 'thread.json');
    this.#stored = readThreadRecord(this.#file);
  }

  /** Returns the rules that the thread started with, or undefined if the thread is unknown. */
  findRules(thread: string): string | undefined {
    return this.#stored?.thread === thread ? this.#stored.rules : undefined;
  }

  recordThread(thread: string, rules: string): void {
    if (this.#stored?.thread !== thread) this.#save({ thread, rules, in: 0, out: 0 });
  }

  /**
   * Codex reports the total usage of the whole thread across all its processes. Returns the part of
   * the total that is new since the last call.
   */
  recordUsage(total: TokenCounts): TokenCounts {
    const { in: before, out: beforeOut } = this.#stored ?? { in: 0, out: 0 };
    // A smaller total means that Codex restarted the count.
    const used = {
      in: total.in < before ? total.in : total.in - before,
      out: total.out < beforeOut ? total.out : total.out - beforeOut,
    };
    if (this.#stored !== undefined) this.#save({ ...this.#stored, in: total.in, out: total.out });
    return used;
  }

  #save(record: StoredThread): void {
    this.#stored = record;
    try {
      writeFileSync(this.#file, JSON.stringify(record), { mode: 0o600 });
    } catch {
      // Ignores a full disk: a missing record is handled like an unreadable one.
    }
  }
}

/** Treats an unreadable record as missing: some tokens are counted twice, but work continues. */
function readThreadRecord(file: string): StoredThread | undefined {
  return recordSchema.safeParse(readJsonFile(file)).data;
}
