/** The board of the present: as the loop last saw it, with what the journal knows. Nobody outside is asked. */
import type { IssueId } from '../../../../core/model/ids.ts';
import { isFinished } from '../../../../core/model/status.ts';
import type { SeenIssue } from '../../../../core/state/observation.ts';
import type { Swarm } from '../../../../core/state/state.ts';
import { isLive } from '../../../../domain/lifecycle.ts';
import type { Board, Card } from '../../../../protocol/dashboard.ts';
import type { Control } from '../../../control.ts';
import { problemTexts } from '../../../present/problem-texts.ts';
import { reasonInWords } from '../../../present/reason.ts';
import { aboutWorkers } from '../../../services/operator/inbox.ts';
import { waitingOn } from '../../../services/operator/waiting-on.ts';
import type { World } from '../../../world.ts';
import { evaluateLastSeen, type ShownEvaluation } from '../../evaluate-issues.ts';
import { explainRestart } from '../../operator/collect.ts';
import { inBoardOrder } from './board-order.ts';
import { knowing, waitFor } from './known-of.ts';
import { mergedOne, pastCards } from './past-board.ts';

export function presentBoard(world: World, control: Pick<Control, 'undecided' | 'doings'>): Board {
  const { view, ledger, clock } = world;
  const { swarm } = ledger;
  const sources = { doings: control.doings(), limits: world.settings().health };
  const knownOf = knowing(swarm, sources);
  const evaluations = evaluateLastSeen(world);
  const held = heldWaits(world, evaluations);
  const told = new Set(aboutWorkers(swarm, control.undecided()).map(({ issue }) => issue));
  // After a start, until the board is read: what the journal has of it is nearly always still so.
  const cards = view.isRead
    ? evaluations.map((evaluation) => {
        const { id } = evaluation.seen.issue;
        const known = withRevert(world, evaluation, knownOf(id));
        return cardOf(swarm, evaluation, asNow(known, held.get(id)), told);
      })
    : pastCards(swarm, sources);
  return {
    at: clock.now(),
    version: swarm.version,
    isPresent: true,
    readAt: view.readAt ?? null,
    cards: inBoardOrder(cards),
    omitted: 0,
  };
}

/** Finished issues of older days are most of a long-lived board, and hardly anybody looks at them. */
const FINISHED_SHOWN_MS = 7 * 24 * 60 * 60_000;

export function withoutOldFinished(board: Board): Board {
  const cards = board.cards.filter((card) => !isLongOver(card, board.at));
  return { ...board, cards, omitted: board.cards.length - cards.length };
}

function isLongOver({ status, since, needsYou, worker }: Card, now: number): boolean {
  const isOver = isFinished(status);
  const isQuiet = !needsYou && (worker === null || !isLive(worker.state));
  return isOver && isQuiet && since !== null && now - since > FINISHED_SHOWN_MS;
}

const NOT_TRUSTED = { reason: 'not_trusted', mode: 'implement', evidence: [] } as const;

type Known = ReturnType<ReturnType<typeof knowing>>;

/** That a worker is at it is all there is to say then. */
function asNow(known: Known, held: Card['waits'] | undefined): Known {
  const isAtWork = known.worker !== null && isLive(known.worker.state);
  return held === undefined || isAtWork ? known : { ...known, waits: held };
}

/** The journal alone does not know a revert that was closed on the forge. */
function withRevert(world: World, evaluation: ShownEvaluation, known: Known): Known {
  const says = known.waits === null ? undefined : explainRestart(world, evaluation)?.text;
  return known.waits === null || says === undefined ? known : { ...known, waits: { ...known.waits, says } };
}

function cardOf(
  swarm: Swarm,
  evaluation: ShownEvaluation,
  known: Known,
  told: ReadonlySet<IssueId | null>,
): Card {
  const { seen, signals, hold } = evaluation;
  const { issue, status } = seen;
  const { id, title, column, priority } = issue;
  const isOver = isFinished(status);
  return {
    ...{ id, title, status, column, priority },
    labels: [...signals.labels],
    since: sinceOf(swarm, seen),
    blockedBy: [...issue.openBlockers],
    problems: problemTexts(issue),
    ...known,
    // The loop does not even look at one that may not be started, so that no decision says so.
    waits: !isOver && hold?.kind === 'not_trusted' ? waitFor(swarm, id, NOT_TRUSTED) : known.waits,
    needsYou: told.has(id) || (!isOver && needsPerson(swarm, evaluation)),
    pullRequest: pullRequestOnCard(evaluation) ?? mergedOne(swarm, id),
  };
}

/** As far as Legion was looking; else as the tracker says. */
function sinceOf({ board }: Swarm, { issue, status }: SeenIssue): number | null {
  const sighting = board.get(issue.id);
  const isSame = sighting?.status === status && sighting.left === undefined;
  return (isSame ? sighting.since : issue.enteredStatusAt) ?? null;
}

function needsPerson(swarm: Swarm, { seen, decision, withoutHold, hold }: ShownEvaluation): boolean {
  const decided = hold?.kind === 'not_trusted' ? undefined : (withoutHold ?? decision);
  const { questions, kinds } = waitingOn(swarm, seen.issue, decided);
  return questions.length > 0 || kinds.length > 0 || decided?.reason === 'revert_open';
}

function pullRequestOnCard({ seen, signals }: ShownEvaluation): Card['pullRequest'] {
  if (typeof seen.pullRequest !== 'object' || typeof signals.pullRequest !== 'object') return null;
  const { number, state, draft, ci } = seen.pullRequest;
  const { review } = signals.pullRequest;
  return { number, state: draft && state === 'open' ? 'draft' : state, ci, review };
}

/**
 * What cards wait for while auto_advance is off: the loop then decides nothing, so that the journal has no answer, or an old one.
 * By what was last seen, as `explain` decides it by a look of its own; of no issue while the loop moves them by itself.
 */
function heldWaits(
  world: World,
  evaluations: readonly ShownEvaluation[],
): ReadonlyMap<IssueId, Card['waits']> {
  if (world.settings().autoAdvance) return new Map();
  const { issues } = world.ledger.swarm;
  // What is under way was decided when somebody advanced it, and is in the journal.
  const idle = evaluations.filter(({ seen }) => (issues.get(seen.issue.id)?.openIntents ?? 0) === 0);
  return new Map(idle.map((each) => [each.seen.issue.id, waitsOf(world.ledger.swarm, each)]));
}

function waitsOf(swarm: Swarm, { seen, decision }: ShownEvaluation): Card['waits'] {
  const { action, reason, until } = decision;
  if (action === 'skip') return waitFor(swarm, seen.issue.id, decision);
  const { by, what } = until;
  return { says: `${reasonInWords(reason)} It waits to be advanced.`, by, what };
}
