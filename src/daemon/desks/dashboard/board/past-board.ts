/** The board of any moment, as far as the journal tells. */

import type { IssueId } from '../../../../core/model/ids.ts';
import { isFinished } from '../../../../core/model/status.ts';
import { REASONS } from '../../../../core/pipeline/reasons.ts';
import { decisionWithoutHold } from '../../../../core/state/evolve/issue.ts';
import type { Swarm } from '../../../../core/state/state.ts';
import type { Board, Card } from '../../../../protocol/dashboard.ts';
import { effectiveLabels } from '../../../../swarm/effective-labels.ts';
import { openQuestions } from '../../operator/open-questions.ts';
import type { Keyframe } from '../past/keyframes.ts';
import { inBoardOrder } from './board-order.ts';
import { knowing } from './known-of.ts';
import type { CardSources } from './worker-on-card.ts';

export function pastBoard({ swarm, at }: Keyframe): Board {
  const { version } = swarm;
  return {
    at,
    version,
    isPresent: false,
    readAt: null,
    cards: inBoardOrder(pastCards(swarm, { limits: {} })),
    omitted: 0,
  };
}

export function pastCards(swarm: Swarm, sources: CardSources): Card[] {
  const knownOf = knowing(swarm, sources);
  return [...swarm.board].flatMap(([id, sighting]) => {
    if (sighting.left === true) return [];
    const { title, status, column, since } = sighting;
    const isOver = isFinished(status);
    return [
      {
        ...{ id, title, status, column, since, priority: 0, blockedBy: [] },
        // Only what was still to be written is in the journal.
        labels: [...effectiveLabels([], swarm, id)],
        ...knownOf(id),
        needsYou: !isOver && neededPerson(swarm, id),
        pullRequest: mergedOne(swarm, id),
      },
    ];
  });
}

/** By what was decided then: the labels that the inbox goes by are not in the journal. */
function neededPerson(swarm: Swarm, issue: IssueId): boolean {
  const reason = decisionWithoutHold(swarm.issues.get(issue))?.reason ?? '';
  const isForPerson =
    Object.hasOwn(REASONS, reason) && REASONS[reason as keyof typeof REASONS].until.by === 'person';
  return isForPerson || openQuestions(swarm, issue, new Set()).length > 0;
}

/** One that has landed; of an issue that is over the forge is not asked any more. */
export function mergedOne({ issues }: Swarm, issue: IssueId): Card['pullRequest'] {
  const merged = issues.get(issue)?.merged;
  if (merged === undefined || merged.undone !== undefined) return null;
  return { number: merged.pullRequest, state: 'merged', ci: 'unknown', review: 'unknown' };
}
