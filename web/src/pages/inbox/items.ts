/** The items to show: those of the daemon, and those that were settled elsewhere while somebody was writing to them. */
import { useState } from 'react';
import type { InboxItem } from '../../../../src/protocol/operator.ts';
import { hasDraft } from '../../drafts/draft.ts';
import { keyOf } from './groups.ts';

export interface Items {
  readonly all: readonly InboxItem[];
  /** Nothing waits for it any more; what was written is kept until it is discarded. */
  isOver(item: InboxItem): boolean;
  discard(item: InboxItem): void;
}

export function useItems(present: readonly InboxItem[]): Items {
  const [{ before, over }, setKnown] = useState<Known>({ before: present, over: [] });
  if (present !== before) setKnown({ before: present, over: overNow(present, [...over, ...before]) });
  return {
    all: over.length === 0 ? present : [...present, ...over],
    isOver: (item) => over.some((each) => keyOf(each) === keyOf(item)),
    discard: (item) =>
      setKnown((known) => ({ ...known, over: known.over.filter((each) => keyOf(each) !== keyOf(item)) })),
  };
}

interface Known {
  readonly before: readonly InboxItem[];
  readonly over: readonly InboxItem[];
}

/** What was sent has no draft any more, and leaves. */
function overNow(present: readonly InboxItem[], known: readonly InboxItem[]): readonly InboxItem[] {
  const there = new Set(present.map(keyOf));
  const gone = new Map(known.map((item) => [keyOf(item), item]));
  return [...gone].flatMap(([key, item]) => (!there.has(key) && hasDraft(key) ? [item] : []));
}
