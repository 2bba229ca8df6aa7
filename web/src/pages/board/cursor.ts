/** The way from card to card by keyboard, also to cards that are not drawn yet. */
import { type RefCallback, useRef } from 'react';
import type { Card } from '../../../../src/protocol/dashboard.ts';
import type { VirtualListHandle } from '../../components/virtual-list.tsx';
import { useShortcut } from '../../keys/shortcuts.tsx';
import type { OpenMenu } from './card-menu.tsx';
import type { Column } from './columns.ts';
import { nextCard, type Step } from './next-card.ts';

/** A row that was scrolled to is drawn within a frame or two; after these it is not coming. */
const FRAMES_MOST = 12;

interface CursorOptions {
  readonly onMenu: ((open: OpenMenu) => void) | undefined;
  readonly onAdd: (() => void) | undefined;
}

/** Returns, for each column, the ref of its list. */
export function useCursor(columns: readonly Column[], { onMenu, onAdd }: CursorOptions) {
  const lists = useRef(new Map<string, VirtualListHandle>());
  const refs = useRef(new Map<string, RefCallback<VirtualListHandle>>());

  const go = (step: Step) => {
    const open = columns.filter(({ key }) => lists.current.has(key));
    const target = nextCard(open, focusedId(), step);
    if (target === undefined) return;
    lists.current.get(target.column)?.show(target.index);
    focusSoon(target.card.id, FRAMES_MOST);
  };
  const menu = () => {
    const card = find(columns, focusedId());
    const anchor = document.activeElement;
    if (card !== undefined && anchor instanceof HTMLElement) onMenu?.({ card, anchor, isMoving: true });
  };

  const group = 'Board';
  useShortcut({ keys: 'j', says: 'Next card', group, run: () => go('down') });
  useShortcut({ keys: 'k', says: 'Previous card', group, run: () => go('up') });
  useShortcut({ keys: 'ArrowDown', says: 'Next card', group, run: () => go('down') });
  useShortcut({ keys: 'ArrowUp', says: 'Previous card', group, run: () => go('up') });
  useShortcut({ keys: 'ArrowRight', says: 'Next column', group, run: () => go('right') });
  useShortcut({ keys: 'ArrowLeft', says: 'Previous column', group, run: () => go('left') });
  useShortcut({ keys: 'm', says: 'Move the card to …', group, run: menu });
  useShortcut({ keys: 'n', says: 'New issue', group, run: () => onAdd?.() });

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

function focusedId(): string | undefined {
  const card = document.activeElement?.closest('[data-in-card]');
  return card?.getAttribute('data-in-card') ?? undefined;
}

function find(columns: readonly Column[], id: string | undefined): Card | undefined {
  return columns.flatMap(({ cards }) => cards).find((card) => card.id === id);
}

function focusSoon(id: string, frames: number): void {
  const element = document.querySelector<HTMLElement>(`[data-card="${CSS.escape(id)}"]`);
  if (element !== null) element.focus();
  else if (frames > 0) requestAnimationFrame(() => focusSoon(id, frames - 1));
}
