/** Moves from card to card by keyboard, even to cards that are not rendered yet. */
import { type RefCallback, useRef } from 'react';
import type { DashboardCard } from '../../../../src/protocol/dashboard.ts';
import type { VirtualListHandle } from '../../components/virtual-list.tsx';
import { useShortcut } from '../../keys/shortcuts.tsx';
import type { OpenMenu } from './card-view.tsx';
import type { BoardColumn } from './columns.ts';
import { type CursorStep, findNextCard } from './next-card.ts';

/**
 * A row is rendered within a frame or two after scrolling to it. If it is not rendered after this
 * many frames, it will not appear.
 */
const MAX_FOCUS_FRAMES = 12;

interface CursorOptions {
  readonly onMenu: ((open: OpenMenu) => void) | undefined;
  readonly onAdd: (() => void) | undefined;
}

/** Registers the board's shortcuts. Returns a function that maps a column to the ref of its list. */
export function useCursor(columns: readonly BoardColumn[], { onMenu, onAdd }: CursorOptions) {
  const lists = useRef(new Map<string, VirtualListHandle>());
  const refs = useRef(new Map<string, RefCallback<VirtualListHandle>>());

  const moveFocus = (step: CursorStep) => {
    const open = columns.filter(({ key }) => lists.current.has(key));
    const target = findNextCard(open, findFocusedId(), step);
    if (target === undefined) return;
    lists.current.get(target.column)?.show(target.index);
    retryFocus(target.card.id, MAX_FOCUS_FRAMES);
  };
  const openMenu = () => {
    const card = findCard(columns, findFocusedId());
    const anchor = document.activeElement;
    if (card !== undefined && anchor instanceof HTMLElement) onMenu?.({ card, anchor, isMoving: true });
  };

  const group = 'Board';
  useShortcut({ keys: 'j', label: 'Next card', group, run: () => moveFocus('down') });
  useShortcut({ keys: 'k', label: 'Previous card', group, run: () => moveFocus('up') });
  useShortcut({ keys: 'ArrowDown', label: 'Next card', group, run: () => moveFocus('down') });
  useShortcut({ keys: 'ArrowUp', label: 'Previous card', group, run: () => moveFocus('up') });
  useShortcut({ keys: 'ArrowRight', label: 'Next column', group, run: () => moveFocus('right') });
  useShortcut({ keys: 'ArrowLeft', label: 'Previous column', group, run: () => moveFocus('left') });
  useShortcut({ keys: 'm', label: 'Move the card to…', group, run: openMenu });
  useShortcut({ keys: 'n', label: 'New issue', group, run: () => onAdd?.() });

  return (key: string): RefCallback<VirtualListHandle> => {
    const known = refs.current.get(key);
    if (known !== undefined) return known;
    const ref = (handle: VirtualListHandle | null) => {
      if (handle === null) lists.current.delete(key);
      else lists.current.set(key, handle);
    };
    refs.current.set(key, ref);
    return ref;
  };
}

function findFocusedId(): string | undefined {
  const card = document.activeElement?.closest('[data-in-card]');
  return card?.getAttribute('data-in-card') ?? undefined;
}

function findCard(columns: readonly BoardColumn[], id: string | undefined): DashboardCard | undefined {
  return columns.flatMap(({ cards }) => cards).find((card) => card.id === id);
}

function retryFocus(id: string, frames: number): void {
  const element = document.querySelector<HTMLElement>(`[data-card="${CSS.escape(id)}"]`);
  if (element !== null) element.focus();
  else if (frames > 0) requestAnimationFrame(() => retryFocus(id, frames - 1));
}
