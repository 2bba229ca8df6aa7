/** Creates evaluators of issues based on the daemon's current state. */
import { LegionError } from '../../core/model/fault.ts';
import type { IssueId } from '../../core/model/ids.ts';
import type { Issue } from '../../core/model/issue.ts';
import type { ObservedIssue } from '../../core/model/observed-issue.ts';
import { type EvaluationContext, type IssueEvaluation, IssueEvaluator } from '../../core/state/evaluate.ts';
import type { StartContext } from '../../core/state/starts.ts';
import type { PortContext, StateContext } from './daemon-context.ts';
import { type ObservationSources, observeIssue } from './observer.ts';

/** Reason why the loop does not run due commands on its own. */
export type LoopHold =
  | { readonly kind: 'not_trusted'; readonly why: string }
  | { readonly kind: 'auto_advance_off' };

export function findLoopHold(
  { tracker, settings }: StateContext & PortContext,
  issue: Issue,
): LoopHold | undefined {
  const { allowed, why } = tracker.mayDispatch(issue);
  if (!allowed) return { kind: 'not_trusted', why };
  return settings().autoAdvance ? undefined : { kind: 'auto_advance_off' };
}

export function buildEvaluationContext(context: StateContext & PortContext): EvaluationContext {
  return {
    ...buildStartContext(context),
    checkWaitMs: context.settings().checkWaitMs,
    policyOf: ({ issue }) => context.policyOf(issue.id),
  };
}

/** `whole` is the board to evaluate. It defaults to the board as the loop last read it. */
export function openEvaluator(
  context: StateContext & PortContext,
  whole: readonly ObservedIssue[] = context.boardView.all,
): IssueEvaluator {
  return new IssueEvaluator(context.ledger.state, whole, buildEvaluationContext(context));
}

/**
 * Reads the issue again and evaluates it. `read` limits the time of each read. Rejects if the issue
 * is unknown or cannot be read.
 */
export async function evaluateNow(
  context: StateContext & PortContext,
  id: IssueId,
  read: <T>(ask: (signal: AbortSignal) => Promise<T>) => Promise<T>,
): Promise<IssueEvaluation> {
  const observed = await read((signal) =>
    observeIssue(buildObservationSources(context), context.ledger.state, id, signal),
  );
  if (observed === undefined) throw new LegionError('tracker.issue_unknown', `${id} is not on the board`);
  const others = context.boardView.all.filter(({ issue }) => issue.id !== id);
  return openEvaluator(context, [...others, observed]).evaluate(observed);
}

export function buildObservationSources({
  tracker,
  repositories,
  settings,
}: StateContext & PortContext): ObservationSources {
  return { tracker, forgeOf: (issue) => repositories.find(issue)?.forge, columns: settings().columns };
}

/** Collects the current facts that decide whether a worker may start. */
export function buildStartContext({
  settings,
  agents,
  clock,
  boardView,
  dayOf,
  preflight,
}: StateContext & PortContext): StartContext {
  const now = clock.now();
  const holds = preflight.holds();
  const { slots, staggerMs, health, budgets } = settings();
  return {
    slots,
    staggerMs,
    health,
    budgets,
    agents,
    boardGoodUntil: boardView.freshUntil,
    holdOn: holds.on,
    isEverythingHeld: holds.isOnEverything,
    now,
    day: dayOf?.(now),
  };
}
