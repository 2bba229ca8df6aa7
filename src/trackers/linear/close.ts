/** Ending an issue without finishing it; one that is Done, or has ended otherwise, stays as it is. */
import type { IssueId } from '../../domain/ids.ts';
import { canceledState, hasEnded } from './column.ts';
import { mutate } from './made-once.ts';
import type { Room } from './room.ts';
import { requireSight } from './sight.ts';
import { updateIssue } from './write-documents.ts';

export async function close(room: Room, id: IssueId): Promise<void> {
  const { answer, states } = await requireSight(room, id);
  if (hasEnded(answer.state, room.columns())) return;
  const input = { stateId: canceledState(states).id };
  await mutate(room.client, updateIssue('LegionCloses'), { id: answer.id, input });
}
