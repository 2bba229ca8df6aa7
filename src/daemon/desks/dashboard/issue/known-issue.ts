/** Whether an issue is one that can be asked about: seen on the board, somewhere in the journal, or put on the board since the last look. */
import type { IssueId } from '../../../../core/model/ids.ts';
import { workersOf } from '../../../../swarm/workers.ts';
import type { World } from '../../../world.ts';
import { readIssue } from '../../read-outside.ts';

/** Rejects with `tracker.issue_unknown`; in the board's own spelling. */
export async function knownIssue(world: World, given: IssueId): Promise<IssueId> {
  const { view, ledger } = world;
  const issue = view.spelled(given);
  const { swarm } = ledger;
  const isInJournal = swarm.board.has(issue) || swarm.issues.has(issue) || workersOf(swarm, issue).length > 0;
  if (isInJournal || view.of(issue) !== undefined) return issue;
  // Only for these somebody outside is asked: one that was just added is clicked on before the loop has come round to it.
  return (await readIssue(world, issue)).id;
}
