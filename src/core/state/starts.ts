/**
 * Decides whether a worker may start now, based on the preflight, the rules after a failed attempt,
 * the budgets, its agent and the free capacity.
 */

import type { LocalDay } from '../health/budget.ts';
import { type BudgetSettings, type DayRefusal, refuseByDayBudget } from '../health/budget.ts';
import type { HealthLimits } from '../health/limits.ts';
import { describeNoProgress, explainSpentBudget } from '../health/overspending.ts';
import type { AgentChoice, AvailableAgents } from '../model/agent-choice.ts';
import type { IssueId } from '../model/ids.ts';
import { isLive, toLifecycleState } from '../model/lifecycle.ts';
import type { Mode } from '../model/mode.ts';
import {
  computeNextDispatchAt,
  countTakenSlots,
  hasCapacity,
  type WorkerCapacity,
} from '../pipeline/order.ts';
import type { StartRefusal } from '../pipeline/reasons.ts';
import { type AgentSelection, chooseAgent, decideRestart } from './next-attempt.ts';
import { computeChargedSpending, sumFleetSpendingSince } from './spending.ts';
import type { LegionState, WorkerRecord } from './state.ts';
import { listIssueWorkers, listPresentWorkers } from './workers.ts';

export interface StartContext extends StartLimits {
  readonly now: number;
  readonly health: Partial<HealthLimits>;
  readonly budgets: BudgetSettings;
  readonly agents: AvailableAgents;
  /** Current local day. Absent if daily spending is not counted. */
  readonly day?: LocalDay | undefined;
  /** Time until which the board that was last read is valid. */
  readonly boardGoodUntil: number;
  /** Preflight problem that blocks every worker of the issue. */
  readonly holdOn: (issue: IssueId) => StartRefusal | undefined;
  /** Whether the preflight blocks every issue. */
  readonly isEverythingHeld?: boolean | undefined;
}

/** Decides which workers may start in one pass. Also tracks when to retry a refused start. */
export class StartAdmission {
  readonly #state: LegionState;
  readonly #context: StartContext;
  readonly #capacity: StartCapacity;
  readonly #chosen = new Map<Mode, AgentSelection>();
  #dayRefusal: DayRefusal | 'none' | undefined;
  #wakeAt: number | undefined;

  constructor(state: LegionState, context: StartContext) {
    this.#state = state;
    this.#context = context;
    this.#capacity = new StartCapacity(state, context, context.now);
  }

  get hasFreeSlot(): boolean {
    return this.#capacity.hasFreeSlot;
  }

  /**
   * Earliest time at which a refused start may be allowed. Undefined if waiting alone changes
   * nothing.
   */
  get wakeAt(): number | undefined {
    return this.#wakeAt;
  }

  /** Takes a slot if the worker may start. */
  mayStart(issue: IssueId, mode: Mode): StartRefusal | undefined {
    const refusal = this.findRefusal(issue, mode);
    if (refusal === undefined) this.#capacity.take(mode);
    return refusal;
  }

  /** Like `mayStart`, but takes no slot. */
  findRefusal(issue: IssueId, mode: Mode): StartRefusal | undefined {
    const early = this.#refuseOnStaleBoard() ?? this.#context.holdOn(issue);
    if (early !== undefined) return early;
    const workers = listIssueWorkers(this.#state, issue);
    const worker = workers.find((each) => each.mode === mode);
    return (
      this.#refuseAfterFailure(worker) ??
      this.#refuseByDay() ??
      this.#refuseByBudget(workers, worker, mode) ??
      this.#refuseByAgent(mode) ??
      this.#refuseByCapacity(mode)
    );
  }

  /**
   * Returns false if something that affects all issues blocks every start in this mode. Avoids
   * checking each of thousands of issues.
   */
  isOpen(mode: Mode): boolean {
    const refusal =
      this.#refuseOnStaleBoard() ??
      this.#refuseByDay() ??
      this.#refuseByAgent(mode) ??
      this.#refuseByCapacity(mode);
    return refusal === undefined && this.#context.isEverythingHeld !== true;
  }

  /** Returns the agent for this mode, or undefined if none is available. */
  agentFor(mode: Mode): AgentChoice | undefined {
    const chosen = this.#chooseAgent(mode);
    return 'choice' in chosen ? chosen.choice : undefined;
  }

  #refuseOnStaleBoard(): StartRefusal | undefined {
    const { now, boardGoodUntil } = this.#context;
    if (now <= boardGoodUntil) return undefined;
    const fact = `boardGoodUntil=${boardGoodUntil}`;
    return { action: 'skip', reason: 'board_stale', fact };
  }

  #refuseAfterFailure(worker: WorkerRecord | undefined): StartRefusal | undefined {
    const { now, health } = this.#context;
    const answer = decideRestart(worker, this.#state.breaker.open !== undefined, now, health);
    switch (answer?.step) {
      case undefined:
      case 'resume':
      case 'start_fresh':
        return undefined;
      case 'stop_remains':
        return { action: 'skip', reason: 'remains_alive', fact: answer.why };
      case 'wait':
        this.#wake(answer.lookAgainAt);
        return { action: 'skip', reason: 'respawn_wait', fact: answer.why };
      case 'pause_and_escalate':
        return {
          action: 'add_legion_paused',
          reason: 'crash_limit',
          fact: `${answer.why}${describeLastEnd(worker)}`,
        };
    }
  }

