/** Reads a line a worker wrote. The daemon's own reader checks the same with Zod, which would weigh more than this page. Pure. */
import type { AgentLine } from '../../../../../src/protocol/agent-line.ts';

type Kind = 'string' | 'number' | 'boolean';

const REQUIRED: Readonly<Record<AgentLine['type'], Readonly<Record<string, Kind>>>> = {
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

const OPTIONAL: Readonly<Record<string, Kind>> = {
  detail: 'string',
  result: 'string',
  usd: 'number',
  reset_at: 'number',
  interrupted: 'boolean',
};

/** Undefined for everything else that a process may write. */
export function agentLineIn(text: string): AgentLine | undefined {
  if (!text.startsWith('{')) return undefined;
  const value = jsonIn(text);
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

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // what is no JSON is shown as it is
  }
}
