/**
 * Runs one reconcile pass over the board or part of it: observe, decide, journal the intents and
 * run them.
 */
import type { EventBody } from '../../core/model/event.ts';
import { LegionError } from '../../core/model/fault.ts';
import type { IssueId } from '../../core/model/ids.ts';
import type { Issue } from '../../core/model/issue.ts';
import type { ObservedIssue } from '../../core/model/observed-issue.ts';
import { isFinished } from '../../core/model/status.ts';
import { detectAnswers, findCommentsStart } from '../../core/state/comments/answers.ts';
import { computeEffectiveLabels } from '../../core/state/effective-labels.ts';
import type { IssuePlan, PassPlan } from '../../core/state/issue-plan.ts';
import { type PassContext, planPass } from '../../core/state/plan-pass.ts';
import type { LegionState } from '../../core/state/state.ts';
import { stopUnwantedWorkers, type UnwantedStop } from '../../core/state/stopping.ts';
import type { PortContext, StateContext } from '../context/daemon-context.ts';
import { buildEvaluationContext, buildObservationSources, findLoopHold } from '../context/evaluator.ts';
import type { StagedEvents } from '../context/ledger.ts';
import { type ObservationSources, observeBoard, observeIssues } from '../context/observer.ts';
import { buildLandingEvents, isAutomaticMerge } from '../reports/landed.ts';
import { ChangeTracker } from './change-tracker.ts';
import { detectManualUnpause, recordBoardChanges } from './detect-changes.ts';
import type { IssueBackoff } from './issue-backoff.ts';

type ReconcileScope = 'all' | ReadonlySet<IssueId>;

export interface ReconcilePass {
  /** Observes the issues and runs what is due. */
  run(scope: ReconcileScope, signal: AbortSignal): Promise<PassPlan>;
  /** Returns what is due for one issue. Runs it only if `carryOut` is true. */
  runOne(issue: IssueId, carryOut: boolean, signal: AbortSignal): Promise<IssuePlan>;
}

/** Runs the commands of a pass. */
interface CommandRunner {
  begin(issue: IssueId, commands: IssuePlan['commands']): Promise<void>;
}

const EMPTY_STEP: PassPlan = { issues: [], wakeAt: undefined };

/**
 * Creates the reconcile pass. It calls `onIssueFinished` when an issue turns out to be finished,
 * because other issues may have been waiting for that issue.
 */
