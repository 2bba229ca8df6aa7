/** One step's labels and move: only what is different is sent, all of it in one request. */
import type { IssueId } from '../../core/model/ids.ts';
import type { Status } from '../../core/model/status.ts';
import { type LabelChange, neededLabelChange } from '../../domain/label.ts';
import type { IssueChange } from '../../ports/tracker.ts';
import { labelNames } from '../label-names.ts';
import { stateFor, statusOf } from './column.ts';
import { mutate } from './made-once.ts';
import type { Room } from './room.ts';
import { requireSight, type Sighting } from './sight.ts';
import { updateIssue } from './write-documents.ts';

export async function write(room: Room, id: IssueId, { moveTo, labels }: IssueChange): Promise<void> {
  const seen = await requireSight(room, id);
  // Before the labels are looked up, for which some may have to be made: a missing column leaves no trace.
  const moved = moveTo === undefined ? {} : moveIn(room, seen, moveTo);
  const input = { ...moved, ...(await labelsIn(room, seen, labels)) };
  if (Object.keys(input).length === 0) return;
  try {
    await mutate(room.client, updateIssue('LegionWrites'), { id: seen.answer.id, input });
  } catch (error) {
    // One of its labels may be another by now.
    room.labels.forget();
    throw error;
  }
}

/** Done may be taken back; what ended outside the pipeline, only a person's move opens again. */
function moveIn(
  { columns }: Room,
  { answer, states }: Sighting,
  status: Status,
): { readonly stateId?: string } {
  const names = columns();
  const { id } = stateFor(status, states, names);
  const now = statusOf(answer.state, names);
  // Another name of the same status is the same; and writing the same again would be entering the column again.
  return now === status || now === 'terminal' ? {} : { stateId: id };
}

async function labelsIn(room: Room, { answer }: Sighting, change: LabelChange): Promise<object> {
  const there = answer.labels.nodes;
  const { add, remove } = neededLabelChange(new Set(labelNames(there)), change);
  const removed: readonly string[] = remove;
  const taken = there.filter(({ name }) => removed.includes(name.toLowerCase())).map(({ id }) => id);
  const put = add.length === 0 ? [] : await room.labels.idsOf(add);
  return {
    ...(put.length === 0 ? {} : { addedLabelIds: put }),
    ...(taken.length === 0 ? {} : { removedLabelIds: taken }),
  };
}