  /**
   * The daily budget is checked before the issue's own budget, because a refusal by the daily
   * budget ends the next day without a person.
   */
  #refuseByDay(): StartRefusal | undefined {
    // Cached, because it is the same for every issue of a pass.
    this.#dayRefusal ??= this.#computeDayRefusal() ?? 'none';
    if (this.#dayRefusal === 'none') return undefined;
    if (this.#dayRefusal.reason === 'day_budget_spent') this.#wake(this.#context.day?.endsAt);
    return { action: 'skip', ...this.#dayRefusal };
  }

  #computeDayRefusal(): DayRefusal | undefined {
    const { budgets, day } = this.#context;
    return refuseByDayBudget(
      day === undefined ? undefined : sumFleetSpendingSince(this.#state, day.startedAt),
      budgets,
    );
  }

  #refuseByBudget(
    workers: readonly WorkerRecord[],
    worker: WorkerRecord | undefined,
    mode: Mode,
  ): StartRefusal | undefined {
    const { now, budgets } = this.#context;
    const idleTurns = worker?.spent.progress.idleTurns ?? 0;
    if (idleTurns >= budgets.idleTurns)
      return { action: 'add_legion_paused', reason: 'no_progress', fact: describeNoProgress(idleTurns) };
    const fact = explainSpentBudget(computeChargedSpending(workers, mode, now), budgets);
    return fact === undefined ? undefined : { action: 'add_legion_paused', reason: 'budget_spent', fact };
  }

  #refuseByAgent(mode: Mode): StartRefusal | undefined {
    const chosen = this.#chooseAgent(mode);
    if ('choice' in chosen) return undefined;
    this.#wake(chosen.wakeAt);
    return chosen.refusal;
  }

  /** Cached, because it is the same for every issue of a pass. */
  #chooseAgent(mode: Mode): AgentSelection {
    const known = this.#chosen.get(mode);
    if (known !== undefined) return known;
    const chosen = chooseAgent(this.#state, mode, this.#context);
    this.#chosen.set(mode, chosen);
    return chosen;
  }

  #refuseByCapacity(mode: Mode): StartRefusal | undefined {
    const refusal = this.#capacity.findRefusal(mode);
    if (refusal === undefined) return undefined;
    if (refusal === 'stagger') this.#wake(this.#capacity.nextStartAt);
    return { action: 'skip', reason: refusal, fact: `mode=${mode}` };
  }

  #wake(at: number | undefined): void {
    if (at !== undefined) this.#wakeAt = Math.min(at, this.#wakeAt ?? at);
  }
}

/** Describes how the last attempt ended, for the person who has to decide what to do. */
function describeLastEnd(worker: WorkerRecord | undefined): string {
  const how = worker?.failedLives.at(-1)?.how ?? '';
  const missing = worker?.refusal === undefined ? '' : ` Its report was refused: ${worker.refusal}`;
  return `${how === '' ? '' : ` Last failure: ${how}`}${missing}`;
}

export interface StartLimits {
  readonly slots: WorkerCapacity;
  /** Minimum time between two starts, in ms. 0 for agents that need no delay. */
  readonly staggerMs: number;
}

type CapacityRefusal = 'breaker_open' | 'no_capacity' | 'stagger';

/**
 * Decides whether one more worker may start in this pass: breaker, slots, and delay between starts.
 * Counts the starts of this pass in addition to workers that were already live.
 */
export class StartCapacity {
  readonly #limits: StartLimits;
  readonly #now: number;
  readonly #closed: boolean;
  readonly #taken: Partial<Record<Mode, number>> = {};
  #lastStart: number | undefined;

  constructor(state: LegionState, limits: StartLimits, now: number) {
    this.#limits = limits;
    this.#now = now;
    this.#closed = state.breaker.open !== undefined;
    this.#lastStart = state.lastDispatchAt;
    for (const [, { mode, facts }] of listPresentWorkers(state)) {
      if (isLive(toLifecycleState(facts))) this.#taken[mode] = (this.#taken[mode] ?? 0) + 1;
    }
  }

  get hasFreeSlot(): boolean {
    return countTakenSlots(this.#taken) < this.#limits.slots.workers;
  }

  /** Earliest time for a start that was refused as too early. */
  get nextStartAt(): number {
    return computeNextDispatchAt(this.#lastStart, this.#now, this.#limits.staggerMs);
  }

  findRefusal(mode: Mode): CapacityRefusal | undefined {
    if (this.#closed) return 'breaker_open';
    if (!hasCapacity(mode, this.#taken, this.#limits.slots)) return 'no_capacity';
    return this.nextStartAt > this.#now ? 'stagger' : undefined;
  }

  /** Call only if nothing refuses the start. */
  take(mode: Mode): void {
    this.#taken[mode] = (this.#taken[mode] ?? 0) + 1;
    this.#lastStart = this.#now;
  }
}
