/** A board as read from GitHub: the position of each issue, keyed by GitHub's ids. */

import type { GithubRefusal } from '../client/client.ts';
import { parseFirstTime } from '../client/time.ts';
import type { ItemPartsFragment, ProjectPartsFragment } from '../generated/tracker.ts';
import type { ParsedBoardPage } from './read-answer.ts';

/** A single-select field. It has no options if the board lacks the field. */
export interface ProjectField {
  readonly id: string | undefined;
  readonly options: readonly { readonly id: string; readonly name: string }[];
}

export interface ProjectFields {
  readonly project: string;
  readonly status: ProjectField;
  readonly priority: ProjectField;
}

/** An issue's position on one board. */
export interface BoardPlacement extends ProjectFields {
  readonly item: string;
  /** Name of the chosen status option. Empty if none is chosen. */
  readonly option: string;
  readonly priorityOption: string | undefined;
  /**
   * Time at which the status was chosen. If there is no status, the time at which the item was
   * added to the board.
   */
  readonly since: number;
}

export interface BoardView {
  readonly fields: ProjectFields;
  /** Keyed by the node id, in board order, without archived items. */
  readonly placements: ReadonlyMap<string, BoardPlacement>;
  /** Number of items that Legion does not have permission to see. */
  readonly redacted: number;
  /** Items whose issue GitHub refused to show, by item id. */
  readonly refused: ReadonlyMap<string, RefusedItem>;
  /** One error per malformed item. Such items are left out. */
  readonly malformed: readonly string[];
}

interface RefusedItem {
  readonly placement: BoardPlacement;
  readonly refusal: ItemRefusal;
}

/** Why GitHub does not show the issue of an item. */
export type ItemRefusal = Pick<GithubRefusal, 'code' | 'message'>;

export function toProjectFields({ id, status, priority }: ProjectPartsFragment): ProjectFields {
  return { project: id, status: toProjectField(status), priority: toProjectField(priority) };
}

export function toPlacement(item: ItemPartsFragment, fields: ProjectFields): BoardPlacement {
  const chosen = findOptionName(fields.status, item.status?.optionId);
  return {
    ...fields,
    item: item.id,
    option: chosen ?? '',
    priorityOption: findOptionName(fields.priority, item.priority?.optionId),
    since: parseFirstTime(chosen === undefined ? undefined : item.status?.updatedAt, item.createdAt) ?? 0,
  };
}

export function buildBoardView(
  project: ProjectPartsFragment,
  pages: readonly ParsedBoardPage[],
  refusals: ReadonlyMap<string, ItemRefusal>,
): BoardView {
  const fields = toProjectFields(project);
  const items = pages.flatMap(({ nodes }) => nodes);
  const placements = new Map<string, BoardPlacement>();
  const refused = new Map<string, RefusedItem>();
  for (const item of items) {
    if (item.isArchived) continue;
    const refusal = refusals.get(item.id);
    if (refusal !== undefined) refused.set(item.id, { placement: toPlacement(item, fields), refusal });
    else if (item.content?.__typename === 'Issue') placements.set(item.content.id, toPlacement(item, fields));
  }
  const hidden = items.filter(
    ({ type, content }) => type === 'REDACTED' || (type === 'ISSUE' && content === null),
  );
  const redacted = hidden.filter(({ id }) => !refusals.has(id)).length;
  const malformed = pages.flatMap((page) => page.malformed);
  return { fields, placements, redacted, refused, malformed };
}

/** Looks up the option by id, because a column may be renamed without any change to its items. */
function findOptionName({ options }: ProjectField, id: string | null | undefined): string | undefined {
  return options.find((option) => option.id === id)?.name;
}

function toProjectField(choices: ProjectPartsFragment['status']): ProjectField {
  return { id: choices?.id, options: choices?.options ?? [] };
}
