/** Opens the evaluator on what the daemon knows at this moment. */
import { LegionError } from '../core/model/fault.ts';
import type { IssueId } from '../core/model/ids.ts';
import type { SeenIssue } from '../core/state/observation.ts';
import type { Issue } from '../domain/issue.ts';
import { type EvaluationContext, Evaluator, type IssueEvaluation } from '../swarm/evaluate.ts';
import { type Outside, observeIssue } from './context/observer.ts';
import { startContext } from './start-context.ts';
import type { World } from './world.ts';

/** Why the loop does not carry out by itself what is due. */
export type LoopHold =
  | { readonly kind: 'not_trusted'; readonly why: string }
  | { readonly kind: 'auto_advance_off' };

export function findLoopHold({ tracker, settings }: World, issue: Issue): LoopHold | undefined {
  const { allowed, why } = tracker.mayDispatch(issue);
  if (!allowed) return { kind: 'not_trusted', why };
  return settings().autoAdvance ? undefined : { kind: 'auto_advance_off' };
}

export function evaluationContext(world: World): EvaluationContext {
  return {
    ...startContext(world),
    checkWaitMs: world.settings().checkWaitMs,
    policyOf: ({ issue }) => world.policyOf(issue.id),
  };
}

/** `whole` is the board as last seen, or as read just now. */
export function openEvaluator(world: World, whole: readonly SeenIssue[] = world.view.all): Evaluator {
  return new Evaluator(world.ledger.swarm, whole, evaluationContext(world));
}

/** Reads the issue again. `read` limits the time; rejects where the issue is unknown or cannot be read. */
export async function evaluateNow(
  world: World,
  id: IssueId,
  read: <T>(ask: (signal: AbortSignal) => Promise<T>) => Promise<T>,
): Promise<IssueEvaluation> {
  const seen = await read((signal) => observeIssue(outsideOf(world), world.ledger.swarm, id, signal));
  if (seen === undefined) throw new LegionError('tracker.issue_unknown', `${id} is not on the board`);
  const others = world.view.all.filter(({ issue }) => issue.id !== id);
  return openEvaluator(world, [...others, seen]).evaluate(seen);
}

export function outsideOf({ tracker, repositories, settings }: World): Outside {
  return { tracker, forgeOf: (issue) => repositories.find(issue)?.forge, columns: settings().columns };
}
