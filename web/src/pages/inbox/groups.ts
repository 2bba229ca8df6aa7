/** The list by kind: what holds up work most stands first, and in each group what has waited longest. Pure. */
import type { InboxItem } from '../../../../src/protocol/operator.ts';

type Kind = InboxItem['kind'];

export interface Group {
  readonly kind: Kind;
  readonly says: string;
  readonly items: readonly InboxItem[];
}

/** A fixed order, so that what one reads does not move because something elsewhere grew older. */
const WORDS: Readonly<Record<Kind, string>> = {
  problem: 'Nothing can start',
  question: 'Questions',
  approval: 'Approvals',
  paused: 'Paused',
  escalation: 'Stuck without you',
  clarification: 'Not clear enough',
  worker: 'Workers in doubt',
  commands: 'Commands of repositories',
  message: 'Messages set aside',
  budget: 'Budgets',
};

export function groupsOf(items: readonly InboxItem[]): readonly Group[] {
  const byKind = Map.groupBy(items, ({ kind }) => kind);
  return (Object.keys(WORDS) as Kind[]).flatMap((kind) => {
    const members = byKind.get(kind);
    if (members === undefined) return [];
    return [{ kind, says: WORDS[kind], items: members.toSorted((a, b) => a.since - b.since) }];
  });
}

/**
 * The same thing keeps its key from one answer to the next, and with it what was written to it. Its age is no part of it, for that
 * begins anew with each decision; only messages have nothing else that tells them apart.
 */
export function keyOf({ kind, issue, question, since, title, next }: InboxItem): string {
  return [kind, issue ?? title, question ?? (kind === 'message' ? since : next)].join(' ');
}
