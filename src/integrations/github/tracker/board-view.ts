/** A board as it was read: where each issue stands on it, by the ids of GitHub. */

import type { Refusal } from '../../../github/client.ts';
import { firstTime } from '../../../github/time.ts';
import type { ReadPage } from '../../../trackers/github/read-item.ts';
import type { ItemPartsFragment, ProjectPartsFragment } from '../generated/tracker.ts';

/** A field with options; a board without it has no options to choose from. */
export interface Field {
  readonly id: string | undefined;
  readonly options: readonly { readonly id: string; readonly name: string }[];
}

export interface Fields {
  readonly project: string;
  readonly status: Field;
  readonly priority: Field;
}

/** An issue's place on one board. */
export interface Placement extends Fields {
  readonly item: string;
  /** The names of the options; empty where none is chosen. */
  readonly option: string;
  readonly priorityOption: string | undefined;
  /** When the status was chosen, or if none is, when the item came to the board. */
  readonly since: number;
}

export interface BoardView {
  readonly fields: Fields;
  /** By the node id of the issue, in the order of the board; archived items are not on it. */
  readonly placements: ReadonlyMap<string, Placement>;
  /** Items that are there but may not be seen. */
  readonly redacted: number;
  /** Those whose issue GitHub refused to show, by the id of the item. */
  readonly refused: ReadonlyMap<string, RefusedItem>;
  /** What is wrong with items that do not have the form of one. */
  readonly malformed: readonly string[];
}

interface RefusedItem {
  readonly placement: Placement;
  readonly refusal: ItemRefusal;
}

/** Why GitHub does not show the issue of an item. */
export type ItemRefusal = Pick<Refusal, 'code' | 'message'>;

export function fieldsIn({ id, status, priority }: ProjectPartsFragment): Fields {
  return { project: id, status: fieldIn(status), priority: fieldIn(priority) };
}

export function placementIn(item: ItemPartsFragment, fields: Fields): Placement {
  const chosen = nameOf(fields.status, item.status?.optionId);
  return {
    ...fields,
    item: item.id,
    option: chosen ?? '',
    priorityOption: nameOf(fields.priority, item.priority?.optionId),
    since: firstTime(chosen === undefined ? undefined : item.status?.updatedAt, item.createdAt) ?? 0,
  };
}

export function viewOf(
  project: ProjectPartsFragment,
  pages: readonly ReadPage[],
  refusals: ReadonlyMap<string, ItemRefusal>,
): BoardView {
  const fields = fieldsIn(project);
  const items = pages.flatMap(({ nodes }) => nodes);
  const placements = new Map<string, Placement>();
  const refused = new Map<string, RefusedItem>();
  for (const item of items) {
    if (item.isArchived) continue;
    const refusal = refusals.get(item.id);
    if (refusal !== undefined) refused.set(item.id, { placement: placementIn(item, fields), refusal });
    else if (item.content?.__typename === 'Issue') placements.set(item.content.id, placementIn(item, fields));
  }
  const hidden = items.filter(
    ({ type, content }) => type === 'REDACTED' || (type === 'ISSUE' && content === null),
  );
  const redacted = hidden.filter(({ id }) => !refusals.has(id)).length;
  const malformed = pages.flatMap((page) => page.malformed);
  return { fields, placements, redacted, refused, malformed };
}

/** The option is known by its id: a column may be renamed while nothing on it changes. */
function nameOf({ options }: Field, id: string | null | undefined): string | undefined {
  return options.find((option) => option.id === id)?.name;
}

function fieldIn(choices: ProjectPartsFragment['status']): Field {
  return { id: choices?.id, options: choices?.options ?? [] };
}
