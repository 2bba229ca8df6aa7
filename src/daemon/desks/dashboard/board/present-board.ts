/** The board of the present: as the loop last saw it, with what the journal knows. Nobody outside is asked. */
import type { IssueId } from '../../../../domain/ids.ts';
import { isLive } from '../../../../domain/lifecycle.ts';
import { reviewVerdict } from '../../../../domain/pull-request.ts';
import { stillHolds } from '../../../../pipeline/binding.ts';
import type { Board, Card } from '../../../../protocol/dashboard.ts';
import { effectiveLabels } from '../../../../swarm/effective-labels.ts';
import type { SeenIssue } from '../../../../swarm/observation.ts';
import type { Swarm } from '../../../../swarm/state.ts';
import type { Control } from '../../../control.ts';
import { problemTexts } from '../../../present/problem-texts.ts';
import type { World } from '../../../world.ts';
import { aboutWorkers } from '../../operator/inbox.ts';
import { waitingOn } from '../../operator/waiting-on.ts';
import { inBoardOrder } from './board-order.ts';
import { heldWaits } from './held-waits.ts';
import { knowing, waitFor } from './known-of.ts';
import { mergedOne, pastCards } from './past-board.ts';

export function presentBoard(world: World, control: Pick<Control, 'undecided' | 'doings'>): Board {
  const { view, ledger, clock } = world;
  const { swarm } = ledger;
  const doings = control.doings();
  const knownOf = knowing(swarm, doings);
  const held = heldWaits(world);
  const told = new Set(aboutWorkers(swarm, control.undecided()).map(({ issue }) => issue));
  // After a start, until the board is read: what the journal has of it is nearly always still so.
  const cards = view.isRead
    ? view.all.map((seen) =>
        cardOf(world, seen, asNow(knownOf(seen.issue.id), held.get(seen.issue.id)), told),
      )
    : pastCards(swarm, doings);
  return {
    at: clock.now(),
    version: swarm.version,
    isPresent: true,
    readAt: view.readAt ?? null,
    cards: inBoardOrder(cards),
  };
}

const NOT_TRUSTED = { reason: 'not_trusted', mode: 'implement', evidence: [] } as const;

type Known = ReturnType<ReturnType<typeof knowing>>;

/** That a worker is at it is all there is to say then. */
function asNow(known: Known, held: Card['waits'] | undefined): Known {
  const isAtWork = known.worker !== null && isLive(known.worker.state);
  return held === undefined || isAtWork ? known : { ...known, waits: held };
}

function cardOf(world: World, seen: SeenIssue, known: Known, told: ReadonlySet<IssueId | null>): Card {
  const { issue, status } = seen;
  const { id, title, column, priority } = issue;
  const { swarm } = world.ledger;
  const isOver = status === 'Done' || status === 'terminal';
  return {
    ...{ id, title, status, column, priority },
    labels: [...effectiveLabels(issue.labels, swarm.issues.get(id))],
    since: sinceOf(swarm, seen),
    blockedBy: [...issue.openBlockers],
    problems: problemTexts(issue),
    ...known,
    // The loop does not even look at one that may not be started, so that no decision says so.
    waits:
      !isOver && !world.tracker.mayDispatch(issue).allowed ? waitFor(swarm, id, NOT_TRUSTED) : known.waits,
    needsYou: told.has(id) || (!isOver && needsPerson(swarm, seen)),
    pullRequest: pullRequestOnCard(world, seen) ?? mergedOne(swarm, id),
  };
}

/** As far as Legion was looking; else as the tracker says. */
function sinceOf({ board }: Swarm, { issue, status }: SeenIssue): number | null {
  const sighting = board.get(issue.id);
  const isSame = sighting?.status === status && sighting.left === undefined;
  return (isSame ? sighting.since : issue.enteredStatusAt) ?? null;
}

function needsPerson(swarm: Swarm, { issue }: SeenIssue): boolean {
  const { questions, kinds } = waitingOn(swarm, issue);
  return questions.length > 0 || kinds.length > 0;
}

function pullRequestOnCard(
  { policyOf }: World,
  { issue, pullRequest, changes }: SeenIssue,
): Card['pullRequest'] {
  if (pullRequest === 'none' || pullRequest === 'unknown') return null;
  const { number, state, draft, ci, headSha, reviews } = pullRequest;
  const { retroPaths } = policyOf(issue.id);
  const review = reviewVerdict(reviews, (sha) => stillHolds(sha, headSha, changes, retroPaths));
  return { number, state: draft && state === 'open' ? 'draft' : state, ci, review };
}
