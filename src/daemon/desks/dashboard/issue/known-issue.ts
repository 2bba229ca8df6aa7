/** Whether an issue is one that can be asked about: on the board, or somewhere in the journal. */
import { LegionError } from '../../../../domain/fault.ts';
import type { IssueId } from '../../../../domain/ids.ts';
import { workersOf } from '../../../present/worker.ts';
import type { World } from '../../../world.ts';

/** Rejects with `tracker.issue_unknown`; in the board's own spelling. */
export function knownIssue({ view, ledger }: World, given: IssueId): IssueId {
  const issue = view.spelled(given);
  const { swarm } = ledger;
  const isKnown = swarm.board.has(issue) || swarm.issues.has(issue) || workersOf(swarm, issue).length > 0;
  if (view.of(issue) === undefined && !isKnown)
    throw new LegionError('tracker.issue_unknown', `${issue} is not on the board, and never was`);
  return issue;
}
