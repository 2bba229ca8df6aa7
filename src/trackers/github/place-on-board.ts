/** Putting a new issue on the first board, in its column and with its priority. */

import { LegionError } from '../../core/model/fault.ts';
import { columnFor } from '../../core/model/status.ts';
import { makeChanges, step } from '../../github/in-one-request.ts';
import type { PutOnBoardMutation } from '../../integrations/github/generated/tracker.ts';
import type { Field, Fields } from '../../integrations/github/tracker/board-view.ts';
import { NEVER_ABORTED } from '../../lib/async/never-aborted.ts';
import type { NewIssue } from '../../ports/tracker.ts';
import { closing } from './column-steps.ts';
import { priorityLabel, priorityOption } from './priority.ts';
import type { Room } from './room.ts';
import { PUT_ON_BOARD } from './write-documents.ts';

export interface BoardPlace {
  readonly project: string;
  /** The options to choose, by field. */
  readonly choices: readonly { readonly fieldId: string; readonly optionId: string }[];
  /** Labels that say what the board has no field for. */
  readonly labels: readonly string[];
  readonly isDone: boolean;
}

/** Rejects where the board has no column for it, by a look of this moment. */
export async function placeFor(room: Room, { status, priority }: NewIssue): Promise<BoardPlace> {
  const names = room.columns();
  const known = room.noticed()?.boards[0];
  const fields = known !== undefined && columnIn(known) !== undefined ? known : await primaryBoard(room);
  const column = columnIn(fields);
  if (column === undefined)
    throw new LegionError(
      'tracker.column_missing',
      `the board ${fields.project} has no column for ${status}`,
    );
  const urgency = choiceOf(
    fields.priority,
    priority === 0 ? undefined : priorityOption(priority, namesOf(fields.priority)),
  );
  const label = urgency === undefined ? priorityLabel(priority) : undefined;
  return {
    project: fields.project,
    choices: [column, ...(urgency === undefined ? [] : [urgency])],
    labels: label === undefined ? [] : [label],
    isDone: status === 'Done',
  };

  function columnIn(board: Fields) {
    return choiceOf(board.status, columnFor(status, namesOf(board.status), names));
  }
}

/** Adding what is there already gives the item that is there. */
export async function placeOnBoard(
  { client }: Room,
  issue: string,
  { project, choices, isDone }: BoardPlace,
): Promise<void> {
  const input = { projectId: project, contentId: issue };
  const added = await client.mutate<PutOnBoardMutation>(PUT_ON_BOARD, { input });
  const itemId = added.addProjectV2ItemById?.item?.id;
  // The next attempt adds it again and gets the same item.
  if (itemId === undefined)
    throw new LegionError('github.unavailable', 'GitHub does not show the item that it was asked to add');
  const steps = choices.map(({ fieldId, optionId }) => {
    const value = { singleSelectOptionId: optionId };
    return step('updateProjectV2ItemFieldValue', { projectId: project, itemId, fieldId, value });
  });
  // The status last: whoever finds it chosen takes the issue to be complete.
  const last = steps.slice(1).concat(steps.slice(0, 1));
  if (isDone) last.push(closing(issue));
  await makeChanges(client, 'ChooseColumn', last);
}

async function primaryBoard(room: Room): Promise<Fields> {
  await room.list(NEVER_ABORTED);
  const [board] = room.noticed()?.boards ?? [];
  if (board === undefined) throw new LegionError('github.missing', 'there is no board to put an issue on');
  return board;
}

function choiceOf({ id, options }: Field, name: string | undefined) {
  const option = options.find((each) => each.name === name);
  return id === undefined || option === undefined ? undefined : { fieldId: id, optionId: option.id };
}

function namesOf({ options }: Field): readonly string[] {
  return options.map(({ name }) => name);
}
