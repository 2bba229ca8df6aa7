/**
 * Evaluates issues: turns observations into a decision, for the loop, `explain` and every other
 * caller. A pass follows an issue's decisions until no further one is due, so that a whole phase
 * takes one write.
 */

import type { Decision } from '../model/action.ts';
import { getActionKind } from '../model/action.ts';
import type { AgentChoice } from '../model/agent-choice.ts';
import { applyLabelChange } from '../model/label.ts';
import type { Mode, RoundReason } from '../model/mode.ts';
import type { ObservedIssue } from '../model/observed-issue.ts';
import type { IceboxTurn, IssueSignals } from '../model/signals.ts';
import type { ObservedStatus } from '../model/status.ts';
import { decide } from '../pipeline/decide.ts';
import type { DecisionChain, DecisionLink } from '../pipeline/effects.ts';
import { computeEffects, type DecisionEffects } from '../pipeline/effects.ts';
import { assignIceboxTurns, compareUrgency } from '../pipeline/order.ts';
import type { PipelinePolicy } from '../pipeline/policy.ts';
import type { StartRefusal } from '../pipeline/reasons.ts';
import { createDecision } from '../pipeline/situation.ts';
import { buildSignals, listIceboxIssues } from './observation.ts';
import { StartAdmission, type StartContext } from './starts.ts';
import type { LegionState } from './state.ts';

export interface EvaluationContext extends StartContext {
  /** Maximum wait of a `retry_` action before a person is notified, in ms. */
  readonly checkWaitMs: number;
  readonly policyOf: (observed: ObservedIssue) => PipelinePolicy;
}

export interface IssueEvaluation {
  readonly seen: ObservedIssue;
  readonly signals: IssueSignals;
  readonly policy: PipelinePolicy;
  /** First decision. The rest of the chain follows from its effects. */
  readonly decision: Decision;
  /** Decision without the legion-wide hold. Only set by `evaluate` while such a hold exists. */
  readonly withoutHold?: Decision | undefined;
}

interface ChainedEvaluation extends IssueEvaluation {
  readonly chain: DecisionChain;
}

/** Pure: the same state, board and time give the same evaluations. */
export class IssueEvaluator {
  readonly #state: LegionState;
  readonly #context: EvaluationContext;
  readonly #starts: StartAdmission;
  readonly #hasFreeSlot: boolean;
  readonly #whole: readonly ObservedIssue[];
  /** Computed on first use, because the computation covers the whole board. */
  #turns: ReadonlyMap<string, IceboxTurn> | undefined;
  #statuses: ReadonlyMap<string, ObservedStatus> | undefined;

  /** `whole`: the whole board, which determines blockers and which issue leaves the Icebox next. */
  constructor(state: LegionState, whole: readonly ObservedIssue[], context: EvaluationContext) {
    this.#state = state;
    this.#context = context;
    this.#starts = new StartAdmission(state, context);
    this.#whole = whole;
    // Read now, because the issues of this pass take slots later.
    this.#hasFreeSlot = this.#starts.hasFreeSlot;
  }

  /** Time by which the next pass must run, because a start was refused as too early. */
  get wakeAt(): number | undefined {
    return this.#starts.wakeAt;
  }

  /**
   * Evaluates one issue in isolation: it takes no slot, and more urgent issues take none from it.
   */
  evaluate(observed: ObservedIssue): IssueEvaluation {
    const due = this.#decideOne(observed);
    const { decision } = buildDecisionLink(due.decision, due.signals, (mode) =>
      this.#starts.findRefusal(observed.issue.id, mode),
    );
    if (due.signals.held === undefined) return decision === due.decision ? due : { ...due, decision };
    return { ...due, decision, withoutHold: decide({ ...due.signals, held: undefined }, due.policy) };
  }

