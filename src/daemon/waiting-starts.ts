/** Issues whose worker may not start yet, the most urgent first: who of them could start now, and when the next could. */
import { ACTIONS, type Action, modeOf } from '../domain/action.ts';
import type { Decision } from '../domain/decision.ts';
import type { IssueId } from '../domain/ids.ts';
import { MODES, type Mode } from '../domain/mode.ts';
import { byUrgency, type Ranked } from '../pipeline/order.ts';
import { type StartContext, Starts } from '../swarm/starts.ts';
import type { Swarm } from '../swarm/state.ts';
import type { IssueStep } from '../swarm/step.ts';
import type { BoardView } from './board-view.ts';

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

const NONE: DueStarts = { issues: [], wakeAt: undefined };

export class WaitingStarts {
  readonly #view: BoardView;
  /** In order of urgency. */
  #starts: readonly WaitingStart[] = [];
  #modes: ReadonlySet<Mode> = new Set();

  constructor(view: BoardView) {
    this.#view = view;
  }

  /** By the same rules as the decision itself, so that nobody who cannot start stands in the way of who can. */
  due(swarm: Swarm, context: StartContext, isHeld: (issue: IssueId) => boolean): DueStarts {
    if (this.#starts.length === 0) return NONE;
    const starts = new Starts(swarm, context);
    const due: IssueId[] = [];
    const open = new Set(MODES.filter((mode) => this.#modes.has(mode) && starts.isOpen(mode)));
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
    if (steps.length === 0 && !whole) return;
    const looked = new Set(steps.map(({ issue }) => issue));
    const others = whole ? [] : this.#starts.filter(({ issue }) => !looked.has(issue));
    const waiting = steps.flatMap(({ issue, decisions }) => this.#waitingStart(issue, decisions.at(-1)));
    this.#starts = merge(others, waiting.sort(byUrgency));
    this.#modes = new Set(this.#starts.map(({ mode }) => mode));
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

/** Both in order of urgency; sorting them together would compare all of them again. */
function merge(some: readonly WaitingStart[], others: readonly WaitingStart[]): WaitingStart[] {
  const merged: WaitingStart[] = [];
  let next = 0;
  for (const each of some) {
    for (let other = others[next]; other !== undefined && byUrgency(other, each) < 0; other = others[next]) {
      merged.push(other);
      next += 1;
    }
    merged.push(each);
  }
  return [...merged, ...others.slice(next)];
}

/** What would be done if there were room; a decision that waits for room tells it among its evidence. */
function refusedIn({ action, evidence }: Decision): Action {
  return ACTIONS.find((each) => evidence.includes(`would=${each}`)) ?? action;
}
