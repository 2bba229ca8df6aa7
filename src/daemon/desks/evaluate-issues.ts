/** Evaluates issues for people: what is due and why the loop waits; nothing is written and no place is taken. */

import { LegionError } from '../../core/model/fault.ts';
import type { IssueId } from '../../core/model/ids.ts';
import type { Decision } from '../../domain/decision.ts';
import type { Issue } from '../../domain/issue.ts';
import { verdict } from '../../pipeline/verdict.ts';
import type { PostedIssue } from '../../ports/tracker.ts';
import type { IssueEvaluation } from '../../swarm/evaluate.ts';
import { observe } from '../context/observer.ts';
import { evaluateNow, findLoopHold, type LoopHold, openEvaluator, outsideOf } from '../evaluator.ts';
import type { World } from '../world.ts';
import { reading } from './read-outside.ts';
import { seenAsPosted } from './seen-as-posted.ts';

/** Its decision names what keeps the loop from carrying it out. */
export interface ShownEvaluation extends IssueEvaluation {
  readonly hold: LoopHold | undefined;
}

export async function evaluateBoard(world: World): Promise<readonly ShownEvaluation[]> {
  const board = await reading((signal) => observe(outsideOf(world), world.ledger.swarm, signal));
  const evaluator = openEvaluator(world, board);
  return board.map((seen) => show(world, evaluator.evaluate(seen)));
}

/** As the loop last saw it. */
export function evaluateLastSeen(world: World): readonly ShownEvaluation[] {
  const evaluator = openEvaluator(world);
  return world.view.all.map((seen) => show(world, evaluator.evaluate(seen)));
}

/** By what the loop last saw. */
export function findLastSeenWaits(world: World): ReadonlyMap<IssueId, Decision> {
  return findWaits(world, evaluateLastSeen(world));
}

/**
 * What each issue itself waits for, also while the whole legion is held. Leaves out issues that the loop leaves to
 * people, and those with a decision being carried out: that decision is in the journal.
 */
export function findWaits(
  world: World,
  evaluations: readonly ShownEvaluation[],
): ReadonlyMap<IssueId, Decision> {
  const { issues } = world.ledger.swarm;
  return new Map(
    evaluations.flatMap(({ seen: { issue }, decision, withoutHold, hold }) =>
      hold?.kind === 'not_trusted' || (issues.get(issue.id)?.openIntents ?? 0) > 0
        ? []
        : [[issue.id, withoutHold ?? decision]],
    ),
  );
}

/** As posted, in place of what was last seen; nothing is read. */
export function evaluatePosted(world: World, posted: readonly PostedIssue[]): readonly ShownEvaluation[] {
  const seen = posted.map((issue) => seenAsPosted(world, issue));
  const ids = new Set(seen.map(({ issue }) => issue.id));
  const evaluator = openEvaluator(world, [
    ...world.view.all.filter(({ issue }) => !ids.has(issue.id)),
    ...seen,
  ]);
  return seen.map((each) => showHeld(world, evaluator.evaluate(each), findHoldOfPosted(world, each.issue)));
}

/** The author of an unseen issue is unknown and not posted; the loop checks it before it starts a worker. */
function findHoldOfPosted(world: World, issue: Issue): LoopHold | undefined {
  const hold = findLoopHold(world, issue);
  if (hold?.kind !== 'not_trusted' || issue.writtenBy !== undefined) return hold;
  return world.settings().autoAdvance ? undefined : { kind: 'auto_advance_off' };
}

/** Rejects with `tracker.issue_unknown`. Explains what was last seen, and says so, while the board cannot be read. */
export async function evaluateIssue(world: World, issue: IssueId): Promise<ShownEvaluation> {
  try {
    return show(world, await evaluateNow(world, issue, reading));
  } catch (error) {
    const last = world.view.of(issue);
    if (last === undefined || !(error instanceof LegionError) || !error.retryable) throw error;
    const shown = show(world, openEvaluator(world).evaluate(last));
    const evidence = [...shown.decision.evidence, `read=as last seen, now ${error.code}: ${error.message}`];
    return { ...shown, decision: { ...shown.decision, evidence } };
  }
}

function show(world: World, evaluation: IssueEvaluation): ShownEvaluation {
  return showHeld(world, evaluation, findLoopHold(world, evaluation.seen.issue));
}

function showHeld(world: World, evaluation: IssueEvaluation, hold: LoopHold | undefined): ShownEvaluation {
  const { seen, signals, policy, withoutHold } = evaluation;
  return { seen, signals, policy, withoutHold, hold, decision: describeHold(world, evaluation, hold) };
}

function describeHold(
  { ledger }: World,
  { signals, decision }: IssueEvaluation,
  hold: LoopHold | undefined,
): Decision {
  const { open } = ledger.swarm.breaker;
  if (open !== undefined && decision.reason === 'breaker_open')
    return { ...decision, evidence: [...decision.evidence, `starts=${open.why}`] };
  if (open !== undefined && (decision.reason === 'halted' || decision.reason === 'legion_paused'))
    return { ...decision, evidence: [...decision.evidence, `since=${new Date(open.since).toISOString()}`] };
  if (decision.action === 'skip') return decision;
  switch (hold?.kind) {
    case undefined:
      return decision;
    case 'not_trusted':
      return verdict(signals, 'skip', 'not_trusted', `would=${decision.action}`, hold.why);
    case 'auto_advance_off':
      return { ...decision, evidence: [...decision.evidence, 'auto_advance=off'], until: TO_BE_ADVANCED };
  }
}

const TO_BE_ADVANCED = {
  by: 'person',
  what: 'someone advances it (`legion advance`, or on its page): auto_advance is off',
} as const;
