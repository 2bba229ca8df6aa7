/** Writes and parses the lines of a worker's output. All agent processes use the same format. */

import type { Writable } from 'node:stream';
import { parseJson } from '../lib/json.ts';
import type { AgentEvent } from '../ports/agent.ts';
import { type AgentLine, parseAgentLine } from '../protocol/agent-line.ts';

/**
 * Maximum number of characters in a parsed line. Longer lines are skipped, because they are never
 * shown and parsing would hold them in memory twice.
 */
const MAX_AGENT_LINE_CHARS = 1_000_000;

/** Returns an empty list for empty lines. Never throws. */
export function readLine(line: string): readonly AgentEvent[] {
  if (line.trim() === '') return [];
  const parsed = line.length <= MAX_AGENT_LINE_CHARS ? parseAgentLine(parseJson(line)) : undefined;
  return [parsed === undefined ? { kind: 'unreadable', length: line.length } : toAgentEvent(parsed)];
}

function toAgentEvent(line: AgentLine): AgentEvent {
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
        kind: 'usage',
        tokensIn: line.in,
        tokensOut: line.out,
        ...(line.usd === undefined ? {} : { usd: line.usd }),
      };
    case 'question':
      return { kind: 'question', text: line.text };
    case 'rate_limited':
      return { kind: 'rate limited', ...(line.reset_at === undefined ? {} : { resetAt: line.reset_at }) };
    case 'login_refused':
      return { kind: 'login refused', message: line.message };
    case 'heard':
      return { kind: 'heard', letter: line.letter };
    case 'turn_ended':
      return { kind: 'turn ended' };
    case 'error':
      return { kind: 'error', message: `${line.message} [${line.code}]`, ...toSessionProblem(line.code) };
  }
}

function toSessionProblem(code: string): { readonly session?: 'unknown' | 'taken' } {
  if (code === 'agent.session_unknown') return { session: 'unknown' };
  return code === 'agent.session_taken' ? { session: 'taken' } : {};
}

/** Maximum number of characters in one text. The full text is in the agent's own transcript. */
const MAX_TEXT_CHARS = 16_384;

/** Maximum number of characters in a tool's summary. */
const MAX_DETAIL_CHARS = 300;

/**
 * Maximum number of characters in a tool result. Keeps about one screen from the start and one from
 * the end, because the end usually explains a failure.
 */
const MAX_RESULT_CHARS = 4_096;

const MAX_MESSAGE_CHARS = 4_096;

export type WriteAgentLine = (line: AgentLine) => void;

/**
 * Writes events as lines of bounded length. The agent's own transcript may grow without limit, but
 * our copy must not.
 */
export function createAgentLineWriter(stdout: Writable): WriteAgentLine {
  return (line) => {
    stdout.write(`${JSON.stringify(trimAgentLine(line))}\n`);
  };
}

function trimAgentLine(line: AgentLine): AgentLine {
  switch (line.type) {
    case 'text':
    case 'question':
      return { ...line, text: trimText(line.text, MAX_TEXT_CHARS) };
    case 'tool_started':
      return line.detail === undefined ? line : { ...line, detail: trimText(line.detail, MAX_DETAIL_CHARS) };
    case 'tool_ended':
      return line.result === undefined
        ? line
        : { ...line, result: trimMiddle(line.result, MAX_RESULT_CHARS) };
    case 'error':
    case 'login_refused':
      return { ...line, message: trimText(line.message, MAX_MESSAGE_CHARS) };
    default:
      return line;
  }
}

function trimText(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max)}… (${text.length} characters)`;
}

/** Truncates text in the middle, at line breaks if possible. */
function trimMiddle(text: string, max: number): string {
  if (text.length <= max) return text;
  const [head, tail] = [text.slice(0, max / 2), text.slice(-max / 2)];
  const [lineEnd, lineBegin] = [head.lastIndexOf('\n'), tail.indexOf('\n')];
  const first = lineEnd === -1 ? head : head.slice(0, lineEnd);
  const last = lineBegin === -1 ? tail : tail.slice(lineBegin + 1);
  return `${first}\n… (${text.length - first.length - last.length} characters)\n${last}`;
}
