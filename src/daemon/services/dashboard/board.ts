/**
 * Serves the dashboard's board: the current board, which is rebuilt only after a change, or the
 * board at a past moment.
 */

import type { IssueId } from '../../../core/model/ids.ts';
import { isLive } from '../../../core/model/lifecycle.ts';
import type { ObservedIssue } from '../../../core/model/observed-issue.ts';
import { isFinished, OBSERVED_STATUSES } from '../../../core/model/status.ts';
import { REASONS } from '../../../core/pipeline/reasons.ts';
import { computeEffectiveLabels } from '../../../core/state/effective-labels.ts';
import { findDecisionWithoutHold, listOpenQuestions } from '../../../core/state/issues.ts';
import type { LegionState } from '../../../core/state/state.ts';
import type { BoardQuery, DashboardBoard, DashboardCard } from '../../../protocol/dashboard.ts';
import type { DaemonContext, PortContext, StateContext } from '../../context/daemon-context.ts';
import type { JournalMoment } from '../../context/ledger.ts';
import type { LoopControl } from '../../loop/control.ts';
import { describeReason, listProblemTexts } from '../../present/reason.ts';
import { evaluateLastSeen, type ShownEvaluation } from '../evaluate-issues.ts';
import { explainRestart } from '../operator/collect.ts';
import { listWorkerItems } from '../operator/inbox.ts';
import { findPersonWaits } from '../operator/waiting-on.ts';
import type { Keyframe } from './history.ts';
import { type CardSources, createCardFactsReader, explainCardWait } from './worker-card.ts';

interface BoardService {
  board(query: BoardQuery): Promise<DashboardBoard>;
  /** Boards with equal markers are identical. Computing the marker is cheap. */
  mark(query: BoardQuery): string;
}

export function createBoardService(
  context: DaemonContext,
  control: Pick<LoopControl, 'listUndecided' | 'listActivities'>,
  restoreState: (moment: JournalMoment) => Promise<Keyframe>,
): BoardService {
  const { ledger, boardView, settings } = context;
  let made:
    | { readonly mark: string; readonly all: DashboardBoard; readonly recent: DashboardBoard }
    | undefined;

  /**
   * The marker contains the journal version. Every daemon start appends an event, so the markers of
   * two daemons never collide.
   */
  function presentMark(): string {
    const doneAt = Math.max(0, ...[...control.listActivities().values()].map(({ at }) => at));
    const undecided = control.listUndecided().map(({ worker }) => worker);
    const moving = settings().autoAdvance ? 'auto' : 'held';
    return [ledger.version, boardView.revision, moving, doneAt, ...undecided].join('.');
  }

  function mark({ version, at, finished }: BoardQuery): string {
    if (version !== undefined) return `v${Math.min(Math.max(version, 1), ledger.version)}.${ledger.epoch}`;
    // The marker of a past time contains the journal version, because events appended later may
    // still belong to that time.
    return at === undefined ? `${presentMark()}.${finished ?? 'recent'}` : `t${at}.${ledger.version}`;
  }

  return {
    mark,
    async board(query) {
      const { version, at: time } = query;
      if (version !== undefined) return buildPastBoard(await restoreState({ version }));
      if (time !== undefined) return buildPastBoard(await restoreState({ time }));
      const now = presentMark();
      if (made?.mark !== now) {
        const all = buildPresentBoard(context, control);
        made = { mark: now, all, recent: omitOldFinished(all) };
      }
      return query.finished === 'all' ? made.all : made.recent;
    },
  };
}

/** Priority 0 means unset, so it sorts last. */
const UNSET_PRIORITY_RANK = 5;

/** Orders cards by status in pipeline order, then by urgency, then by time in the status. */
function sortCards(cards: readonly DashboardCard[]): DashboardCard[] {
  const ranks = new Map(OBSERVED_STATUSES.map((status, rank) => [status, rank]));
  const rank = ({ status }: DashboardCard) => ranks.get(status) ?? 0;
  return cards.toSorted(
    (a, b) =>
      rank(a) - rank(b) ||
      (a.priority || UNSET_PRIORITY_RANK) - (b.priority || UNSET_PRIORITY_RANK) ||
      (a.since ?? 0) - (b.since ?? 0) ||
      (a.id < b.id ? -1 : 1),
  );
}

