/** A board as it was read: where each issue stands on it, by the ids of GitHub. */

import { timeOf } from '../../github/time.ts';
import type { ChoicesAnswer, IssueHead, ItemAnswer, PageAnswer, ProjectAnswer } from './answers.ts';

interface Choice {
  readonly id: string;
  readonly name: string;
}

/** A field with options; a board without it has no options to choose from. */
export interface Field {
  readonly id: string | undefined;
  readonly options: readonly Choice[];
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
}

export function fieldsIn({ id, status, priority }: ProjectAnswer): Fields {
  return { project: id, status: fieldIn(status), priority: fieldIn(priority) };
}

export function placementIn(item: ItemAnswer, fields: Fields): Placement {
  const { optionId, updatedAt } = item.status ?? {};
  const chosen = nameOf(fields.status, optionId);
  return {
    ...fields,
    item: item.id,
    option: chosen ?? '',
    priorityOption: nameOf(fields.priority, item.priority?.optionId),
    since: timeOf(chosen === undefined ? item.createdAt : (updatedAt ?? item.createdAt)),
  };
}

export function viewOf<T extends IssueHead>(
  project: ProjectAnswer,
  pages: readonly PageAnswer<T>[],
): BoardView {
  const fields = fieldsIn(project);
  const items = pages.flatMap(({ nodes }) => nodes);
  const placements = new Map<string, Placement>();
  for (const item of items) {
    if (item.isArchived || item.content?.__typename !== 'Issue') continue;
    placements.set((item.content as IssueHead).id, placementIn(item, fields));
  }
  return { fields, placements, redacted: items.filter(({ type }) => type === 'REDACTED').length };
}

/** The option is known by its id: a column may be renamed while nothing on it changes. */
function nameOf({ options }: Field, id: string | null | undefined): string | undefined {
  return options.find((option) => option.id === id)?.name;
}

function fieldIn(choices: ChoicesAnswer | null): Field {
  return { id: choices?.id, options: choices?.options ?? [] };
}
