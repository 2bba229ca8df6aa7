/** Reduces an agent's output stream to the facts that health is judged by. */

import type { HealthEvidence } from '../../core/health/evidence.ts';
import type { AgentEvent } from '../../ports/agent.ts';
import { isStatusQuestionId } from '../../protocol/worker-message.ts';
import type { WorkerActivity } from '../context/worker-activity.ts';
import { redactTokens } from '../present/reason.ts';

/**
 * Facts from an agent's output. All times are those at which the output was read. After a restart,
 * everything therefore looks recent, which can only delay a suspicion.
 */
export interface AgentTrace {
  readonly agent: HealthEvidence['agent'];
  readonly tools: ReadonlyMap<string, number>;
  readonly output: 'text' | 'tool' | 'empty' | 'none';
  readonly rateLimit: HealthEvidence['rateLimit'];
  readonly usage: AttemptUsage;
  readonly native?: string;
  /** When the agent began a turn with Legion's last status question. */
  readonly questionReadAt?: number;
  /** Whether the agent does not know the session it should resume. */
  readonly isSessionUnknown: boolean;
  /** Shortened text of the agent's last error. */
  readonly lastError?: string;
  /** Shortened text of the provider's refusal of the agent's login. */
  readonly loginRefused?: string;
  /** The agent's last tool call or text, to be shown to people. */
  readonly lastActivity?: WorkerActivity;
}

/** Totals of the whole attempt. */
interface AttemptUsage {
  readonly turns: number;
  readonly tokensIn: number;
  readonly tokensOut: number;
  readonly usd: number;
}

export const EMPTY_TRACE: AgentTrace = {
  agent: { kind: 'none' },
  tools: new Map(),
  output: 'none',
  rateLimit: 'none',
  isSessionUnknown: false,
  usage: { turns: 0, tokensIn: 0, tokensOut: 0, usd: 0 },
};

/** Enough to recognise the error. The rest is in the worker's log. */
const MAX_ERROR_CHARS = 300;
/** Characters that fit on a card. */
const MAX_ACTIVITY_CHARS = 120;

export function applyAgentEvent(trace: AgentTrace, event: AgentEvent, now: number): AgentTrace {
  switch (event.kind) {
    case 'text':
      return {
        ...trace,
        agent: { kind: 'text', at: now },
        output: event.text === '' ? 'empty' : 'text',
        ...toLastActivity(event.text, now),
      };
    case 'tool started':
      return {
        ...trace,
        agent: { kind: 'tool_started', at: now },
        tools: new Map(trace.tools).set(event.id, now),
        output: 'tool',
        ...toLastActivity(`uses ${event.tool}`, now),
      };
    case 'tool ended': {
      const tools = new Map(trace.tools);
      tools.delete(event.id);
      return { ...trace, agent: { kind: 'tool_ended', at: now }, tools };
    }
    case 'turn ended':
      return {
        ...trace,
        agent: { kind: 'turn_ended', at: now },
        tools: new Map(),
        usage: { ...trace.usage, turns: trace.usage.turns + 1 },
      };
    case 'error':
      return {
        ...trace,
        agent: { kind: 'error', at: now },
        isSessionUnknown: trace.isSessionUnknown || event.session === 'unknown',
        lastError: trimError(event.message),
      };
    case 'login refused':
      return { ...trace, agent: { kind: 'error', at: now }, loginRefused: trimError(event.message) };
    case 'rate limited':
      return {
        ...trace,
        agent: { kind: 'error', at: now },
        rateLimit: { seenAt: now, resetAt: event.resetAt ?? 'unknown' },
      };
    case 'usage': {
      const { tokensIn, tokensOut, usd } = trace.usage;
      const usage = {
        ...trace.usage,
        tokensIn: tokensIn + event.tokensIn,
        tokensOut: tokensOut + event.tokensOut,
        usd: usd + (event.usd ?? 0),
      };
      return { ...trace, agent: { kind: 'usage', at: now }, usage };
    }
    case 'started':
      return {
        ...trace,
        agent: { kind: 'usage', at: now },
        ...(event.native === undefined ? {} : { native: event.native }),
      };
    case 'heard': {
      const heard = { ...trace, agent: { kind: 'usage', at: now } } as const;
      return isStatusQuestionId(event.letter) ? { ...heard, questionReadAt: now } : heard;
    }
    case 'question':
    case 'unreadable':
      return { ...trace, agent: { kind: 'usage', at: now } };
  }
}

function trimError(message: string): string {
  return message.replace(/\s+/g, ' ').trim().slice(0, MAX_ERROR_CHARS);
}

/**
 * Redacts tokens, because the text may contain the worker's own token. Cuts the text before
 * searching it for tokens, because it may be long.
 */
function toLastActivity(text: string, at: number): Pick<AgentTrace, 'lastActivity'> {
  const words = redactTokens(text.slice(0, 4 * MAX_ACTIVITY_CHARS))
    .replace(/\s+/g, ' ')
    .trim();
  if (words === '') return {};
  return {
    lastActivity: {
      what: words.length > MAX_ACTIVITY_CHARS ? `${words.slice(0, MAX_ACTIVITY_CHARS)}…` : words,
      at,
    },
  };
}

/** Returns the time at which the longest-running tool started. */
export function findRunningTool({ tools }: AgentTrace): HealthEvidence['tool'] {
  const since = Math.min(...tools.values());
  return Number.isFinite(since) ? { since } : 'none';
}

/**
 * Returns whether there is nothing to resume: the session is unknown, or its last answer was empty.
 */
export function isSessionLost({ isSessionUnknown, output }: AgentTrace): boolean {
  return isSessionUnknown || output === 'empty';
}
