/** An edit that is being written: kept as differences, so that what others change meanwhile stays visible and is not lost. Pure. */
import { isLabel } from '../../../../../src/domain/label.ts';
import type { EditIssueRequest, IssueView } from '../../../../../src/protocol/board.ts';

interface Change<T> {
  /** The value the person saw when they began to change it. */
  readonly from: T;
  readonly to: T;
}

interface ListChange {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

export interface IssueEdit {
  readonly title?: Change<IssueView['title']>;
  readonly body?: Change<IssueView['body']>;
  readonly priority?: Change<IssueView['priority']>;
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

/** The value as the person wants it; where they changed nothing, as it is now. */
export function partOf<Part extends TextPart>(
  edit: IssueEdit,
  issue: IssueView,
  part: Part,
): IssueView[Part] {
  const change = edit[part] as Change<IssueView[Part]> | undefined;
  return change === undefined ? issue[part] : change.to;
}

/** Parts that the person and somebody else changed, to different values. */
export function conflictsIn(edit: IssueEdit, issue: IssueView): readonly TextPart[] {
  return TEXT_PARTS.filter((part) => {
    const change = edit[part];
    return change !== undefined && change.from !== issue[part] && isPartChanged(edit, issue, part);
  });
}

/** The person's value replaces the one that is there now. */
export function keepMine(edit: IssueEdit, issue: IssueView, part: TextPart): IssueEdit {
  return { ...edit, [part]: { from: issue[part], to: partOf(edit, issue, part) } };
}

export function takeTheirs(edit: IssueEdit, part: TextPart): IssueEdit {
  return { ...edit, [part]: undefined };
}

/** Legion sets its own labels by what happens; they are not part of an edit. */
export function ownLabels({ labels }: IssueView): readonly string[] {
  return labels.filter((label) => !isLabel(label));
}

export function listed(now: readonly string[], { add, remove }: ListChange): readonly string[] {
  return [...now.filter((each) => !remove.includes(each)), ...add.filter((each) => !now.includes(each))];
}

export function addTo(now: readonly string[], change: ListChange, text: string): ListChange {
  const name = text.trim();
  if (name === '' || listed(now, change).includes(name)) return change;
  const remove = change.remove.filter((each) => each !== name);
  return { add: now.includes(name) ? change.add : [...change.add, name], remove };
}

export function removeFrom(now: readonly string[], change: ListChange, name: string): ListChange {
  const add = change.add.filter((each) => each !== name);
  return { add, remove: now.includes(name) ? [...change.remove, name] : change.remove };
}

/** What the daemon is asked for; undefined where nothing would change. */
export function requestOf(edit: IssueEdit, issue: IssueView): EditIssueRequest | undefined {
  const changed = TEXT_PARTS.filter((part) => isPartChanged(edit, issue, part));
  const hasLabels = edit.labels.add.length + edit.labels.remove.length > 0;
  const hasBlockers = edit.blockers.add.length + edit.blockers.remove.length > 0;
  if (changed.length === 0 && !hasLabels && !hasBlockers) return undefined;
  return {
    ...Object.fromEntries(changed.map((part) => [part, edit[part]?.to])),
    ...(changed.length === 0
      ? {}
      : { expected: Object.fromEntries(changed.map((part) => [part, edit[part]?.from])) }),
    ...(hasLabels ? { labels: copyOf(edit.labels) } : {}),
    ...(hasBlockers ? { blockers: copyOf(edit.blockers) } : {}),
  };
}

function isPartChanged(edit: IssueEdit, issue: IssueView, part: TextPart): boolean {
  return edit[part] !== undefined && edit[part].to !== issue[part];
}

function copyOf({ add, remove }: ListChange): { add: string[]; remove: string[] } {
  return { add: [...add], remove: [...remove] };
}
