/**
 * Queues issues whose worker cannot start yet, most urgent first. Reports which issues could start
 * now and when the next one could start.
 */
import { ACTIONS, type Action, type Decision, resolveActionMode } from '../../core/model/action.ts';
import type { IssueId } from '../../core/model/ids.ts';
import { MODES, type Mode } from '../../core/model/mode.ts';
import { compareUrgency, type RankedIssue } from '../../core/pipeline/order.ts';
import type { IssuePlan } from '../../core/state/issue-plan.ts';
import { StartAdmission, type StartContext } from '../../core/state/starts.ts';
import type { LegionState } from '../../core/state/state.ts';
import type { BoardView } from '../context/board-view.ts';

/** Decision reasons that are resolved by time or by a free slot. */
const WAIT_REASONS: ReadonlySet<string> = new Set([
  'no_capacity',
  'stagger',
  'respawn_wait',
  'breaker_open',
  'remains_alive',
  'agent_asked',
  'agent_limited',
  'agent_not_ready',
  'agent_not_chosen',
  'consent_required',
  'board_stale',
  'day_budget_spent',
  'budget_zero',
  'preflight_failed',
  'preflight_running',
]);

interface WaitingStart extends RankedIssue {
  readonly mode: Mode;
}

export interface DueStarts {
  readonly issues: readonly IssueId[];
  /** Time at which the next start becomes possible, if time alone decides. */
  readonly wakeAt: number | undefined;
}

/**
 * If more entries than this change at once, sorting the whole queue costs less than moving each
 * entry.
 */
const MAX_MOVED_SINGLY = 50;

const NONE: DueStarts = { issues: [], wakeAt: undefined };

export class StartQueue {
  readonly #boardView: BoardView;
  /** Waiting starts, most urgent first. */
  #starts: WaitingStart[] = [];
  /** The same waiting starts, by issue. */
  #byIssue = new Map<IssueId, WaitingStart>();
  /** Number of waiting starts per mode. */
  readonly #counts = new Map<Mode, number>();

  constructor(boardView: BoardView) {
    this.#boardView = boardView;
  }

  /**
   * Returns the issues that could start now. Applies the same rules as the decision, so that a
   * blocked start never delays one that is possible.
   */
  findDue(state: LegionState, context: StartContext, isHeld: (issue: IssueId) => boolean): DueStarts {
    if (this.#starts.length === 0) return NONE;
    const starts = new StartAdmission(state, context);
    const due: IssueId[] = [];
    const open = new Set(MODES.filter((mode) => (this.#counts.get(mode) ?? 0) > 0 && starts.isOpen(mode)));
    for (const { issue, mode } of this.#starts) {
      // Stops once all slots are taken: with thousands of issues waiting for a few slots, most need
      // no check.
      if (open.size === 0) break;
      if (!open.has(mode) || isHeld(issue)) continue;
      const refusal = starts.mayStart(issue, mode);
      if (refusal === undefined || refusal.action !== 'skip') due.push(issue);
      if (refusal === undefined) for (const each of open) if (!starts.isOpen(each)) open.delete(each);
    }
    return { issues: due, wakeAt: starts.wakeAt };
  }

  /**
   * Updates the queue with the given steps. If `whole` is true, they cover the whole board, and
   * issues missing from them are no longer waiting.
   */
  update(steps: readonly IssuePlan[], whole: boolean): void {
    const waiting = steps.flatMap(({ issue, decisions }) => this.#waitingStart(issue, decisions.at(-1)));
    if (whole) this.#replaceAll(waiting);
    else if (steps.length <= MAX_MOVED_SINGLY) this.#replaceSome(steps, waiting);
    else {
      const looked = new Set(steps.map(({ issue }) => issue));
      this.#replaceAll([...this.#starts.filter(({ issue }) => !looked.has(issue)), ...waiting]);
    }
  }

  #replaceAll(waiting: WaitingStart[]): void {
    this.#starts = waiting.sort(compareUrgency);
    this.#byIssue = new Map(waiting.map((start) => [start.issue, start]));
    this.#counts.clear();
    for (const { mode } of waiting) this.#count(mode, 1);
  }

  /** Updates only the reconciled issues, without visiting the thousands of other waiting issues. */
  #replaceSome(steps: readonly IssuePlan[], waiting: readonly WaitingStart[]): void {
    for (const { issue } of steps) {
      const start = this.#byIssue.get(issue);
      if (start === undefined) continue;
      this.#starts.splice(this.#starts.indexOf(start), 1);
      this.#byIssue.delete(issue);
      this.#count(start.mode, -1);
    }
    for (const start of waiting) {
      this.#starts.splice(findQueuePosition(start, this.#starts), 0, start);
      this.#byIssue.set(start.issue, start);
      this.#count(start.mode, 1);
    }
  }

  #count(mode: Mode, change: number): void {
    this.#counts.set(mode, (this.#counts.get(mode) ?? 0) + change);
  }

  #waitingStart(issue: IssueId, decision: Decision | undefined): WaitingStart[] {
    const seen = this.#boardView.find(issue);
    if (decision === undefined || seen === undefined || !WAIT_REASONS.has(decision.reason)) return [];
    const action = findRefusedAction(decision);
    const { priority, createdAt } = seen.issue;
    const mode = resolveActionMode(action, { ofStatus: decision.mode, ofAsker: decision.mode });
    return [{ issue, action, mode, status: seen.status, priority, createdAt }];
  }
}

/**
 * Finds the position at which to insert the start: behind all entries that are at least as urgent.
 */
function findQueuePosition(start: WaitingStart, sorted: readonly WaitingStart[]): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const other = sorted[middle];
    if (other !== undefined && compareUrgency(start, other) < 0) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * Returns the action that is waiting for capacity. If the decision is to wait, that action is in
 * its evidence.
 */
function findRefusedAction({ action, evidence }: Decision): Action {
  return ACTIONS.find((each) => evidence.includes(`would=${each}`)) ?? action;
}
