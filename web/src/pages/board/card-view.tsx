/** One issue as a card: what a person wants to know of it without opening it. */

import { type DragEvent, type MouseEvent, memo } from 'react';
import { Link } from 'wouter';
import type { Card } from '../../../../src/protocol/dashboard.ts';
import { IconButton } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { Money } from '../../components/money.tsx';
import { Time } from '../../components/time.tsx';
import { plain } from '../../text/plain.ts';
import { CardMarks } from './card-marks.tsx';
import type { OpenMenu } from './card-menu.tsx';
import { CardWork } from './card-work.tsx';
import { issuePath } from './issue-path.ts';
import { PriorityMark } from './priority-mark.tsx';

interface CardViewProps {
  readonly card: Card;
  readonly asOf: number | undefined;
  /** Undefined where nothing can be moved. */
  readonly onDrag: ((card: Card | null) => void) | undefined;
  readonly onMenu: ((open: OpenMenu) => void) | undefined;
}

export const CardView = memo(function CardView({ card, asOf, onDrag, onMenu }: CardViewProps) {
  const { id, title, priority, needsYou, since, spentUsd } = card;
  const begin = (event: DragEvent) => {
    event.dataTransfer.setData('text/plain', id);
    event.dataTransfer.effectAllowed = 'move';
    onDrag?.(card);
  };
  const openMenu = ({ currentTarget }: MouseEvent<HTMLElement>) =>
    onMenu?.({ card, anchor: currentTarget, isMoving: false });
  return (
    <article
      className={needsYou ? 'card needs-you' : 'card'}
      data-in-card={id}
      draggable={onDrag !== undefined}
      onDragStart={begin}
      onDragEnd={() => onDrag?.(null)}
    >
      <div className="card-head">
        <span className="card-name">
          <PriorityMark priority={priority} />
          <span className="card-id">{id}</span>
        </span>
        {needsYou && (
          <span className="card-needs">
            <Icon name="bell" size={13} /> needs you
          </span>
        )}
        {since !== null && (
          <span className="card-since">
            <Time at={since} asOf={asOf} />
            <span className="unseen"> in this column</span>
          </span>
        )}
        {onMenu !== undefined && (
          <IconButton
            icon="more"
            name={`Actions for ${id}`}
            className="card-more"
            aria-haspopup="menu"
            onClick={openMenu}
          />
        )}
      </div>
      <Link to={issuePath(id)} className="card-title" data-card={id} draggable={false} dir="auto">
        {plain(title)}
      </Link>
      <CardWork card={card} asOf={asOf} />
      <div className="card-foot">
        <CardMarks card={card} />
        {spentUsd > 0 && <Money usd={spentUsd} />}
      </div>
    </article>
  );
});
