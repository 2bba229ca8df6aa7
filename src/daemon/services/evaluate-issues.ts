/**
 * Evaluates issues for people: what is due, and why the loop is waiting. Writes nothing and uses no
 * worker slot.
 */
import type { Decision } from '../../core/model/action.ts';
import { LegionError } from '../../core/model/fault.ts';
import type { IssueId } from '../../core/model/ids.ts';
import type { Issue } from '../../core/model/issue.ts';
import type { ObservedIssue } from '../../core/model/observed-issue.ts';
import { readStatus } from '../../core/model/status.ts';
import { createDecision } from '../../core/pipeline/situation.ts';
import type { IssueEvaluation } from '../../core/state/evaluate.ts';
import type { PostedIssue } from '../../ports/tracker.ts';
import { resolveStatusAfterMerge } from '../context/closed-by-merge.ts';
import type { DaemonContext, PortContext, StateContext } from '../context/daemon-context.ts';
import {
  buildObservationSources,
  evaluateNow,
  findLoopHold,
  type LoopHold,
  openEvaluator,
} from '../context/evaluator.ts';
import { isPullRequestNeeded, observeBoard } from '../context/observer.ts';
import { readWithLimit } from './read-outside.ts';

/**
 * An evaluation and, if there is one, the reason why the loop does not carry out its decision on
 * its own.
 */
export interface ShownEvaluation extends IssueEvaluation {
  readonly hold: LoopHold | undefined;
}

export async function evaluateBoard(context: DaemonContext): Promise<readonly ShownEvaluation[]> {
  const board = await readWithLimit((signal) =>
    observeBoard(buildObservationSources(context), context.ledger.state, signal),
  );
  const evaluator = openEvaluator(context, board);
  return board.map((observed) => show(context, evaluator.evaluate(observed)));
}

/** Evaluates the board as the loop last saw it. */
export function evaluateLastSeen(context: DaemonContext): readonly ShownEvaluation[] {
  const evaluator = openEvaluator(context);
  return context.boardView.all.map((observed) => show(context, evaluator.evaluate(observed)));
}

/** Finds what issues are waiting for, based on the board as the loop last saw it. */
export function findLastSeenWaits(context: DaemonContext): ReadonlyMap<IssueId, Decision> {
  return findWaits(context, evaluateLastSeen(context));
}

/**
 * Returns what each issue itself is waiting for, even while the whole legion is held. Omits issues
 * that the loop leaves to people, and issues whose decision is being carried out, because that
 * decision is in the journal.
 */
export function findWaits(
  context: StateContext,
  evaluations: readonly ShownEvaluation[],
): ReadonlyMap<IssueId, Decision> {
  const { issues } = context.ledger.state;
  return new Map(
    evaluations.flatMap(({ seen: { issue }, decision, withoutHold, hold }) =>
      hold?.kind === 'not_trusted' || (issues.get(issue.id)?.openIntents ?? 0) > 0
        ? []
        : [[issue.id, withoutHold ?? decision]],
    ),
  );
}

/** Evaluates issues as posted. Everything else is as last seen, so nothing is read. */
export function evaluatePosted(
  context: DaemonContext,
  posted: readonly PostedIssue[],
): readonly ShownEvaluation[] {
  const observed = posted.map((issue) => toObservedIssue(context, issue));
  const ids = new Set(observed.map(({ issue }) => issue.id));
  const evaluator = openEvaluator(context, [
    ...context.boardView.all.filter(({ issue }) => !ids.has(issue.id)),
    ...observed,
  ]);
  return observed.map((each) =>
    showHeld(context, evaluator.evaluate(each), findHoldOfPosted(context, each.issue)),
  );
}

/**
 * Returns the reason why the loop would not act on the posted issue. If the issue was never seen,
 * its author is unknown; the loop checks the author before it starts a worker.
 */
function findHoldOfPosted(context: StateContext & PortContext, issue: Issue): LoopHold | undefined {
  const hold = findLoopHold(context, issue);
  if (hold?.kind !== 'not_trusted' || issue.writtenBy !== undefined) return hold;
  return context.settings().autoAdvance ? undefined : { kind: 'auto_advance_off' };
}

