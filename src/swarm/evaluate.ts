/** Evaluates issues: the only way from what was observed to a decision, for the loop and for everyone who asks about it. */

import type { IceboxTurn, Signals } from '../core/model/signals.ts';
import type { SeenStatus } from '../core/model/status.ts';
import { byUrgency, iceboxTurns } from '../core/pipeline/order.ts';
import type { Policy } from '../core/pipeline/policy.ts';
import { iceboxIssues, type SeenIssue, signalsOf } from '../core/state/observation.ts';
import { type StartContext, Starts } from '../core/state/starts.ts';
import type { Swarm } from '../core/state/state.ts';
import type { Decision } from '../domain/decision.ts';
import type { Mode } from '../domain/mode.ts';
import { decide } from '../pipeline/decide.ts';
import { type Chain, chainOf, linkOf, type MayStart } from './chain.ts';
import type { AgentChoice } from './choose-agent.ts';

export interface EvaluationContext extends StartContext {
  /** How long a `retry_` may wait before a person is told, in ms. */
  readonly checkWaitMs: number;
  readonly policyOf: (seen: SeenIssue) => Policy;
}

export interface IssueEvaluation {
  readonly seen: SeenIssue;
  readonly signals: Signals;
  readonly policy: Policy;
  /** What is decided first; the rest of the chain follows from carrying it out. */
  readonly decision: Decision;
  /** What would be decided if the whole legion were not held; absent unless it is, and in a pass. */
  readonly withoutHold?: Decision | undefined;
}

interface ChainedEvaluation extends IssueEvaluation {
  readonly chain: Chain;
}

/** Pure: the same state, board and time give the same evaluations. */
export class Evaluator {
  readonly #swarm: Swarm;
  readonly #context: EvaluationContext;
  readonly #starts: Starts;
  readonly #hasFreePlace: boolean;
  readonly #whole: readonly SeenIssue[];
  /** Of the whole board, so they are made only when an issue asks. */
  #turns: ReadonlyMap<string, IceboxTurn> | undefined;
  #statuses: ReadonlyMap<string, SeenStatus> | undefined;

  /** `whole`: the whole board, which decides turns and who waits for whom. */
  constructor(swarm: Swarm, whole: readonly SeenIssue[], context: EvaluationContext) {
    this.#swarm = swarm;
    this.#context = context;
    this.#starts = new Starts(swarm, context);
    this.#whole = whole;
    // Before any issue takes a place.
    this.#hasFreePlace = this.#starts.hasFreePlace;
  }

  /** When to look again at the latest, because of a start that came too soon. */
  get wakeAt(): number | undefined {
    return this.#starts.wakeAt;
  }

  /** One issue by itself: it takes no place, and none is taken by a more urgent one. */
  evaluate(seen: SeenIssue): IssueEvaluation {
    const due = this.#due(seen);
    const { decision } = linkOf(due.decision, due.signals, (mode) =>
      this.#starts.findRefusal(seen.issue.id, mode),
    );
    if (due.signals.held === undefined) return decision === due.decision ? due : { ...due, decision };
    return { ...due, decision, withoutHold: decide({ ...due.signals, held: undefined }, due.policy) };
  }

  /** The issues of one pass in order of urgency, of which each that starts takes a place. */
  evaluatePass(board: readonly SeenIssue[]): ChainedEvaluation[] {
    const ranked = board.map((seen) => {
      const due = this.#due(seen);
      const { id: issue, priority, createdAt } = seen.issue;
      return { due, issue, action: due.decision.action, status: seen.status, priority, createdAt };
    });
    return ranked
      .sort(byUrgency)
      .map(({ due, issue }) => settle(due, (mode) => this.#starts.mayStart(issue, mode)));
  }

  agentFor(mode: Mode): AgentChoice | undefined {
    return this.#starts.agentFor(mode);
  }

  #due(seen: SeenIssue): IssueEvaluation {
    const { now, checkWaitMs } = this.#context;
    const policy = this.#context.policyOf(seen);
    const icebox = seen.status === 'Icebox' ? this.#turnOf(seen) : 'unclarified';
    const statusOf = (issue: string) => this.#statusOf(issue);
    const signals = signalsOf(this.#swarm, seen, policy, { icebox, statusOf, now, checkWaitMs });
    return { seen, signals, policy, decision: decide(signals, policy) };
  }

  #turnOf({ issue }: SeenIssue): IceboxTurn {
    this.#turns ??= iceboxTurns(iceboxIssues(this.#swarm, this.#whole), this.#hasFreePlace);
    return this.#turns.get(issue.id) ?? 'unclarified';
  }

  #statusOf(issue: string): SeenStatus | undefined {
    this.#statuses ??= new Map(this.#whole.map((each) => [each.issue.id, each.status]));
    return this.#statuses.get(issue);
  }
}

function settle(due: IssueEvaluation, mayStart: MayStart): ChainedEvaluation {
  const chain = chainOf(due.decision, due.signals, due.policy, mayStart);
  return { ...due, chain, decision: chain.links[0].decision };
}
