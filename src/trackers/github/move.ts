/** A person's move, carried out for them: unlike Legion's own it opens a closed issue. */
import type { IssueId } from '../../domain/ids.ts';
import type { Status } from '../../domain/status.ts';
import { makeChanges, step } from '../../github/in-one-request.ts';
import { closing, columnSteps } from './column-steps.ts';
import type { Room } from './room.ts';
import { requireSight } from './sight.ts';

export async function move(room: Room, id: IssueId, to: Status): Promise<void> {
  const seen = await requireSight(room, id);
  const { id: issueId, closedAt } = seen.content.answer;
  const isClosed = closedAt !== null;
  const steps = [...columnSteps(to, seen, room.columns())];
  if (to === 'Done' && !isClosed) steps.push(closing(issueId));
  if (to !== 'Done' && isClosed) steps.push(step('reopenIssue', { issueId }));
  await makeChanges(room.client, 'LegionMoves', steps);
}
