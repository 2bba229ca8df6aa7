/**
 * Keyboard navigation through the inbox, and recovery of the focus when the focused element
 * disappears.
 */
import { type FocusEvent, type RefObject, useEffect, useRef } from 'react';
import { useShortcut } from '../../keys/shortcuts.tsx';

interface ItemCursor {
  readonly list: RefObject<HTMLDivElement | null>;
  /** Handler for the list. Remembers the focused element. */
  onFocus(event: FocusEvent): void;
}

/** `keys` are the items' keys in display order. */
export function useItemCursor(keys: readonly string[]): ItemCursor {
  const list = useRef<HTMLDivElement>(null);
  const current = useRef<string>(undefined);
  const before = useRef(keys);

  const focusAt = (index: number) => {
    const key = keys[Math.max(0, Math.min(index, keys.length - 1))];
    const title =
      key === undefined ? undefined : findItem(list.current, key)?.querySelector<HTMLElement>('[data-title]');
    (title ?? list.current)?.focus();
    title?.closest('[data-item]')?.scrollIntoView({ block: 'nearest' });
  };
  const step = (by: 1 | -1) => {
    const index = keys.indexOf(findFocusedKey(list.current) ?? '');
    focusAt(index === -1 ? 0 : index + by);
  };
  const runControl = (control: string) => {
    const key = findFocusedKey(list.current);
    const target =
      key === undefined
        ? null
        : findItem(list.current, key)?.querySelector<HTMLElement>(`[data-does~="${control}"]`);
    if (target instanceof HTMLTextAreaElement) target.focus();
    else target?.click();
  };

  // Runs after every response. If the focused element was removed, moves the focus to a neighbour.
  useEffect(() => {
    const previous = before.current;
    before.current = keys;
    const left = current.current;
    if (left === undefined || keys.includes(left) || !isNowhere()) return;
    current.current = undefined;
    focusAt(previous.slice(0, previous.indexOf(left)).filter((key) => keys.includes(key)).length);
  });

  const group = 'Inbox';
  useShortcut({ keys: 'j', label: 'Next item', group, run: () => step(1) });
  useShortcut({ keys: 'k', label: 'Previous item', group, run: () => step(-1) });
  useShortcut({ keys: 'ArrowDown', label: 'Next item', group, run: () => step(1) });
  useShortcut({ keys: 'ArrowUp', label: 'Previous item', group, run: () => step(-1) });
  useShortcut({ keys: 'a', label: 'Approve, or write an answer', group, run: () => runControl('a') });
  useShortcut({ keys: 'r', label: 'Resume', group, run: () => runControl('r') });

  return {
    list,
    onFocus: ({ target }) => {
      current.current = target.closest('[data-item]')?.getAttribute('data-item') ?? undefined;
    },
  };
}

function findItem(list: HTMLElement | null, key: string): HTMLElement | null | undefined {
  return list?.querySelector<HTMLElement>(`[data-item="${CSS.escape(key)}"]`);
}

function findFocusedKey(list: HTMLElement | null): string | undefined {
  const item = document.activeElement?.closest('[data-item]') ?? null;
  return item !== null && list?.contains(item) ? (item.getAttribute('data-item') ?? undefined) : undefined;
}

/**
 * Returns whether the focus is on the body, where the browser puts it when the focused element is
 * removed.
 */
function isNowhere(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}
