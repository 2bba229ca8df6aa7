/**
 * Handles an attempt that overspends or makes no progress: a warning, then a request to stop, then
 * the stop.
 */

import { describeDuration } from '../model/format.ts';
import { isLive, type LifecycleState } from '../model/lifecycle.ts';
import type { Spending } from './budget.ts';
import {
  type BudgetSettings,
  type BudgetUsage,
  computeBudgetUsage,
  describeBudgetUsage,
  type SpendingByScope,
} from './budget.ts';
import type { HealthExplanation } from './explanation.ts';
import { type HealthLimits, resolveHealthLimits } from './limits.ts';

export interface SpendingFacts {
  readonly state: LifecycleState;
  /** Spending of the worker since a person last let it continue. */
  readonly worker: Spending;
  readonly issue: Spending;
  /** Spending of all workers since midnight. */
  readonly day?: Spending | undefined;
  /** Consecutive turns of the current attempt without a diff, report, question or checkpoint. */
  readonly idleTurns: number;
  /** Warnings already sent to the current attempt, as `scope measure`. */
  readonly warnings: readonly string[];
  readonly askedToStopAt?: number;
}

export interface SpendingStep extends HealthExplanation {
  readonly step: 'nothing' | 'warn' | 'ask' | 'wait' | 'stop';
  /** Name of the warning. */
  readonly warning?: string;
}

export function decideOverspendingStep(
  facts: SpendingFacts,
  now: number,
  budgets: BudgetSettings,
  overrides: Partial<HealthLimits>,
): SpendingStep {
  const limits = resolveHealthLimits(overrides);
  const usage = computeBudgetUsage(facts, budgets);
  const evidence = [...usage.map(describeBudgetUsage), `idle_turns=${facts.idleTurns}`];
  // A reporting worker is only waiting for Legion's verdict, and a worker that is waiting for a
  // person spends nothing.
  if (!isLive(facts.state) || facts.state === 'reporting')
    return {
      step: 'nothing',
      why: 'It is not working at the moment.',
      evidence,
      wouldChange: 'A new attempt starts.',
      until: 'event',
    };
  const excess = explainExcess(facts, usage, budgets);
  if (excess !== undefined) return decideExcessStep(facts, excess, evidence, now, limits);
  // A worker is not warned about a nearly spent daily budget, because it cannot control what other
  // workers spend.
  const near = usage.find(
    (each) => each.level === 'near' && each.scope !== 'day' && !facts.warnings.includes(nameWarning(each)),
  );
  if (near !== undefined) {
    return {
      step: 'warn',
      warning: nameWarning(near),
      why: `A budget is nearly used up: ${describeBudgetUsage(near)}.`,
      evidence,
      wouldChange: 'It reports, or the budget in legion.yaml is raised.',
      until: 'event',
    };
  }
  return {
    step: 'nothing',
    why: 'It is within its budget.',
    evidence,
    wouldChange: 'Further spending.',
    until: 'event',
    ...computeNextBudgetLook(usage, budgets, now),
  };
}

/** Returns why a worker may not start at all, or undefined if it may. */
export function explainSpentBudget(used: SpendingByScope, budgets: BudgetSettings): string | undefined {
  const spent = computeBudgetUsage(used, budgets).find(({ level }) => level === 'spent');
  return spent === undefined ? undefined : describeSpentBudget(spent);
}

function explainExcess(
  facts: SpendingFacts,
  usage: readonly BudgetUsage[],
  { idleTurns }: BudgetSettings,
): string | undefined {
  const spent = usage.find(({ level }) => level === 'spent');
  if (spent !== undefined) return describeSpentBudget(spent);
  if (facts.idleTurns < idleTurns) return undefined;
  return describeNoProgress(facts.idleTurns);
}

function describeSpentBudget(spent: BudgetUsage): string {
  return `A budget is used up: ${describeBudgetUsage(spent)}.`;
}

export function describeNoProgress(turns: number): string {
  return `It took ${turns} turns without a workspace change, report, question or checkpoint.`;
}

function decideExcessStep(
  { askedToStopAt }: SpendingFacts,
  why: string,
  evidence: readonly string[],
  now: number,
  limits: HealthLimits,
): SpendingStep {
  if (askedToStopAt === undefined) {
    const wouldChange = `It is asked to finish, and stopped ${describeDuration(limits.stopGrace)} later.`;
    return { step: 'ask', why, evidence, wouldChange, until: 'event' };
  }
  const due = askedToStopAt + limits.stopGrace;
  if (now < due) {
    const wouldChange = `It reports or exits; otherwise it is stopped in ${describeDuration(due - now)}.`;
    return { step: 'wait', why, evidence, wouldChange, until: 'time', lookAgainAt: due };
  }
  const wouldChange = 'A person runs `legion resume` or raises the budget in legion.yaml.';
  return { step: 'stop', why, evidence, wouldChange, until: 'person' };
}

/**
 * Returns the time of the next check. Time passes without events, so the next threshold of a time
 * budget needs a scheduled check.
 */
function computeNextBudgetLook(
  usage: readonly BudgetUsage[],
  { warnAt }: BudgetSettings,
  now: number,
): { lookAgainAt?: number } {
  const times = usage.flatMap(({ measure, level, used, limit }) =>
    measure === 'wallMs' ? [now + (level === 'within' ? limit * warnAt : limit) - used] : [],
  );
  return times.length === 0 ? {} : { lookAgainAt: Math.ceil(Math.min(...times)) };
}

function nameWarning({ scope, measure }: BudgetUsage): string {
  return `${scope} ${measure}`;
}
