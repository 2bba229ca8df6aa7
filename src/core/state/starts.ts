/** May a worker start now? First the rules for one whose last life failed, then the room there is. */

import type { Mode } from '../../domain/mode.ts';
import type { Budgets } from '../../health/budget.ts';
import { type Day, type DayRefusal, refuseByDay } from '../../health/day-budget.ts';
import type { HealthLimits } from '../../health/limits.ts';
import type { Refusal } from '../../swarm/chain.ts';
import { type AgentChoice, type AgentsAtHand, type Chosen, chooseAgent } from '../../swarm/choose-agent.ts';
import { spentSince } from '../../swarm/day-spending.ts';
import { restartOf } from '../../swarm/restart.ts';
import { Room, type StartLimits } from '../../swarm/room.ts';
import { chargedTo } from '../../swarm/spending.ts';
import { workersOf } from '../../swarm/workers.ts';
import { noProgress, spentBecause } from '../health/overspending.ts';
import type { IssueId } from '../model/ids.ts';
import type { Swarm, WorkerRecord } from './state.ts';

export interface StartContext extends StartLimits {
  readonly now: number;
  readonly health: Partial<HealthLimits>;
  readonly budgets: Budgets;
  readonly agents: AgentsAtHand;
  /** The local day it is; absent where nobody counts days. */
  readonly day?: Day | undefined;
  /** The board that was last read counts until then. */
  readonly boardGoodUntil: number;
  /** What the preflight says against any worker of the issue. */
  readonly holdOn: (issue: IssueId) => Refusal | undefined;
  /** Whether the preflight holds every issue. */
  readonly isEverythingHeld?: boolean | undefined;
}

/** One pass's view of who may start; it also remembers when a refused start is worth another look. */
export class Starts {
  readonly #swarm: Swarm;
  readonly #context: StartContext;
  readonly #room: Room;
  readonly #chosen = new Map<Mode, Chosen>();
  #dayRefusal: DayRefusal | 'none' | undefined;
  #wakeAt: number | undefined;

  constructor(swarm: Swarm, context: StartContext) {
    this.#swarm = swarm;
    this.#context = context;
    this.#room = new Room(swarm, context, context.now);
  }

  get hasFreePlace(): boolean {
    return this.#room.hasFreePlace;
  }

  /** The earliest time at which a start that was refused may be allowed; undefined where time alone changes nothing. */
  get wakeAt(): number | undefined {
    return this.#wakeAt;
  }

  /** Takes a place where it may. */
  mayStart(issue: IssueId, mode: Mode): Refusal | undefined {
    const refusal = this.findRefusal(issue, mode);
    if (refusal === undefined) this.#room.take(mode);
    return refusal;
  }

  /** The same answer without taking a place. */
  findRefusal(issue: IssueId, mode: Mode): Refusal | undefined {
    const early = this.#onPresentBoard() ?? this.#context.holdOn(issue);
    if (early !== undefined) return early;
    const workers = workersOf(this.#swarm, issue);
    const worker = workers.find((each) => each.mode === mode);
    return (
      this.#afterFailure(worker) ??
      this.#withinDay() ??
      this.#withinBudget(workers, worker, mode) ??
      this.#withAgent(mode) ??
      this.#withinRoom(mode)
    );
  }

  /** Whether nothing that concerns all issues alike stands against a start in this mode: not asked for each of thousands. */
  isOpen(mode: Mode): boolean {
    const refusal =
      this.#onPresentBoard() ?? this.#withinDay() ?? this.#withAgent(mode) ?? this.#withinRoom(mode);
    return refusal === undefined && this.#context.isEverythingHeld !== true;
  }

  /** Who works in this mode now; undefined where nobody can. */
  agentFor(mode: Mode): AgentChoice | undefined {
    const chosen = this.#chooseAgent(mode);
    return 'choice' in chosen ? chosen.choice : undefined;
  }

  #onPresentBoard(): Refusal | undefined {
    const { now, boardGoodUntil } = this.#context;
    if (now <= boardGoodUntil) return undefined;
    const fact = `boardGoodUntil=${boardGoodUntil}`;
    return { action: 'skip', reason: 'board_stale', fact };
  }

  #afterFailure(worker: WorkerRecord | undefined): Refusal | undefined {
    const { now, health } = this.#context;
    const answer = restartOf(worker, this.#swarm.breaker.open !== undefined, now, health);
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
        return { action: 'add_legion_paused', reason: 'crash_limit', fact: `${answer.why}${endOf(worker)}` };
    }
  }

  /** Before the issue's own budget: a day that is over mends this, and nobody has to resume the issue. */
  #withinDay(): Refusal | undefined {
    // The same for every issue of a pass.
    this.#dayRefusal ??= this.#refuseByDay() ?? 'none';
    if (this.#dayRefusal === 'none') return undefined;
    if (this.#dayRefusal.reason === 'day_budget_spent') this.#wake(this.#context.day?.endsAt);
    return { action: 'skip', ...this.#dayRefusal };
  }

  #refuseByDay(): DayRefusal | undefined {
    const { budgets, day } = this.#context;
    return refuseByDay(day === undefined ? undefined : spentSince(this.#swarm, day.startedAt), budgets);
  }

  #withinBudget(
    workers: readonly WorkerRecord[],
    worker: WorkerRecord | undefined,
    mode: Mode,
  ): Refusal | undefined {
    const { now, budgets } = this.#context;
    const idleTurns = worker?.spent.progress.idleTurns ?? 0;
    if (idleTurns >= budgets.idleTurns)
      return { action: 'add_legion_paused', reason: 'no_progress', fact: noProgress(idleTurns) };
    const fact = spentBecause(chargedTo(workers, mode, now), budgets);
    return fact === undefined ? undefined : { action: 'add_legion_paused', reason: 'budget_spent', fact };
  }

  #withAgent(mode: Mode): Refusal | undefined {
    const chosen = this.#chooseAgent(mode);
    if ('choice' in chosen) return undefined;
    this.#wake(chosen.wakeAt);
    return chosen.refusal;
  }

  /** The same for every issue of a pass. */
  #chooseAgent(mode: Mode): Chosen {
    const known = this.#chosen.get(mode);
    if (known !== undefined) return known;
    const chosen = chooseAgent(this.#swarm, mode, this.#context);
    this.#chosen.set(mode, chosen);
    return chosen;
  }

  #withinRoom(mode: Mode): Refusal | undefined {
    const refusal = this.#room.findRefusal(mode);
    if (refusal === undefined) return undefined;
    if (refusal === 'stagger') this.#wake(this.#room.nextStartAt);
    return { action: 'skip', reason: refusal, fact: `mode=${mode}` };
  }

  #wake(at: number | undefined): void {
    if (at !== undefined) this.#wakeAt = Math.min(at, this.#wakeAt ?? at);
  }
}

/** How the last life ended, for the person who has to decide what now. */
function endOf(worker: WorkerRecord | undefined): string {
  const how = worker?.failedLives.at(-1)?.how ?? '';
  const missing = worker?.refusal === undefined ? '' : ` Its report was refused: ${worker.refusal}`;
  return `${how === '' ? '' : ` The last time: ${how}`}${missing}`;
}
