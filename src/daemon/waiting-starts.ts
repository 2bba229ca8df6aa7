/** Issues whose worker may not start yet, the most urgent first: who of them could start now, and when the next could. */
import { ACTIONS, type Action, modeOf } from '../domain/action.ts';
import type { Decision } from '../domain/decision.ts';
import type { IssueId } from '../domain/ids.ts';
import type { Mode } from '../domain/mode.ts';
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
  #starts: WaitingStart[] = [];

  constructor(view: BoardView) {
    this.#view = view;
  }

  /** By the same rules as the decision itself, so that nobody who cannot start stands in the way of who can. */
  due(swarm: Swarm, context: StartContext, isHeld: (issue: IssueId) => boolean): DueStarts {
    if (this.#starts.length === 0) return NONE;
    const starts = new Starts(swarm, context);
    const due = this.#starts.filter(({ issue, mode }) => {
      if (isHeld(issue)) return false;
      const refusal = starts.mayStart(issue, mode);
      return refusal === undefined || refusal.action !== 'skip';
    });
    return { issues: due.map(({ issue }) => issue), wakeAt: starts.wakeAt };
  }

  /** `whole`: the steps are of the whole board, so that who is not among them waits no more. */
  note(steps: readonly IssueStep[], whole: boolean): void {
    if (steps.length === 0 && !whole) return;
    const looked = new Set(steps.map(({ issue }) => issue));
    const others = whole ? [] : this.#starts.filter(({ issue }) => !looked.has(issue));
    const waiting = steps.flatMap(({ issue, decisions }) => this.#waitingStart(issue, decisions.at(-1)));
    this.#starts = [...others, ...waiting].sort(byUrgency);
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

/** What would be done if there were room; a decision that waits for room tells it among its evidence. */
function refusedIn({ action, evidence }: Decision): Action {
  return ACTIONS.find((each) => evidence.includes(`would=${each}`)) ?? action;
}
