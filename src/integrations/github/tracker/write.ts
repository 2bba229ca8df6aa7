/** Writes one step's label changes and move. Sends only the differences, all in one request. */

import { LegionError } from '../../../core/model/fault.ts';
import type { IssueId } from '../../../core/model/ids.ts';
import { filterLabelChange } from '../../../core/model/label.ts';
import { type ColumnNames, findColumn, readStatus, type Status } from '../../../core/model/status.ts';
import type { IssueChange } from '../../../ports/tracker.ts';
import { toLabelNames } from '../../tracker-support/issue-input.ts';
import { createStep, type MutationStep, makeChanges } from '../client/graphql-answer.ts';
import { createLabelSteps, toLabelKey } from '../client/repository-labels.ts';
import { isDone } from './board-fields.ts';
import type { BoardPlacement } from './board-view.ts';
import type { GithubTrackerContext } from './context.ts';
import { type GithubIssueSnapshot, requireIssueSnapshot } from './issue-snapshot.ts';

export async function writeIssueChange(
  context: GithubTrackerContext,
  id: IssueId,
  change: IssueChange,
): Promise<void> {
  const snapshot = await requireIssueSnapshot(context, id);
  const { repository } = snapshot.content.answer;
  // Checked before the label lookup. If the column is missing, the board must stay unchanged, but
  // the lookup may create labels.
  const moves = change.moveTo === undefined ? [] : planMoveSteps(change.moveTo, snapshot, context.columns());
  const labels = await planLabelSteps(context, snapshot, change);
  const steps = [...labels, ...moves];
  try {
    await makeChanges(context.client, 'LegionWrites', steps);
  } catch (error) {
    // A label may have been deleted and created again with another id.
    context.labels.forget(repository);
    throw error;
  }
}

async function planLabelSteps(
  context: GithubTrackerContext,
  { content }: GithubIssueSnapshot,
  { labels }: IssueChange,
): Promise<readonly MutationStep[]> {
  const { id, repository } = content.answer;
  const { add, remove } = filterLabelChange(new Set(toLabelNames(content.labels)), labels);
  const removed: readonly string[] = remove;
  const removedIds = content.labels
    .filter(({ name }) => removed.includes(toLabelKey(name)))
    .map((label) => label.id);
  const addedIds = add.length === 0 ? [] : (await context.labels.idsOf(repository, add)).labels;
  return createLabelSteps(id, removedIds, addedIds);
}

/**
 * Returns the steps of a move. An issue moved to Done is closed as completed unless the merge has
 * already closed it. If Legion closed an issue, Legion may move it back, which reopens it; only a
 * person's move reopens an issue that a merge or a person closed. If Legion uses the operator's own
 * token, it cannot tell the operator from itself.
 */
function planMoveSteps(
  status: Status,
  snapshot: GithubIssueSnapshot,
  names: ColumnNames,
): readonly MutationStep[] {
  const { content, placements, closedByLegion } = snapshot;
  const { id, closedAt } = content.answer;
  const moves = buildColumnSteps(status, snapshot, names);
  if (status === 'Done') return closedAt === null ? [...moves, createCloseStep(id)] : moves;
  const shouldReopen = closedAt !== null && closedByLegion && isDone(placements[0].option, names);
  return shouldReopen ? [...moves, createStep('reopenIssue', { issueId: id })] : moves;
}

/**
 * Builds the steps that move an issue into a column on every board that has both the issue and the
 * column. Throws if the first board lacks the column. Other boards without it stay unchanged.
 */
export function buildColumnSteps(
  status: Status,
  { placements }: Pick<GithubIssueSnapshot, 'placements'>,
  names: ColumnNames,
): readonly MutationStep[] {
  const [counting] = placements;
  return placements.flatMap((placement) => buildColumnStep(placement, status, names, placement === counting));
}

export function createCloseStep(issueId: string): MutationStep {
  return createStep('closeIssue', { issueId, stateReason: 'COMPLETED' });
}

function buildColumnStep(
  { project, item, status: field, option }: BoardPlacement,
  status: Status,
  names: ColumnNames,
  mustHave: boolean,
): readonly MutationStep[] {
  const options = field.options.map(({ name }) => name);
  const wanted = findColumn(status, options, names);
  if (wanted === undefined && !mustHave) return [];
  if (wanted === undefined || field.id === undefined)
    throw new LegionError('tracker.column_missing', describeMissingColumn(status, options));
  // Skips the write if the current option already means this status, because writing it would reset
  // the time of entry.
  if (readStatus(option, names) === status) return [];
  const chosen = field.options.find(({ name }) => name === wanted);
  const value = { singleSelectOptionId: chosen?.id };
  return [
    createStep('updateProjectV2ItemFieldValue', {
      projectId: project,
      itemId: item,
      fieldId: field.id,
      value,
    }),
  ];
}

function describeMissingColumn(status: Status, options: readonly string[]): string {
  return `The board has no column for ${status}. Columns: ${options.join(', ') || 'none'}`;
}
