/**
 * One column: its name and count, a drop target, and its cards. Only the visible cards are
 * rendered.
 */
import { type DragEvent, memo, type Ref, useState } from 'react';
import type { DashboardCard } from '../../../../src/protocol/dashboard.ts';
import { IconButton } from '../../components/button.tsx';
import { VirtualList, type VirtualListHandle } from '../../components/virtual-list.tsx';
import { CardView, type OpenMenu } from './card-view.tsx';
import type { BoardColumn } from './columns.ts';
import { QuickAdd } from './quick-add.tsx';

/** Height of a typical card: a title of one or two lines, a worker line and a line of badges. */
const ESTIMATED_CARD_PX = 104;
const GAP_PX = 6;

interface ColumnViewProps {
  readonly column: BoardColumn;
  /** Number of cards without the filter. */
  readonly total: number;
  readonly isFiltered: boolean;
  readonly isNarrow: boolean;
  onCollapse(key: string, choice: 'open' | 'narrow'): void;
  readonly asOf: number | undefined;
  readonly listRef: Ref<VirtualListHandle>;
  readonly dragged: DashboardCard | null;
  readonly onDrag: ((card: DashboardCard | null) => void) | undefined;
  onDrop(column: BoardColumn): void;
  readonly onMenu: ((open: OpenMenu) => void) | undefined;
  readonly isAdding: boolean;
  /** Undefined if issues cannot be added. */
  readonly onAdding: ((key: string | null) => void) | undefined;
}

export const ColumnView = memo(function ColumnView(props: ColumnViewProps) {
  const { column, total, isFiltered, isNarrow, onCollapse, dragged, onDrop } = props;
  const [isOver, setIsOver] = useState(false);
  const isDropTarget = dragged !== null && column.status !== undefined && dragged.status !== column.status;
  const count = isFiltered ? `${column.cards.length} of ${total}` : String(total);

  const dropHandlers = {
    onDragOver: (event: DragEvent) => {
      if (!isDropTarget) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'move';
      setIsOver(true);
    },
    onDragLeave: (event: DragEvent<HTMLElement>) => {
      if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setIsOver(false);
    },
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      setIsOver(false);
      onDrop(column);
    },
  };
  const classNames = [
    'column',
    isNarrow && 'is-narrow',
    isDropTarget && 'takes',
    isDropTarget && isOver && 'is-over',
  ];
  return (
    <section
      className={classNames.filter(Boolean).join(' ')}
      aria-label={`${column.name}, ${count}`}
      {...dropHandlers}
    >
      {isNarrow ? (
        <button
          type="button"
          className="column-strip"
          aria-expanded={false}
          title={`Expand ${column.name}`}
          onClick={() => onCollapse(column.key, 'open')}
        >
          <span className="column-count">{column.cards.length}</span>
          <span className="column-name">{column.name}</span>
        </button>
      ) : (
        <OpenColumn {...props} count={count} />
      )}
    </section>
  );
});

function OpenColumn({ count, ...props }: ColumnViewProps & { readonly count: string }) {
  const { column, onCollapse, asOf, listRef, onDrag, onMenu, isAdding, onAdding, isFiltered } = props;
  return (
    <>
      <header className="column-head">
        <h2 className="column-name">{column.name}</h2>
        <span className="column-count">{count}</span>
        {onAdding !== undefined && (
          <IconButton
            icon="plus"
            name={`Add an issue to ${column.name}`}
            onClick={() => onAdding(column.key)}
          />
        )}
        <IconButton
          icon="back"
          name={`Collapse ${column.name}`}
          onClick={() => onCollapse(column.key, 'narrow')}
        />
      </header>
      {isAdding && column.status !== undefined && (
        <QuickAdd status={column.status} column={column.name} onClose={() => onAdding?.(null)} />
      )}
      {column.cards.length === 0 && <p className="column-empty">{isFiltered ? 'No matches' : 'Empty'}</p>}
      <VirtualList
        ref={listRef}
        items={column.cards}
        keyOf={getCardId}
        estimate={getEstimatedHeight}
        of="cards"
        gap={GAP_PX}
        className="column-cards"
        name={column.name}
      >
        {(card) => <CardView card={card} asOf={asOf} onDrag={onDrag} onMenu={onMenu} />}
      </VirtualList>
    </>
  );
}

function getCardId({ id }: DashboardCard): string {
  return id;
}

function getEstimatedHeight(): number {
  return ESTIMATED_CARD_PX;
}