export function createReconcilePass(
  context: StateContext & PortContext,
  performer: CommandRunner,
  backoff: IssueBackoff,
  onIssueFinished: () => void,
): ReconcilePass {
  const { ledger, boardView } = context;
  const changeTracker = new ChangeTracker(ledger);
  const buildSources = (): ObservationSources => ({
    ...buildObservationSources(context),
    findLastSeenPullRequest: (issue) => boardView.find(issue)?.pullRequest,
    // On the local board, comments are not read: people answer there with a command that refers to
    // the question.
    ...(context.board === undefined && {
      findCommentsStart: (issue: Issue) => findCommentsStart(ledger.state, issue, context.clock.now()),
    }),
  });

  async function observe(scope: ReconcileScope, signal: AbortSignal): Promise<readonly ObservedIssue[]> {
    if (scope === 'all') {
      const board = await observeBoard(buildSources(), ledger.state, signal);
      boardView.replaceAll(board);
      return board;
    }
    const board = await observeIssues(buildSources(), ledger.state, [...scope], signal);
    // Compares with the board in the journal, because the board view already includes Legion's own
    // writes.
    const before = ledger.state.board;
    if (board.some(({ issue, status }) => isFinished(status) && !isFinished(before.get(issue.id)?.status)))
      onIssueFinished();
    for (const issue of scope) boardView.replace(issue, undefined);
    for (const each of board) boardView.replace(each.issue.id, each);
    return board;
  }

  /**
   * Returns whether the issue has no open intent. Nothing new starts on an issue with an open
   * intent; settling the intent wakes the loop.
   */
  function isIdle(issue: IssueId): boolean {
    return (ledger.state.issues.get(issue)?.openIntents ?? 0) === 0;
  }

  function buildPassContext(): PassContext {
    const { legionId, host } = context;
    const { comments } = context.settings();
    return { ...buildEvaluationContext(context), legionId, host: host.name, whole: boardView.all, comments };
  }

  /**
   * Makes decisions inside the append, so that nothing can happen between a decision and its event.
   */
  async function decideAndRun(
    { whole, due }: { readonly whole: readonly ObservedIssue[]; readonly due: readonly ObservedIssue[] },
    since: number,
    recordChanges: (state: LegionState) => readonly EventBody[],
  ): Promise<PassPlan> {
    let plan = EMPTY_STEP;
    let stops: readonly UnwantedStop[] = [];
    const filterUnchanged = ({ others }: StagedEvents) =>
      changeTracker.filterUnchanged(since, due, context.wake, others);
    await ledger.append(
      (state, staged) => [
        ...recordChanges(state),
        ...detectManualUnpause(state, filterUnchanged(staged), context.clock.now()),
        ...detectUnrecordedMerges(state, filterUnchanged(staged)),
        ...detectUnrecordedReverts(state, filterUnchanged(staged)),
        ...detectAnswers(state, filterUnchanged(staged)),
      ],
      // Stops workers that are no longer wanted because of a person's change. Applies to every
      // issue, even to those on which nothing else may run.
      (state, { others }) => {
        stops = stopUnwantedWorkers(state, changeTracker.filterUnchanged(since, whole, context.wake, others));
        return stops.flatMap(({ events }) => events);
      },
      (state, staged) => {
        plan = planPass(state, filterUnchanged(staged), buildPassContext());
        return plan.issues.flatMap(({ events }) => events);
      },
    );
    for (const { issue, commands } of stops) void performer.begin(issue, commands);
    for (const { issue, commands } of plan.issues) {
      if (commands.length > 0) void performer.begin(issue, commands);
    }
    return plan;
  }

  return {
    async run(scope, signal) {
      const wanted = scope === 'all' ? scope : new Set([...scope].filter(isIdle));
      if (wanted !== 'all' && wanted.size === 0) return EMPTY_STEP;
      const since = ledger.state.version;
      const board = await observe(wanted, signal);
      const recordChanges = (state: LegionState) => recordBoardChanges(state, board, wanted);
      const due = board.filter(
        ({ issue }) => findLoopHold(context, issue) === undefined && !backoff.isBackingOff(issue.id),
      );
      return decideAndRun({ whole: board, due }, since, recordChanges);
    },
    async runOne(issue, carryOut, signal) {
      const since = ledger.state.version;
      const board = await observe(new Set([issue]), signal);
      if (board.length === 0) throw new LegionError('tracker.issue_unknown', `${issue} is not on the board`);
      const recordChanges = (state: LegionState) => recordBoardChanges(state, board, [issue]);
      const plan = carryOut
        ? await decideAndRun({ whole: board, due: board }, since, recordChanges)
        : planPass(ledger.state, board, buildPassContext());
      return plan.issues[0] ?? { issue, decisions: [], events: [], commands: [] };
    },
  };
}

/**
 * Finds merges that are missing from the journal: a person merged on the forge, or the worker and
 * the daemon crashed right after the merge.
 */
function detectUnrecordedMerges(state: LegionState, board: readonly ObservedIssue[]): EventBody[] {
  return board.flatMap(({ issue, pullRequest }) => {
    if (typeof pullRequest !== 'object' || pullRequest.state !== 'merged') return [];
    const { mergedSha } = pullRequest;
    if (mergedSha === undefined) return [];
    const auto = isAutomaticMerge(computeEffectiveLabels(issue.labels, state, issue.id));
    return buildLandingEvents(state, { issue: issue.id, pullRequest, mergedSha, auto });
  });
}

/** Finds reverts that a person merged on the forge's website. */
function detectUnrecordedReverts(state: LegionState, board: readonly ObservedIssue[]): EventBody[] {
  return board.flatMap(({ issue: { id }, revert }) => {
    const undone = state.issues.get(id)?.merged?.undone;
    if (revert?.mergedSha === undefined || undone?.revert !== revert.number || undone.landed) return [];
    const { number, mergedSha } = revert;
    const by = 'a person on the forge';
    return [{ type: 'revert.landed', issue: id, revert: number, mergedSha, by, forced: false }];
  });
}
