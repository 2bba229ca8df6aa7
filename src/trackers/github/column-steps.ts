/** What moves an issue into a column: on every board that has the issue and the column, by the board's own option. */
import { LegionError } from '../../core/model/fault.ts';
import { type ColumnNames, columnFor, readStatus, type Status } from '../../core/model/status.ts';
import { type Step, step } from '../../github/in-one-request.ts';
import type { Placement } from '../../integrations/github/tracker/board-view.ts';
import type { Sighting } from './sight.ts';

/** The board that counts must have the column; others are left as they are where they have none. */
export function columnSteps(
  status: Status,
  { placements }: Pick<Sighting, 'placements'>,
  names: ColumnNames,
): readonly Step[] {
  const [counting] = placements;
  return placements.flatMap((placement) => stepOn(placement, status, names, placement === counting));
}

export function closing(issueId: string): Step {
  return step('closeIssue', { issueId, stateReason: 'COMPLETED' });
}

function stepOn(
  { project, item, status: field, option }: Placement,
  status: Status,
  names: ColumnNames,
  mustHave: boolean,
): readonly Step[] {
  const options = field.options.map(({ name }) => name);
  const wanted = columnFor(status, options, names);
  if (wanted === undefined && !mustHave) return [];
  if (wanted === undefined || field.id === undefined)
    throw new LegionError('tracker.column_missing', missing(status, options));
  // Another name of the same status is the same; and writing the same again would be entering the column again.
  if (readStatus(option, names) === status) return [];
  const chosen = field.options.find(({ name }) => name === wanted);
  const value = { singleSelectOptionId: chosen?.id };
  return [
    step('updateProjectV2ItemFieldValue', { projectId: project, itemId: item, fieldId: field.id, value }),
  ];
}

function missing(status: Status, options: readonly string[]): string {
  return `the board has no column for ${status}, only ${options.join(', ') || 'none at all'}`;
}
