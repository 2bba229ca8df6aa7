/** The way through the list by keyboard, and where the focus goes when what had it has left. */
import { type FocusEvent, type RefObject, useEffect, useRef } from 'react';
import { useShortcut } from '../../keys/shortcuts.tsx';

interface ItemCursor {
  readonly list: RefObject<HTMLDivElement | null>;
  /** For the list: remembers who has the focus. */
  onFocus(event: FocusEvent): void;
}

/** `keys` are those of the items, in the order in which they stand. */
export function useItemCursor(keys: readonly string[]): ItemCursor {
  const list = useRef<HTMLDivElement>(null);
  const current = useRef<string>(undefined);
  const before = useRef(keys);

  const focusAt = (index: number) => {
    const key = keys[Math.max(0, Math.min(index, keys.length - 1))];
    const title =
      key === undefined ? undefined : itemOf(list.current, key)?.querySelector<HTMLElement>('[data-title]');
    (title ?? list.current)?.focus();
    title?.closest('[data-item]')?.scrollIntoView({ block: 'nearest' });
  };
  const step = (by: 1 | -1) => {
    const here = keys.indexOf(focusedKey(list.current) ?? '');
    focusAt(here === -1 ? 0 : here + by);
  };
  const does = (what: string) => {
    const key = focusedKey(list.current);
    const target =
      key === undefined
        ? null
        : itemOf(list.current, key)?.querySelector<HTMLElement>(`[data-does~="${what}"]`);
    if (target instanceof HTMLTextAreaElement) target.focus();
    else target?.click();
  };

  // After every answer: an element that is removed takes the focus with it, and nobody should have to look for it.
  useEffect(() => {
    const was = before.current;
    before.current = keys;
    const left = current.current;
    if (left === undefined || keys.includes(left) || !isNowhere()) return;
    current.current = undefined;
    focusAt(was.slice(0, was.indexOf(left)).filter((key) => keys.includes(key)).length);
  });

  const group = 'Inbox';
  useShortcut({ keys: 'j', says: 'Next item', group, run: () => step(1) });
  useShortcut({ keys: 'k', says: 'Previous item', group, run: () => step(-1) });
  useShortcut({ keys: 'ArrowDown', says: 'Next item', group, run: () => step(1) });
  useShortcut({ keys: 'ArrowUp', says: 'Previous item', group, run: () => step(-1) });
  useShortcut({ keys: 'a', says: 'Approve, or write the answer', group, run: () => does('a') });
  useShortcut({ keys: 'r', says: 'Resume', group, run: () => does('r') });

  return {
    list,
    onFocus: ({ target }) => {
      current.current = target.closest('[data-item]')?.getAttribute('data-item') ?? undefined;
    },
  };
}

function itemOf(list: HTMLElement | null, key: string): HTMLElement | null | undefined {
  return list?.querySelector<HTMLElement>(`[data-item="${CSS.escape(key)}"]`);
}

function focusedKey(list: HTMLElement | null): string | undefined {
  const item = document.activeElement?.closest('[data-item]') ?? null;
  return item !== null && list?.contains(item) ? (item.getAttribute('data-item') ?? undefined) : undefined;
}

/** Where the browser leaves it when the element that had it is gone. */
function isNowhere(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}
