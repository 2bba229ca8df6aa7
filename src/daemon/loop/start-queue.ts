/** Issues whose worker may not start yet, the most urgent first: who of them could start now, and when the next could. */
import { ACTIONS, type Action, modeOf } from '../../core/model/action.ts';
import type { IssueId } from '../../core/model/ids.ts';
import { byUrgency, type Ranked } from '../../core/pipeline/order.ts';
import { type StartContext, Starts } from '../../core/state/starts.ts';
import type { Swarm } from '../../core/state/state.ts';
import type { Decision } from '../../domain/decision.ts';
import { MODES, type Mode } from '../../domain/mode.ts';
import type { IssueStep } from '../../swarm/step.ts';
import type { BoardView } from '../board-view.ts';

/** Reasons that time or a free place ends, as the decision gives them. */
const WAITS: ReadonlySet<string> = new Set([
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

interface WaitingStart extends Ranked {
  readonly mode: Mode;
}

export interface DueStarts {
  readonly issues: readonly IssueId[];
  /** When the first of the others could start, where time alone decides. */
  readonly wakeAt: number | undefined;
}

/** Beyond that, sorting all of them again costs less than moving each by itself. */
const MAX_MOVED_SINGLY = 50;

const NONE: DueStarts = { issues: [], wakeAt: undefined };

export class WaitingStarts {
  readonly #view: BoardView;
  /** In order of urgency. */
  #starts: WaitingStart[] = [];
  /** By the issue that waits. */
  #byIssue = new Map<IssueId, WaitingStart>();
  /** How many wait in each mode. */
  readonly #counts = new Map<Mode, number>();

  constructor(view: BoardView) {
    this.#view = view;
  }

  /** By the same rules as the decision itself, so that nobody who cannot start stands in the way of who can. */
  due(swarm: Swarm, context: StartContext, isHeld: (issue: IssueId) => boolean): DueStarts {
    if (this.#starts.length === 0) return NONE;
    const starts = new Starts(swarm, context);
    const due: IssueId[] = [];
    const open = new Set(MODES.filter((mode) => (this.#counts.get(mode) ?? 0) > 0 && starts.isOpen(mode)));
    for (const { issue, mode } of this.#starts) {
      // With thousands waiting for a few places, most of them need not be asked about.
      if (open.size === 0) break;
      if (!open.has(mode) || isHeld(issue)) continue;
      const refusal = starts.mayStart(issue, mode);
      if (refusal === undefined || refusal.action !== 'skip') due.push(issue);
      if (refusal === undefined) for (const each of open) if (!starts.isOpen(each)) open.delete(each);
    }
    return { issues: due, wakeAt: starts.wakeAt };
  }

  /** `whole`: the steps are of the whole board, so that who is not among them waits no more. */
  note(steps: readonly IssueStep[], whole: boolean): void {
    const waiting = steps.flatMap(({ issue, decisions }) => this.#waitingStart(issue, decisions.at(-1)));
    if (whole) this.#replaceAll(waiting);
    else if (steps.length <= MAX_MOVED_SINGLY) this.#replaceSome(steps, waiting);
    else {
      const looked = new Set(steps.map(({ issue }) => issue));
      this.#replaceAll([...this.#starts.filter(({ issue }) => !looked.has(issue)), ...waiting]);
    }
  }

  #replaceAll(waiting: WaitingStart[]): void {
    this.#starts = waiting.sort(byUrgency);
    this.#byIssue = new Map(waiting.map((start) => [start.issue, start]));
    this.#counts.clear();
    for (const { mode } of waiting) this.#count(mode, 1);
  }

  /** Costs next to nothing for each of thousands that wait and were not looked at. */
  #replaceSome(steps: readonly IssueStep[], waiting: readonly WaitingStart[]): void {
    for (const { issue } of steps) {
      const start = this.#byIssue.get(issue);
      if (start === undefined) continue;
      this.#starts.splice(this.#starts.indexOf(start), 1);
      this.#byIssue.delete(issue);
      this.#count(start.mode, -1);
    }
    for (const start of waiting) {
      this.#starts.splice(placeOf(start, this.#starts), 0, start);
      this.#byIssue.set(start.issue, start);
      this.#count(start.mode, 1);
    }
  }

  #count(mode: Mode, change: number): void {
    this.#counts.set(mode, (this.#counts.get(mode) ?? 0) + change);
  }

  #waitingStart(issue: IssueId, decision: Decision | undefined): WaitingStart[] {
    const seen = this.#view.of(issue);
    if (decision === undefined || seen === undefined || !WAITS.has(decision.reason)) return [];
    const action = refusedIn(decision);
    const { priority, createdAt } = seen.issue;
    const mode = modeOf(action, { ofStatus: decision.mode, ofAsker: decision.mode });
    return [{ issue, action, mode, status: seen.status, priority, createdAt }];
  }
}

/** Where it belongs among those in order of urgency: behind all that are at least as urgent. */
function placeOf(start: WaitingStart, sorted: readonly WaitingStart[]): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const other = sorted[middle];
    if (other !== undefined && byUrgency(start, other) < 0) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** What would be done if there were room; a decision that waits for room tells it among its evidence. */
function refusedIn({ action, evidence }: Decision): Action {
  return ACTIONS.find((each) => evidence.includes(`would=${each}`)) ?? action;
}
