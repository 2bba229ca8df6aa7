/** One step's labels and move: only what is different is sent, all of it in one request. */
import type { IssueId } from '../../core/model/ids.ts';
import type { ColumnNames, Status } from '../../core/model/status.ts';
import { neededLabelChange } from '../../domain/label.ts';
import { makeChanges, type Step, step } from '../../github/in-one-request.ts';
import { labelKey, labelSteps } from '../../github/label-steps.ts';
import type { IssueChange } from '../../ports/tracker.ts';
import { labelNames } from '../label-names.ts';
import { isDone } from './column.ts';
import { closing, columnSteps } from './column-steps.ts';
import type { Room } from './room.ts';
import { requireSight, type Sighting } from './sight.ts';

export async function write(room: Room, id: IssueId, change: IssueChange): Promise<void> {
  const seen = await requireSight(room, id);
  const { repository } = seen.content.answer;
  // Before the labels are looked up, for which some may have to be made: a missing column leaves no trace.
  const moves = change.moveTo === undefined ? [] : movesTo(change.moveTo, seen, room.columns());
  const labels = await labelled(room, seen, change);
  const steps = [...labels, ...moves];
  try {
    await makeChanges(room.client, 'LegionWrites', steps);
  } catch (error) {
    // One of its labels may be another by now.
    room.labels.forget(repository);
    throw error;
  }
}

async function labelled(
  room: Room,
  { content }: Sighting,
  { labels }: IssueChange,
): Promise<readonly Step[]> {
  const { id, repository } = content.answer;
  const { add, remove } = neededLabelChange(new Set(labelNames(content.labels)), labels);
  const removed: readonly string[] = remove;
  const taken = content.labels
    .filter(({ name }) => removed.includes(labelKey(name)))
    .map((label) => label.id);
  const put = add.length === 0 ? [] : (await room.labels.idsOf(repository, add)).labels;
  return labelSteps(id, taken, put);
}

/**
 * What is moved to Done is closed as completed, if the merge has not done that. Legion may move it back, and opens it then if
 * that was how it was closed; what a merge or a person has closed, only a person's move opens again. Where Legion has the
 * operator's own token, it cannot tell the operator from itself.
 */
function movesTo(status: Status, seen: Sighting, names: ColumnNames): readonly Step[] {
  const { content, placements, closedByLegion } = seen;
  const { id, closedAt } = content.answer;
  const moves = columnSteps(status, seen, names);
  if (status === 'Done') return closedAt === null ? [...moves, closing(id)] : moves;
  const comesBack = closedAt !== null && closedByLegion && isDone(placements[0].option, names);
  return comesBack ? [...moves, step('reopenIssue', { issueId: id })] : moves;
}
