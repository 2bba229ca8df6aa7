/**
 * Menu of actions on a card, for use without opening the issue. Includes everything that dragging
 * does.
 */
import { useState } from 'react';
import { Menu, type MenuItem } from '../../components/menu.tsx';
import { useToasts } from '../../components/toast.tsx';
import { openPage } from '../../router/location.ts';
import type { OpenMenu } from './card-view.tsx';
import type { BoardColumn } from './columns.ts';
import { toIssuePath } from './issue-path.ts';
import type { CardMove } from './move.ts';

interface CardMenuProps {
  readonly open: OpenMenu;
  readonly columns: readonly BoardColumn[];
  onMove(move: CardMove): void;
  onClose(): void;
}

export function CardMenu({ open, columns, onMove, onClose }: CardMenuProps) {
  const { card, anchor } = open;
  const [isMoving, setIsMoving] = useState(open.isMoving);
  const toasts = useToasts();
  if (isMoving) {
    const current = columns.find(({ cards }) => cards.some(({ id }) => id === card.id));
    const items = columns.flatMap(({ key, name, status }): MenuItem[] => {
      if (status === undefined) return [];
      const run = () => {
        if (current !== undefined && current.key !== key)
          onMove({ id: card.id, from: current, to: { status, name } });
      };
      return [{ id: key, label: name, isChosen: key === current?.key, run }];
    });
    return <Menu key="columns" name={`Move ${card.id} to`} anchor={anchor} items={items} onClose={onClose} />;
  }
  const items: readonly MenuItem[] = [
    { id: 'open', label: 'Open', run: () => openPage(toIssuePath(card.id)) },
    { id: 'move', label: 'Move to…', staysOpen: true, run: () => setIsMoving(true) },
    {
      id: 'copy',
      label: 'Copy id',
      run: () => {
        navigator.clipboard.writeText(card.id).then(
          () => toasts.show(`${card.id} copied`),
          (error: Error) => toasts.showError('Nothing was copied', error),
        );
      },
    },
  ];
  return <Menu key="first" name={`Actions for ${card.id}`} anchor={anchor} items={items} onClose={onClose} />;
}