/**
 * Rejects with `tracker.issue_unknown` if the issue does not exist. While the board cannot be read,
 * evaluates the last seen state and adds a note to the evidence.
 */
export async function evaluateIssue(context: DaemonContext, issue: IssueId): Promise<ShownEvaluation> {
  try {
    return show(context, await evaluateNow(context, issue, readWithLimit));
  } catch (error) {
    const last = context.boardView.find(issue);
    if (last === undefined || !(error instanceof LegionError) || !error.retryable) throw error;
    const shown = show(context, openEvaluator(context).evaluate(last));
    const evidence = [
      ...shown.decision.evidence,
      `read=as last seen, because the board cannot be read: ${error.code}: ${error.message}`,
    ];
    return { ...shown, decision: { ...shown.decision, evidence } };
  }
}

function show(context: StateContext & PortContext, evaluation: IssueEvaluation): ShownEvaluation {
  return showHeld(context, evaluation, findLoopHold(context, evaluation.seen.issue));
}

function showHeld(
  context: StateContext,
  evaluation: IssueEvaluation,
  hold: LoopHold | undefined,
): ShownEvaluation {
  const { seen: observed, signals, policy, withoutHold } = evaluation;
  return {
    seen: observed,
    signals,
    policy,
    withoutHold,
    hold,
    decision: describeHold(context, evaluation, hold),
  };
}

function describeHold(
  { ledger }: StateContext,
  { signals, decision }: IssueEvaluation,
  hold: LoopHold | undefined,
): Decision {
  const { open } = ledger.state.breaker;
  if (open !== undefined && decision.reason === 'breaker_open')
    return { ...decision, evidence: [...decision.evidence, `starts=${open.why}`] };
  if (open !== undefined && (decision.reason === 'halted' || decision.reason === 'legion_paused'))
    return { ...decision, evidence: [...decision.evidence, `since=${new Date(open.since).toISOString()}`] };
  if (decision.action === 'skip') return decision;
  switch (hold?.kind) {
    case undefined:
      return decision;
    case 'not_trusted':
      return createDecision(signals, 'skip', 'not_trusted', `would=${decision.action}`, hold.why);
    case 'auto_advance_off':
      return { ...decision, evidence: [...decision.evidence, 'auto_advance=off'], until: TO_BE_ADVANCED };
  }
}

const TO_BE_ADVANCED = {
  by: 'person',
  what: 'someone advances it with `legion advance` or on its page, because auto_advance is off',
} as const;

/** Combines an issue as posted with everything else as it was last seen. */
function toObservedIssue({ boardView, settings, clock }: StateContext, posted: PostedIssue): ObservedIssue {
  const known = boardView.find(posted.id);
  const issue: Issue = { ...(known?.issue ?? buildUnseenIssue(posted.id, clock.now())), ...posted };
  const status = readStatus(issue.column, settings().columns);
  const pullRequest = findLastKnownPullRequest(known, isPullRequestNeeded(status));
  return {
    issue,
    status: resolveStatusAfterMerge(status, pullRequest),
    pullRequest,
    revert: known?.revert,
    changes: known?.changes ?? new Map(),
    diff: known?.diff,
    clarified: status === 'Icebox' && known?.clarified === true,
    said: known?.said,
  };
}

/**
 * Defaults for an issue that was never seen. Linear accepts the identifier wherever it accepts a
 * UUID.
 */
function buildUnseenIssue(
  id: string,
  now: number,
): Pick<Issue, 'source' | 'body' | 'priority' | 'createdAt' | 'openBlockers'> {
  const source = { kind: 'linear', uuid: id, identifier: id } as const;
  return { source, body: '', priority: 0, createdAt: now, openBlockers: [] };
}

/**
 * Returns the last known pull request. Returns `unknown` if the pull request matters now, but was
 * not read when the issue was last seen because it did not matter then.
 */
function findLastKnownPullRequest(
  known: ObservedIssue | undefined,
  matters: boolean,
): ObservedIssue['pullRequest'] {
  if (typeof known?.pullRequest === 'object') return known.pullRequest;
  if (!matters) return 'none';
  return known !== undefined && isPullRequestNeeded(known.status) ? known.pullRequest : 'unknown';
}