  /** Evaluates the issues of one pass in order of urgency. Each start takes a slot. */
  evaluatePass(board: readonly ObservedIssue[]): ChainedEvaluation[] {
    const ranked = board.map((observed) => {
      const due = this.#decideOne(observed);
      const { id: issue, priority, createdAt } = observed.issue;
      return { due, issue, action: due.decision.action, status: observed.status, priority, createdAt };
    });
    return ranked
      .sort(compareUrgency)
      .map(({ due, issue }) => toChainedEvaluation(due, (mode) => this.#starts.mayStart(issue, mode)));
  }

  agentFor(mode: Mode): AgentChoice | undefined {
    return this.#starts.agentFor(mode);
  }

  #decideOne(observed: ObservedIssue): IssueEvaluation {
    const { now, checkWaitMs } = this.#context;
    const policy = this.#context.policyOf(observed);
    const icebox = observed.status === 'Icebox' ? this.#getTurn(observed) : 'unclarified';
    const getStatusOf = (issue: string) => this.#getStatus(issue);
    const signals = buildSignals(this.#state, observed, policy, {
      icebox,
      statusOf: getStatusOf,
      now,
      checkWaitMs,
    });
    return { seen: observed, signals, policy, decision: decide(signals, policy) };
  }

  #getTurn({ issue }: ObservedIssue): IceboxTurn {
    this.#turns ??= assignIceboxTurns(listIceboxIssues(this.#state, this.#whole), this.#hasFreeSlot);
    return this.#turns.get(issue.id) ?? 'unclarified';
  }

  #getStatus(issue: string): ObservedStatus | undefined {
    this.#statuses ??= new Map(this.#whole.map((each) => [each.issue.id, each.status]));
    return this.#statuses.get(issue);
  }
}

function toChainedEvaluation(due: IssueEvaluation, mayStart: StartCheck): ChainedEvaluation {
  const chain = buildDecisionChain(due.decision, due.signals, due.policy, mayStart);
  return { ...due, chain, decision: chain.links[0].decision };
}

/**
 * A test shows that no chain has more than 8 decisions. A longer one is cut off here and continues
 * in the next pass.
 */
const MAX_CHAINED_DECISIONS = 10;

/**
 * Called once for each worker that is due. Returning undefined allows the start and takes a slot
 * for it.
 */
type StartCheck = (mode: Mode) => StartRefusal | undefined;

/** Builds the chain that begins with `due`, the decision on `signals`. */
function buildDecisionChain(
  due: Decision,
  signals: IssueSignals,
  policy: PipelinePolicy,
  mayStart: StartCheck,
): DecisionChain {
  const first = buildDecisionLink(due, signals, mayStart);
  const links: [DecisionLink, ...DecisionLink[]] = [first];
  let link = first;
  let after = applyEffects(signals, link.effects);
  while (!isFinalLink(link) && links.length < MAX_CHAINED_DECISIONS) {
    link = buildDecisionLink(decide(after, policy), after, mayStart);
    links.push(link);
    after = applyEffects(after, link.effects);
  }
  return { links, after };
}

/** Returns the decision with its effects, or the refusal that replaces it. */
function buildDecisionLink(decision: Decision, signals: IssueSignals, mayStart: StartCheck): DecisionLink {
  const effects = computeEffects(decision, signals);
  const refused = effects.spawn?.mode;
  const refusal = refused === undefined ? undefined : mayStart(refused);
  if (refused === undefined || refusal === undefined) return { decision, effects };
  const { action, reason, fact } = refusal;
  const waits = createDecision(signals, action, reason, `would=${decision.action}`, fact);
  return { decision: waits, effects: computeEffects(waits, signals), refused };
}

/**
 * Returns whether nothing further can be predicted, because a worker, the forge or a person must
 * act first.
 */
function isFinalLink({ decision, effects }: DecisionLink): boolean {
  const kind = getActionKind(decision.action);
  return kind === 'skip' || kind === 'retry' || effects.spawn !== undefined || effects.rereadForge === true;
}

function applyEffects(signals: IssueSignals, effects: DecisionEffects): IssueSignals {
  const { spawn, round } = effects;
  const rounds = effects.resetRounds === true ? {} : signals.rounds;
  return {
    ...signals,
    status: effects.moveTo ?? signals.status,
    labels: applyLabelChange(signals.labels, effects),
    workers: spawn === undefined ? signals.workers : { ...signals.workers, [spawn.mode]: 'spawned' },
    rounds: round === undefined ? rounds : addRound(rounds, round),
  };
}

function addRound(rounds: IssueSignals['rounds'], round: RoundReason): IssueSignals['rounds'] {
  return { ...rounds, [round]: (rounds[round] ?? 0) + 1 };
}
