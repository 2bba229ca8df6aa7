/** A person's move, carried out for them: unlike Legion's own it opens a closed issue. */
import type { IssueId } from '../../domain/ids.ts';
import type { Status } from '../../domain/status.ts';
import { stateFor, statusOf } from './column.ts';
import { mutate } from './made-once.ts';
import type { Room } from './room.ts';
import { requireSight } from './sight.ts';
import { updateIssue } from './write-documents.ts';

export async function move(room: Room, id: IssueId, to: Status): Promise<void> {
  const { answer, states } = await requireSight(room, id);
  const names = room.columns();
  const state = stateFor(to, states, names);
  if (statusOf(answer.state, names) === to) return;
  await mutate(room.client, updateIssue('LegionMoves'), { id: answer.id, input: { stateId: state.id } });
}
