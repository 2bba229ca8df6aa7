/** Which agent a worker is to start with: the first choice of its mode, or what takes its place where that cannot be used now. */

import type { Swarm } from '../core/state/state.ts';
import type { Mode } from '../domain/mode.ts';
import { type HealthLimits, healthLimits } from '../health/limits.ts';
import { namedReset } from '../health/quota-reset.ts';
import { inWords } from '../health/words.ts';
import type { Refusal } from './chain.ts';

/** As configured for a mode; a model belongs to its agent. */
export interface AgentChoice {
  readonly agent: string;
  readonly model?: string | undefined;
}

/**
 * `unknown`: it is being found out. `needs_consent`: the operator has not agreed to it yet. A problem says what is missing and
 * what to do about it.
 */
export type Readiness =
  | 'ready'
  | 'unknown'
  | 'needs_consent'
  | { readonly problem: string; readonly next?: string | undefined };

export interface AgentsAtHand {
  /** The first choice, then what may take its place, in order; empty where the operator has chosen none. */
  readonly choicesFor: (mode: Mode) => readonly AgentChoice[];
  readonly readinessOf: (choice: AgentChoice) => Readiness;
}

export type Chosen =
  | { readonly choice: AgentChoice }
  | { readonly refusal: Refusal; readonly wakeAt: number | undefined };

export interface ChoiceContext {
  readonly now: number;
  readonly health: Partial<HealthLimits>;
  readonly agents: AgentsAtHand;
}

/** Without a choice: waits for what ends first, a reset that is known or whatever makes an agent ready. */
export function chooseAgent(swarm: Swarm, mode: Mode, { now, health, agents }: ChoiceContext): Chosen {
  const choices = agents.choicesFor(mode);
  if (choices.length === 0) {
    const refusal: Refusal = { action: 'skip', reason: 'agent_not_chosen', fact: `mode=${mode}` };
    return { refusal, wakeAt: undefined };
  }
  const problems: string[] = [];
  const resets: number[] = [];
  for (const choice of choices) {
    const readiness = agents.readinessOf(choice);
    // A moment's patience: whoever comes first is not passed over because nobody has asked it yet.
    if (readiness === 'unknown') return beingAsked(choice);
    // Nobody else takes its place: the person who agrees may have meant this one.
    if (readiness === 'needs_consent') return needingConsent(choice);
    const resetAt = readiness === 'ready' ? limitedUntil(swarm, choice, now, health) : undefined;
    if (readiness === 'ready' && resetAt === undefined) return { choice };
    problems.push(`${nameOf(choice)}: ${problemOf(readiness, resetAt, now)}`);
    if (resetAt !== undefined) resets.push(resetAt);
  }
  const isLimited = resets.length > 0;
  const reason = isLimited ? 'agent_limited' : 'agent_not_ready';
  const refusal: Refusal = { action: 'skip', reason, fact: problems.join('; ') };
  return { refusal, wakeAt: isLimited ? Math.min(...resets) : undefined };
}

function beingAsked(choice: AgentChoice): Chosen {
  const refusal: Refusal = { action: 'skip', reason: 'agent_asked', fact: nameOf(choice) };
  return { refusal, wakeAt: undefined };
}

function needingConsent(choice: AgentChoice): Chosen {
  const refusal: Refusal = { action: 'skip', reason: 'consent_required', fact: nameOf(choice) };
  return { refusal, wakeAt: undefined };
}

/** Whoever shares its provider would be refused, too; undefined where nobody was, or the time has passed. */
function limitedUntil(
  { quotas }: Swarm,
  choice: AgentChoice,
  now: number,
  health: Partial<HealthLimits>,
): number | undefined {
  const quota = quotas.get(quotaKey(choice));
  if (quota === undefined) return undefined;
  const limits = healthLimits(health);
  const { since: seenAt, until: resetAt = 'unknown' } = quota;
  const until = namedReset({ seenAt, resetAt }, limits) ?? seenAt + limits.quotaUnknown;
  return until > now ? until : undefined;
}

export function quotaKey({ agent, model }: AgentChoice): string {
  return model === undefined ? agent : `${agent} ${model}`;
}

export function nameOf({ agent, model }: AgentChoice): string {
  return model === undefined ? agent : `${agent} (${model})`;
}

function problemOf(readiness: Readiness, resetAt: number | undefined, now: number): string {
  if (typeof readiness === 'object') return readiness.problem;
  return `its provider has refused it for lack of quota; that ends in ${inWords((resetAt ?? now) - now)}`;
}

/** As an order or an event carries it. */
export function whoWorks(choice: AgentChoice | undefined): {
  readonly agent?: string;
  readonly model?: string;
} {
  if (choice === undefined) return {};
  const { agent, model } = choice;
  return { agent, ...(model === undefined ? {} : { model }) };
}
