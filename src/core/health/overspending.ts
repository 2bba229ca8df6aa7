/** What follows when an attempt uses up too much, or works without progress: a warning, then a question, then its stop. */
import { isLive, type LifecycleState } from '../../domain/lifecycle.ts';
import {
  type Budgets,
  type SpendingByScope,
  type Weighed,
  weigh,
  weighedInWords,
} from '../../health/budget.ts';
import type { Explanation } from '../../health/judgement.ts';
import { type HealthLimits, healthLimits } from '../../health/limits.ts';
import type { Spending } from '../../health/spending.ts';
import { inWords } from '../../health/words.ts';

export interface SpendingFacts {
  readonly state: LifecycleState;
  /** Since a person last allowed it to go on. */
  readonly worker: Spending;
  readonly issue: Spending;
  /** By all workers since midnight. */
  readonly day?: Spending | undefined;
  /** Turns of the present attempt in a row without a diff, a report, a question or a checkpoint. */
  readonly idleTurns: number;
  /** What the present attempt was warned of already, as `scope measure`. */
  readonly warnings: readonly string[];
  readonly askedToStopAt?: number;
}

export interface SpendingStep extends Explanation {
  readonly step: 'nothing' | 'warn' | 'ask' | 'wait' | 'stop';
  /** The name of the warning. */
  readonly warning?: string;
}

export function overspending(
  facts: SpendingFacts,
  now: number,
  budgets: Budgets,
  given: Partial<HealthLimits>,
): SpendingStep {
  const limits = healthLimits(given);
  const weighed = weigh(facts, budgets);
  const evidence = [...weighed.map(weighedInWords), `idle_turns=${facts.idleTurns}`];
  // Who has reported only waits for our own verdict, and who waits for a person uses nothing up.
  if (!isLive(facts.state) || facts.state === 'reporting')
    return {
      step: 'nothing',
      why: 'It is not at work.',
      evidence,
      wouldChange: 'A new attempt.',
      until: 'event',
    };
  const excess = excessOf(facts, weighed, budgets);
  if (excess !== undefined) return ladder(facts, excess, evidence, now, limits);
  // A day that is nearly spent is nothing a single worker could mend.
  const near = weighed.find(
    (each) => each.level === 'near' && each.scope !== 'day' && !facts.warnings.includes(nameOf(each)),
  );
  if (near !== undefined) {
    return {
      step: 'warn',
      warning: nameOf(near),
      why: `A budget is nearly used up: ${weighedInWords(near)}.`,
      evidence,
      wouldChange: 'Its report, or a larger budget in legion.yaml.',
      until: 'event',
    };
  }
  return {
    step: 'nothing',
    why: 'It is within its budget.',
    evidence,
    wouldChange: 'What it uses up from now on.',
    until: 'event',
    ...nextByTime(weighed, budgets, now),
  };
}

/** Why a worker may not start at all; undefined where it may. */
export function spentBecause(used: SpendingByScope, budgets: Budgets): string | undefined {
  const spent = weigh(used, budgets).find(({ level }) => level === 'spent');
  return spent === undefined ? undefined : usedUp(spent);
}

function excessOf(
  facts: SpendingFacts,
  weighed: readonly Weighed[],
  { idleTurns }: Budgets,
): string | undefined {
  const spent = weighed.find(({ level }) => level === 'spent');
  if (spent !== undefined) return usedUp(spent);
  if (facts.idleTurns < idleTurns) return undefined;
  return noProgress(facts.idleTurns);
}

function usedUp(spent: Weighed): string {
  return `A budget is used up: ${weighedInWords(spent)}.`;
}

export function noProgress(turns: number): string {
  return `It has ended ${turns} turns without a change in its workspace, a report, a question or a checkpoint.`;
}

function ladder(
  { askedToStopAt }: SpendingFacts,
  why: string,
  evidence: readonly string[],
  now: number,
  limits: HealthLimits,
): SpendingStep {
  if (askedToStopAt === undefined) {
    const wouldChange = `It is asked to come to an end, and stopped ${inWords(limits.stopGrace)} later.`;
    return { step: 'ask', why, evidence, wouldChange, until: 'event' };
  }
  const due = askedToStopAt + limits.stopGrace;
  if (now < due) {
    const wouldChange = `Its report or its end; otherwise it is stopped in ${inWords(due - now)}.`;
    return { step: 'wait', why, evidence, wouldChange, until: 'time', lookAgainAt: due };
  }
  const wouldChange = 'A person who lets it go on with `legion resume`, or a larger budget in legion.yaml.';
  return { step: 'stop', why, evidence, wouldChange, until: 'person' };
}

/** Time passes without an event: the moment a share of it is used up has to be looked for. */
function nextByTime(weighed: readonly Weighed[], { warnAt }: Budgets, now: number): { lookAgainAt?: number } {
  const times = weighed.flatMap(({ measure, level, used, limit }) =>
    measure === 'wallMs' ? [now + (level === 'within' ? limit * warnAt : limit) - used] : [],
  );
  return times.length === 0 ? {} : { lookAgainAt: Math.ceil(Math.min(...times)) };
}

function nameOf({ scope, measure }: Weighed): string {
  return `${scope} ${measure}`;
}