/**
 * Builds the present board from the board that the loop last saw and from the journal, without
 * external requests.
 */
export function buildPresentBoard(
  context: DaemonContext,
  control: Pick<LoopControl, 'listUndecided' | 'listActivities'>,
): DashboardBoard {
  const { boardView, ledger, clock } = context;
  const { state } = ledger;
  const sources = { doings: control.listActivities(), limits: context.settings().health };
  const knownOf = createCardFactsReader(state, sources);
  const evaluations = evaluateLastSeen(context);
  const held = collectHeldWaits(context, evaluations);
  const issuesWithItems = new Set(listWorkerItems(state, control.listUndecided()).map(({ issue }) => issue));
  // After a start, uses the board in the journal until the board has been read. The journal's board
  // is nearly always still current.
  const cards = boardView.isRead
    ? evaluations.map((evaluation) => {
        const { id } = evaluation.seen.issue;
        const known = withRevert(context, evaluation, knownOf(id));
        return buildCard(state, evaluation, applyHeldWait(known, held.get(id)), issuesWithItems);
      })
    : buildPastCards(state, sources);
  return {
    at: clock.now(),
    version: state.version,
    isPresent: true,
    readAt: boardView.readAt ?? null,
    cards: sortCards(cards),
    omitted: 0,
  };
}

/**
 * Older finished issues are hidden by default: they make up most of a long-lived board and are
 * rarely viewed.
 */
const FINISHED_VISIBLE_MS = 7 * 24 * 60 * 60_000;

export function omitOldFinished(board: DashboardBoard): DashboardBoard {
  const cards = board.cards.filter((card) => !isLongOver(card, board.at));
  return { ...board, cards, omitted: board.cards.length - cards.length };
}

function isLongOver({ status, since, needsYou, worker }: DashboardCard, now: number): boolean {
  const isOver = isFinished(status);
  const isQuiet = !needsYou && (worker === null || !isLive(worker.state));
  return isOver && isQuiet && since !== null && now - since > FINISHED_VISIBLE_MS;
}

const NOT_TRUSTED = { reason: 'not_trusted', mode: 'implement', evidence: [] } as const;

type PresentCardFacts = ReturnType<ReturnType<typeof createCardFactsReader>>;

/** Adds what the issue is waiting for, unless a worker is running on it. */
function applyHeldWait(known: PresentCardFacts, held: DashboardCard['waits'] | undefined): PresentCardFacts {
  const isAtWork = known.worker !== null && isLive(known.worker.state);
  return held === undefined || isAtWork ? known : { ...known, waits: held };
}

/**
 * Explains the wait with the state of the revert, because the journal does not show whether the
 * revert was closed on the forge.
 */
function withRevert(
  context: StateContext & PortContext,
  evaluation: ShownEvaluation,
  known: PresentCardFacts,
): PresentCardFacts {
  const says = known.waits === null ? undefined : explainRestart(context, evaluation)?.text;
  return known.waits === null || says === undefined ? known : { ...known, waits: { ...known.waits, says } };
}

function buildCard(
  state: LegionState,
  evaluation: ShownEvaluation,
  known: PresentCardFacts,
  issuesWithItems: ReadonlySet<IssueId | null>,
): DashboardCard {
  const { seen, signals, hold } = evaluation;
  const { issue, status } = seen;
  const { id, title, column, priority } = issue;
  const isOver = isFinished(status);
  return {
    id,
    title,
    status,
    column,
    priority,
    labels: [...signals.labels],
    since: findStatusSince(state, seen),
    blockedBy: [...issue.openBlockers],
    problems: listProblemTexts(issue),
    ...known,
    // The loop skips issues of untrusted authors, so no decision explains the wait.
    waits: !isOver && hold?.kind === 'not_trusted' ? explainCardWait(state, id, NOT_TRUSTED) : known.waits,
    needsYou: issuesWithItems.has(id) || (!isOver && isPersonNeeded(state, evaluation)),
    pullRequest: toCardPullRequest(evaluation) ?? findMergedPullRequest(state, id),
  };
}

/**
 * Returns the time at which Legion saw the issue enter its status. If Legion did not see that,
 * returns the time from the tracker.
 */
