/**
 * Decides how a worker's next attempt starts: with which agent, in which session, and whether the
 * health rules allow it after a failure.
 */
import { findQuotaReset, type HealthLimits, resolveHealthLimits } from '../health/limits.ts';
import { type CrashFacts, decideRespawnStep, type RespawnStep } from '../health/respawn.ts';
import {
  type AgentChoice,
  type AvailableAgents,
  formatAgentChoice,
  type ReadinessState,
  toQuotaKey,
} from '../model/agent-choice.ts';
import { describeDuration } from '../model/format.ts';
import type { Mode } from '../model/mode.ts';
import type { StartRefusal } from '../pipeline/reasons.ts';
import type { LegionState, WorkerRecord } from './state.ts';

export type AgentSelection =
  | { readonly choice: AgentChoice }
  | { readonly refusal: StartRefusal; readonly wakeAt: number | undefined };

export interface AgentSelectionContext {
  readonly now: number;
  readonly health: Partial<HealthLimits>;
  readonly agents: AvailableAgents;
}

/**
 * Returns the first usable choice, or a refusal with the earliest quota reset as its wake-up time.
 */
export function chooseAgent(
  state: LegionState,
  mode: Mode,
  { now, health, agents }: AgentSelectionContext,
): AgentSelection {
  const choices = agents.choicesFor(mode);
  if (choices.length === 0) {
    const refusal: StartRefusal = { action: 'skip', reason: 'agent_not_chosen', fact: `mode=${mode}` };
    return { refusal, wakeAt: undefined };
  }
  const problems: string[] = [];
  const resets: number[] = [];
  for (const choice of choices) {
    const readiness = agents.readinessOf(choice);
    // Wait for the check: the first choice is not skipped just because its readiness is unknown.
    if (readiness === 'unknown') return refuseUnknownAgent(choice);
    // Do not fall back to another agent: the operator may want this one and still consent to it.
    if (readiness === 'needs_consent') return refuseWithoutConsent(choice);
    const resetAt = readiness === 'ready' ? findLimitEnd(state, choice, now, health) : undefined;
    if (readiness === 'ready' && resetAt === undefined) return { choice };
    problems.push(`${formatAgentChoice(choice)}: ${describeAgentProblem(readiness, resetAt, now)}`);
    if (resetAt !== undefined) resets.push(resetAt);
  }
  const isLimited = resets.length > 0;
  const reason = isLimited ? 'agent_limited' : 'agent_not_ready';
  const refusal: StartRefusal = { action: 'skip', reason, fact: problems.join('; ') };
  return { refusal, wakeAt: isLimited ? Math.min(...resets) : undefined };
}

function refuseUnknownAgent(choice: AgentChoice): AgentSelection {
  const refusal: StartRefusal = { action: 'skip', reason: 'agent_asked', fact: formatAgentChoice(choice) };
  return { refusal, wakeAt: undefined };
}

function refuseWithoutConsent(choice: AgentChoice): AgentSelection {
  const refusal: StartRefusal = {
    action: 'skip',
    reason: 'consent_required',
    fact: formatAgentChoice(choice),
  };
  return { refusal, wakeAt: undefined };
}

/**
 * Returns the time at which the provider's quota refusal ends, or undefined if there was no refusal
 * or it has ended. A refusal applies to every worker with this agent and model.
 */
function findLimitEnd(
  { quotas }: LegionState,
  choice: AgentChoice,
  now: number,
  health: Partial<HealthLimits>,
): number | undefined {
  const quota = quotas.get(toQuotaKey(choice));
  if (quota === undefined) return undefined;
  const limits = resolveHealthLimits(health);
  const { since: seenAt, until: resetAt = 'unknown' } = quota;
  const until = findQuotaReset({ seenAt, resetAt }, limits) ?? seenAt + limits.quotaUnknown;
  return until > now ? until : undefined;
}

function describeAgentProblem(readiness: ReadinessState, resetAt: number | undefined, now: number): string {
  if (typeof readiness === 'object') return readiness.problem;
  return `its provider's quota is used up; Legion tries again in ${describeDuration((resetAt ?? now) - now)}`;
}

/**
 * Returns undefined if the last attempt did not fail, because the rules for failed attempts then do
 * not apply.
 */
export function decideRestart(
  worker: WorkerRecord | undefined,
  breakerOpen: boolean,
  now: number,
  limits: Partial<HealthLimits>,
): RespawnStep | undefined {
  if (worker === undefined || !hasFailed(worker)) return undefined;
  const facts: CrashFacts = {
    attempt: worker.attempt,
    failedAttempts: worker.failedLives,
    remains: getRemains(worker),
    isBreakerOpen: breakerOpen,
    session: worker.sessionLost === true ? 'dead' : 'resumable',
    hasCheckpoint: worker.checkpoint !== undefined,
  };
  return decideRespawnStep(facts, now, limits);
}

/**
 * Returns the session version of the next attempt. It is a new one if the old session cannot be
 * continued.
 */
export function computeNextSessionVersion(worker: WorkerRecord | undefined, agent?: string): number {
  return (worker?.version ?? 0) + (shouldStartNewSession(worker, agent) ? 1 : 0);
}

/**
 * Returns whether the session is lost or belongs to another agent. Agents cannot continue each
 * other's sessions.
 */
export function shouldStartNewSession(worker: WorkerRecord | undefined, agent?: string): boolean {
  if (worker === undefined) return false;
  const isOthers = agent !== undefined && worker.agent !== undefined && worker.agent !== agent;
  return worker.sessionLost === true || isOthers;
}

/** Returns whether the worker's latest attempt is also its latest failed attempt. */
export function hasFailed({ facts, failedLives }: WorkerRecord): boolean {
  return failedLives.at(-1)?.startedAt === facts.dispatchedAt && facts.acceptedAt === undefined;
}

/** A started process counts as alive until its exit was seen or it was recorded as a zombie. */
function getRemains({ process, exit, zombie }: WorkerRecord): CrashFacts['remains'] {
  if (process === undefined || exit !== undefined) return 'none';
  return zombie === true ? 'zombie' : 'alive';
}
