/**
 * Parses a line of worker output. The daemon validates the same format with Zod, which would be
 * larger than this whole page. Pure.
 */
import type { AgentLine } from '../../../../../src/protocol/agent-line.ts';

type FieldKind = 'string' | 'number' | 'boolean';

const REQUIRED: Readonly<Record<AgentLine['type'], Readonly<Record<string, FieldKind>>>> = {
  started: { session: 'string' },
  text: { text: 'string' },
  tool_started: { tool: 'string', id: 'string' },
  tool_ended: { id: 'string', failed: 'boolean' },
  usage: { in: 'number', out: 'number' },
  question: { text: 'string' },
  rate_limited: {},
  login_refused: { message: 'string' },
  heard: { letter: 'string' },
  turn_ended: {},
  error: { code: 'string', message: 'string' },
};

const OPTIONAL: Readonly<Record<string, FieldKind>> = {
  detail: 'string',
  result: 'string',
  usd: 'number',
  reset_at: 'number',
  interrupted: 'boolean',
};

/** Returns undefined for output in any other format. */
export function parseAgentLine(text: string): AgentLine | undefined {
  if (!text.startsWith('{')) return undefined;
  const value = parseJson(text);
  if (typeof value !== 'object' || value === null) return undefined;
  const fields = value as Readonly<Record<string, unknown>>;
  const { type } = fields;
  if (typeof type !== 'string' || !Object.hasOwn(REQUIRED, type)) return undefined;
  const required = Object.entries(REQUIRED[type as AgentLine['type']]);
  const isWhole = required.every(([name, kind]) => typeof fields[name] === kind);
  const isRight = Object.entries(OPTIONAL).every(
    ([name, kind]) => fields[name] === undefined || typeof fields[name] === kind,
  );
  return isWhole && isRight ? (value as AgentLine) : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // not JSON, so the line is shown unchanged
  }
}
