/** Ending an issue without finishing it; one that is Done stays Done. */
import type { IssueId } from '../../domain/ids.ts';
import { makeChanges, step } from '../../github/in-one-request.ts';
import { isDone } from './column.ts';
import type { Room } from './room.ts';
import { requireSight } from './sight.ts';

/** Of what is Done GitHub says that it was completed, of everything else that nobody plans to. */
export async function close(room: Room, id: IssueId): Promise<void> {
  const { content, placements } = await requireSight(room, id);
  if (content.answer.closedAt !== null) return;
  const stateReason = isDone(placements[0].option, room.columns()) ? 'COMPLETED' : 'NOT_PLANNED';
  const steps = [step('closeIssue', { issueId: content.answer.id, stateReason })];
  await makeChanges(room.client, 'LegionCloses', steps);
}
