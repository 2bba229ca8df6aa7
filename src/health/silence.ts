/** How long an attempt has been silent, and how long it may be, by what it is doing. */
import { type Condition, conditionOf } from './condition.ts';
import type { HealthEvidence } from './evidence.ts';
import type { Look } from './judgement.ts';
import type { HealthLimits } from './limits.ts';

export interface Silence {
  readonly condition: Condition;
  /** Nothing was heard since, and no flag was cleared since. */
  readonly since: number;
  /** The agent itself was last heard of then; a warm CPU is not the agent. */
  readonly agentSince: number;
  /** Suspicion begins after this much silence. */
  readonly limit: number;
  /** After this much silence of the agent, signs of mere bodily life no longer clear the flag. */
  readonly hard: number;
}

export function silenceOf({ evidence, limits }: Pick<Look, 'evidence' | 'limits'>): Silence {
  const condition = conditionOf(evidence);
  const agentSince = lastHeardOfAgent(evidence);
  const cleared = clearedAt(evidence);
  const { limit, hard } = limitsOf(condition, limits);
  if (condition === 'idle' || condition === 'gone') {
    const began = beginOf(condition, evidence);
    // At once; but one that was cleared in this very condition gets a while before it is troubled again.
    if (cleared === undefined || cleared < began) return { condition, since: began, agentSince, limit, hard };
    const pause = condition === 'idle' ? limits.thinking : limits.heartbeat;
    return { condition, since: cleared, agentSince, limit: pause, hard };
  }
  const since = cleared === undefined ? agentSince : Math.max(agentSince, cleared);
  return { condition, since, agentSince, limit, hard };
}

function limitsOf(condition: Condition, limits: HealthLimits): { limit: number; hard: number } {
  switch (condition) {
    case 'not_started':
      return { limit: limits.notStarted, hard: limits.thinkingHard };
    case 'thinking':
      return { limit: limits.thinking, hard: limits.thinkingHard };
    case 'in_tool':
    case 'unclear':
      return { limit: limits.inTool, hard: limits.inToolHard };
    case 'idle':
    case 'gone':
      return { limit: 0, hard: limits.thinkingHard };
    // These have rules of their own and never become suspicious by silence.
    case 'reporting':
    case 'waiting_user':
    case 'waiting_quota':
    case 'ended':
      return { limit: Number.POSITIVE_INFINITY, hard: Number.POSITIVE_INFINITY };
  }
}

/** The session file counts beside the events: whoever looks at the wrong stream must not call the worker silent. */
function lastHeardOfAgent(evidence: HealthEvidence): number {
  const { agent, sessionFile, checkpoint, tool } = evidence;
  let last = Math.max(evidence.spawnedAt, evidence.stateSince);
  if (agent !== 'unavailable' && agent.kind !== 'none') last = Math.max(last, agent.at);
  if (typeof sessionFile === 'object') last = Math.max(last, sessionFile.at);
  if (typeof checkpoint === 'object') last = Math.max(last, checkpoint.at);
  if (typeof tool === 'object') last = Math.max(last, tool.since);
  return last;
}

function clearedAt({ suspicion }: HealthEvidence): number | undefined {
  return suspicion.flagged ? undefined : suspicion.clearedAt;
}

function beginOf(condition: 'idle' | 'gone', { agent, process, spawnedAt }: HealthEvidence): number {
  if (condition === 'idle') return agent !== 'unavailable' && agent.kind !== 'none' ? agent.at : spawnedAt;
  return process !== 'unavailable' && process.state === 'gone' ? process.since : spawnedAt;
}
