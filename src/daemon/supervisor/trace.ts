/** What an agent's own stream has shown so far, reduced to what its health is judged by. */

import type { HealthEvidence } from '../../health/evidence.ts';
import type { AgentEvent } from '../../ports/agent.ts';
import { withoutTokens } from '../present/without-secrets.ts';

/** Times are those of reading: after a restart everything looks fresh, which can only delay a suspicion. */
export interface Trace {
  readonly agent: HealthEvidence['agent'];
  readonly tools: ReadonlyMap<string, number>;
  readonly output: 'text' | 'tool' | 'empty' | 'none';
  readonly rateLimit: HealthEvidence['rateLimit'];
  readonly usage: Usage;
  readonly native?: string;
  /** The agent says that it does not know the session it was to go on with. */
  readonly isSessionUnknown: boolean;
  /** What the agent said last about something that failed, in its own words, shortened. */
  readonly lastError?: string;
  /** What the provider said when it refused the agent's login, shortened. */
  readonly loginRefused?: string;
  /** The last tool it took or words it said, for people. */
  readonly did?: Did;
}

export interface Did {
  readonly what: string;
  readonly at: number;
}

/** Of the whole attempt. */
interface Usage {
  readonly turns: number;
  readonly tokensIn: number;
  readonly tokensOut: number;
  readonly usd: number;
}

export const NOTHING_YET: Trace = {
  agent: { kind: 'none' },
  tools: new Map(),
  output: 'none',
  rateLimit: 'none',
  isSessionUnknown: false,
  usage: { turns: 0, tokensIn: 0, tokensOut: 0, usd: 0 },
};

/** Characters: enough to see what it is about, the rest is in the worker's log. */
const ERROR_KEPT = 300;
/** Characters that fit on a card. */
const DID_KEPT = 120;

export function traced(trace: Trace, event: AgentEvent, now: number): Trace {
  switch (event.kind) {
    case 'text':
      return {
        ...trace,
        agent: { kind: 'text', at: now },
        output: event.text === '' ? 'empty' : 'text',
        ...did(event.text, now),
      };
    case 'tool started':
      return {
        ...trace,
        agent: { kind: 'tool_started', at: now },
        tools: new Map(trace.tools).set(event.id, now),
        output: 'tool',
        ...did(`uses ${event.tool}`, now),
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
        lastError: shortened(event.message),
      };
    case 'login refused':
      return { ...trace, agent: { kind: 'error', at: now }, loginRefused: shortened(event.message) };
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
    case 'question':
    case 'heard':
    case 'unreadable':
      return { ...trace, agent: { kind: 'usage', at: now } };
  }
}

function shortened(message: string): string {
  return message.replace(/\s+/g, ' ').trim().slice(0, ERROR_KEPT);
}

/** It may say what it must not: whoever had its token could speak for it. Cut before it is searched, as it may be long. */
function did(text: string, at: number): Pick<Trace, 'did'> {
  const words = withoutTokens(text.slice(0, 4 * DID_KEPT))
    .replace(/\s+/g, ' ')
    .trim();
  if (words === '') return {};
  return { did: { what: words.length > DID_KEPT ? `${words.slice(0, DID_KEPT)}…` : words, at } };
}

/** Since when the tool that has been in flight the longest is. */
export function toolOf({ tools }: Trace): HealthEvidence['tool'] {
  const since = Math.min(...tools.values());
  return Number.isFinite(since) ? { since } : 'none';
}

/** There is nothing to go on with: no such session, or one whose last answer was empty. */
export function isSessionLost({ isSessionUnknown, output }: Trace): boolean {
  return isSessionUnknown || output === 'empty';
}