function findStatusSince({ board }: LegionState, { issue, status }: ObservedIssue): number | null {
  const sighting = board.get(issue.id);
  const isSame = sighting?.status === status && sighting.left === undefined;
  return (isSame ? sighting.since : issue.enteredStatusAt) ?? null;
}

function isPersonNeeded(state: LegionState, { seen, decision, withoutHold, hold }: ShownEvaluation): boolean {
  const decided = hold?.kind === 'not_trusted' ? undefined : (withoutHold ?? decision);
  const { questions, kinds } = findPersonWaits(state, seen.issue, decided);
  return questions.length > 0 || kinds.length > 0 || decided?.reason === 'revert_open';
}

function toCardPullRequest({ seen, signals }: ShownEvaluation): DashboardCard['pullRequest'] {
  if (typeof seen.pullRequest !== 'object' || typeof signals.pullRequest !== 'object') return null;
  const { number, state, draft, ci } = seen.pullRequest;
  const { review } = signals.pullRequest;
  return { number, state: draft && state === 'open' ? 'draft' : state, ci, review };
}

/**
 * While auto_advance is off, returns what each issue is waiting for. The loop makes no decisions
 * then, so the journal has no decision about the issue or only an old one. Uses the last seen
 * board, whereas `explain` reads the board again. Empty while auto_advance is on.
 */
function collectHeldWaits(
  context: StateContext,
  evaluations: readonly ShownEvaluation[],
): ReadonlyMap<IssueId, DashboardCard['waits']> {
  if (context.settings().autoAdvance) return new Map();
  const { issues } = context.ledger.state;
  // Skips issues with a step in progress. That step was decided when a person advanced the issue,
  // so the decision is already in the journal.
  const idle = evaluations.filter(({ seen }) => (issues.get(seen.issue.id)?.openIntents ?? 0) === 0);
  return new Map(idle.map((each) => [each.seen.issue.id, describeHeldWait(context.ledger.state, each)]));
}

function describeHeldWait(state: LegionState, { seen, decision }: ShownEvaluation): DashboardCard['waits'] {
  const { action, reason, until } = decision;
  if (action === 'skip') return explainCardWait(state, seen.issue.id, decision);
  const { by, what } = until;
  return { says: `${describeReason(reason)} It is waiting to be advanced.`, by, what };
}

/** Builds the board at any past moment, as far as the journal recorded it. */
export function buildPastBoard({ state, at }: Keyframe): DashboardBoard {
  const { version } = state;
  return {
    at,
    version,
    isPresent: false,
    readAt: null,
    cards: sortCards(buildPastCards(state, { limits: {} })),
    omitted: 0,
  };
}

function buildPastCards(state: LegionState, sources: CardSources): DashboardCard[] {
  const knownOf = createCardFactsReader(state, sources);
  return [...state.board].flatMap(([id, sighting]) => {
    if (sighting.left === true) return [];
    const { title, status, column, since } = sighting;
    const isOver = isFinished(status);
    return [
      {
        id,
        title,
        status,
        column,
        since,
        priority: 0,
        blockedBy: [],
        // The journal contains only the labels that had not been written to the tracker yet.
        labels: [...computeEffectiveLabels([], state, id)],
        ...knownOf(id),
        needsYou: !isOver && hasNeededPerson(state, id),
        pullRequest: findMergedPullRequest(state, id),
      },
    ];
  });
}

/**
 * Returns whether the issue was waiting for a person at that moment. Uses the decision that was
 * recorded then, because the journal does not contain the labels from which the inbox is built.
 */
function hasNeededPerson(state: LegionState, issue: IssueId): boolean {
  const reason = findDecisionWithoutHold(state.issues.get(issue))?.reason ?? '';
  const isForPerson =
    Object.hasOwn(REASONS, reason) && REASONS[reason as keyof typeof REASONS].until.by === 'person';
  return isForPerson || listOpenQuestions(state, issue, new Set()).length > 0;
}

/**
 * Returns the merged pull request from the journal, because the forge is no longer queried for a
 * finished issue.
 */
function findMergedPullRequest({ issues }: LegionState, issue: IssueId): DashboardCard['pullRequest'] {
  const merged = issues.get(issue)?.merged;
  if (merged === undefined || merged.undone !== undefined) return null;
  return { number: merged.pullRequest, state: 'merged', ci: 'unknown', review: 'unknown' };
}
