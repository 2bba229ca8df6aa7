/** The steps of one turn as lines: what is said, and which tool runs from when to when. */
import { randomUUID } from 'node:crypto';
import type { AgentLine } from '../../protocol/agent-line.ts';
import type { Item } from './heard.ts';

/** Not a step of the work, but a notice: a model it does not know, a flag that is dangerous. */
const NOTICE = 'error';
/** Its plan, which it rewrites often. */
const PLAN = 'todo_list';

/** Summaries of its thinking are words, too: they are all that is heard of a model that thinks for minutes. */
const WORDS: readonly string[] = ['agent_message', 'reasoning'];

export class Steps {
  /** Codex counts its items from 0 in every process; in the worker's transcript no two tools have one id. */
  readonly #process = randomUUID().slice(0, 8);
  readonly #open = new Set<string>();

  began(item: Item): readonly AgentLine[] {
    if (!isTool(item)) return [];
    const id = this.#idOf(item);
    this.#open.add(id);
    return [{ type: 'tool_started', id, ...describe(item) }];
  }

  ended(item: Item): readonly AgentLine[] {
    if (WORDS.includes(item.type)) return item.text ? [{ type: 'text', text: item.text }] : [];
    if (!isTool(item)) return [];
    const id = this.#idOf(item);
    const before = this.#open.has(id) ? [] : this.began(item);
    this.#open.delete(id);
    const failed = item.status === 'failed' || item.status === 'declined';
    const result = resultOf(item);
    return [...before, { type: 'tool_ended', id, failed, ...(result ? { result } : {}) }];
  }

  /** A command that still runs when the turn ends is ended with it, and Codex does not say so. */
  cutShort(): readonly AgentLine[] {
    const ids = [...this.#open];
    this.#open.clear();
    return ids.map((id) => ({ type: 'tool_ended', id, failed: true }));
  }

  #idOf({ id }: Item): string {
    return `${this.#process}-${id}`;
  }
}

/** Whether it shows that the turn is under way. */
export function isWork({ type }: Item): boolean {
  return type !== NOTICE;
}

function isTool({ type }: Item): boolean {
  return type !== NOTICE && type !== PLAN && !WORDS.includes(type);
}

function describe({ type, command, server, tool }: Item): {
  readonly tool: string;
  readonly detail?: string;
} {
  if (type === 'command_execution')
    return { tool: 'shell', ...(command === undefined ? {} : { detail: command }) };
  // As the model itself calls it.
  if (type === 'mcp_tool_call') return { tool: `mcp__${server}__${tool}` };
  return { tool: tool ?? type };
}

function resultOf({ aggregated_output: output, result, error, changes }: Item): string | undefined {
  if (output !== undefined) return output;
  if (error) return error.message;
  if (result) return result.content.flatMap(({ text }) => text ?? []).join('\n');
  return changes?.map(({ kind, path }) => `${kind} ${path}`).join('\n');
}
