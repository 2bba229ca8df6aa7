/**
 * An unsaved edit. It is kept as differences, so that changes that others make in the meantime stay
 * visible and are not lost. Pure.
 */
import { isLabel } from '../../../../../src/core/model/label.ts';
import type { EditIssueRequest, IssueView } from '../../../../../src/protocol/board.ts';

interface PartChange<T> {
  /** Value before the person began to change it. */
  readonly from: T;
  readonly to: T;
}

interface ListChange {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

export interface IssueEdit {
  readonly title?: PartChange<IssueView['title']>;
  readonly body?: PartChange<IssueView['body']>;
  readonly priority?: PartChange<IssueView['priority']>;
  readonly labels: ListChange;
  readonly blockers: ListChange;
}

const TEXT_PARTS = ['title', 'body', 'priority'] as const;
export type TextPart = (typeof TEXT_PARTS)[number];

const NO_CHANGE: ListChange = { add: [], remove: [] };
export const NO_EDIT: IssueEdit = { labels: NO_CHANGE, blockers: NO_CHANGE };

export function setPart<Part extends TextPart>(
  edit: IssueEdit,
  issue: IssueView,
  part: Part,
  to: IssueView[Part],
): IssueEdit {
  const from = edit[part]?.from ?? issue[part];
  return { ...edit, [part]: { from, to } };
}

/** Returns the person's value, or the current value if the person did not change it. */
export function getPart<Part extends TextPart>(
  edit: IssueEdit,
  issue: IssueView,
  part: Part,
): IssueView[Part] {
  const change = edit[part] as PartChange<IssueView[Part]> | undefined;
  return change === undefined ? issue[part] : change.to;
}

/** Returns the parts that both the person and someone else changed, to different values. */
export function findConflicts(edit: IssueEdit, issue: IssueView): readonly TextPart[] {
  return TEXT_PARTS.filter((part) => {
    const change = edit[part];
    return change !== undefined && change.from !== issue[part] && isPartChanged(edit, issue, part);
  });
}

/** Resolves a conflict in favour of the person's value, which then replaces the current one. */
export function keepMine(edit: IssueEdit, issue: IssueView, part: TextPart): IssueEdit {
  return { ...edit, [part]: { from: issue[part], to: getPart(edit, issue, part) } };
}

export function takeTheirs(edit: IssueEdit, part: TextPart): IssueEdit {
  return { ...edit, [part]: undefined };
}

/**
 * Returns the labels that people may edit. Legion manages its own labels, so they are not part of
 * an edit.
 */
export function listOwnLabels({ labels }: IssueView): readonly string[] {
  return labels.filter((label) => !isLabel(label));
}

export function applyListChange(now: readonly string[], { add, remove }: ListChange): readonly string[] {
  return [...now.filter((each) => !remove.includes(each)), ...add.filter((each) => !now.includes(each))];
}

export function addTo(now: readonly string[], change: ListChange, text: string): ListChange {
  const name = text.trim();
  if (name === '' || applyListChange(now, change).includes(name)) return change;
  const remove = change.remove.filter((each) => each !== name);
  return { add: now.includes(name) ? change.add : [...change.add, name], remove };
}

export function removeFrom(now: readonly string[], change: ListChange, name: string): ListChange {
  const add = change.add.filter((each) => each !== name);
  return { add, remove: now.includes(name) ? [...change.remove, name] : change.remove };
}

/** Builds the request to the daemon. Returns undefined if nothing would change. */
export function toEditRequest(edit: IssueEdit, issue: IssueView): EditIssueRequest | undefined {
  const changed = TEXT_PARTS.filter((part) => isPartChanged(edit, issue, part));
  const hasLabels = edit.labels.add.length + edit.labels.remove.length > 0;
  const hasBlockers = edit.blockers.add.length + edit.blockers.remove.length > 0;
  if (changed.length === 0 && !hasLabels && !hasBlockers) return undefined;
  return {
    ...Object.fromEntries(changed.map((part) => [part, edit[part]?.to])),
    ...(changed.length === 0
      ? {}
      : { expected: Object.fromEntries(changed.map((part) => [part, edit[part]?.from])) }),
    ...(hasLabels ? { labels: copyChange(edit.labels) } : {}),
    ...(hasBlockers ? { blockers: copyChange(edit.blockers) } : {}),
  };
}

function isPartChanged(edit: IssueEdit, issue: IssueView, part: TextPart): boolean {
  return edit[part] !== undefined && edit[part].to !== issue[part];
}

function copyChange({ add, remove }: ListChange): { add: string[]; remove: string[] } {
  return { add: [...add], remove: [...remove] };
}
