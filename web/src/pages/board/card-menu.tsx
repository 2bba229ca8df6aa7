/** What can be done with a card without opening it: above all, everything that dragging does. */
import { useState } from 'react';
import type { Card } from '../../../../src/protocol/dashboard.ts';
import { Menu, type MenuItem } from '../../components/menu.tsx';
import { useToasts } from '../../components/toast.tsx';
import { go } from '../../router/location.ts';
import type { Column } from './columns.ts';
import { issuePath } from './issue-path.ts';
import type { Move } from './move.ts';

export interface OpenMenu {
  readonly card: Card;
  readonly anchor: HTMLElement;
  /** Straight to the columns, as the key `m` wants it. */
  readonly isMoving: boolean;
}

interface CardMenuProps {
  readonly open: OpenMenu;
  readonly columns: readonly Column[];
  onMove(move: Move): void;
  onClose(): void;
}

export function CardMenu({ open, columns, onMove, onClose }: CardMenuProps) {
  const { card, anchor } = open;
  const [isMoving, setIsMoving] = useState(open.isMoving);
  const toasts = useToasts();
  if (isMoving) {
    const here = columns.find(({ cards }) => cards.some(({ id }) => id === card.id));
    const items = columns.flatMap(({ key, name, status }): MenuItem[] => {
      if (status === undefined) return [];
      const run = () => {
        if (here !== undefined && here.key !== key) onMove({ id: card.id, from: here, to: { status, name } });
      };
      return [{ id: key, says: name, isChosen: key === here?.key, run }];
    });
    return <Menu key="columns" name={`Move ${card.id} to`} anchor={anchor} items={items} onClose={onClose} />;
  }
  const items: readonly MenuItem[] = [
    { id: 'open', says: 'Open', run: () => go(issuePath(card.id)) },
    { id: 'move', says: 'Move to…', staysOpen: true, run: () => setIsMoving(true) },
    {
      id: 'copy',
      says: 'Copy id',
      run: () => {
        navigator.clipboard.writeText(card.id).then(
          () => toasts.say(`${card.id} copied`),
          (error: Error) => toasts.complain('Nothing was copied', error),
        );
      },
    },
  ];
  return (
    <Menu key="first" name={`What to do with ${card.id}`} anchor={anchor} items={items} onClose={onClose} />
  );
}
