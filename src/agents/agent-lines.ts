/** What a line of a worker's output means: every agent's process writes the same kind of lines. */
import { parseJson } from '../lib/json.ts';
import type { AgentEvent } from '../ports/agent.ts';
import { type AgentLine, parseAgentLine } from '../protocol/agent-line.ts';

/** Characters. What is longer is not parsed: nobody shows it, and it would be held in memory twice. */
const LINE_MOST = 1_000_000;

/** Never throws. Empty lines are nothing at all. */
export function readLine(line: string): readonly AgentEvent[] {
  if (line.trim() === '') return [];
  const read = line.length <= LINE_MOST ? parseAgentLine(parseJson(line)) : undefined;
  return [read === undefined ? { kind: 'unreadable', length: line.length } : eventOf(read)];
}

function eventOf(line: AgentLine): AgentEvent {
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
    case 'login_refused':
      return { kind: 'login refused', message: line.message };
    case 'heard':
      return { kind: 'heard', letter: line.letter };
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
