/**
 * Groups the inbox items by kind: the most blocking kind first, and in each group the longest wait
 * first. Pure.
 */
import type { InboxItem } from '../../../../src/protocol/operator.ts';

type InboxKind = InboxItem['kind'];

export interface InboxGroup {
  readonly kind: InboxKind;
  readonly label: string;
  readonly items: readonly InboxItem[];
}

/**
 * Labels of the kinds, in the order of the groups. The order is fixed, so that items do not move
 * while they are being read.
 */
const GROUP_LABELS: Readonly<Record<InboxKind, string>> = {
  problem: 'Nothing can start',
  question: 'Questions',
  approval: 'Approvals',
  paused: 'Paused',
  escalation: 'Stuck until you act',
  clarification: 'Unclear issues',
  worker: 'Workers in an uncertain state',
  commands: 'Repository commands',
  message: 'Undelivered messages',
  budget: 'Budgets',
};

export function groupByKind(items: readonly InboxItem[]): readonly InboxGroup[] {
  const byKind = Map.groupBy(items, ({ kind }) => kind);
  return (Object.keys(GROUP_LABELS) as InboxKind[]).flatMap((kind) => {
    const members = byKind.get(kind);
    if (members === undefined) return [];
    return [{ kind, label: GROUP_LABELS[kind], items: members.toSorted((a, b) => a.since - b.since) }];
  });
}

/**
 * Returns a key that is stable between refreshes, so that drafts stay with their items. The key
 * does not contain the start of the wait, because every decision sets it again. Messages are the
 * exception: their keys contain the start of the wait, because nothing else distinguishes them.
 */
export function toItemKey({ kind, issue, question, since, title, next }: InboxItem): string {
  return [kind, issue ?? title, question ?? (kind === 'message' ? since : next)].join(' ');
}
