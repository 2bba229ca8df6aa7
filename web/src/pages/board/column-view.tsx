/** One column: its name and count, a place to drop on, and only the cards that are in sight. */
import { type DragEvent, memo, type Ref, useState } from 'react';
import type { Card } from '../../../../src/protocol/dashboard.ts';
import { IconButton } from '../../components/button.tsx';
import { VirtualList, type VirtualListHandle } from '../../components/virtual-list.tsx';
import type { OpenMenu } from './card-menu.tsx';
import { CardView } from './card-view.tsx';
import type { Column } from './columns.ts';
import { QuickAdd } from './quick-add.tsx';

/** Most cards have a title of one or two lines, a worker's line and a line of marks. */
const CARD_ABOUT_PX = 104;
const GAP_PX = 6;

interface ColumnViewProps {
  readonly column: Column;
  /** Without the filter. */
  readonly total: number;
  readonly isFiltered: boolean;
  readonly isNarrow: boolean;
  onCollapse(key: string, choice: 'open' | 'narrow'): void;
  readonly asOf: number | undefined;
  readonly listRef: Ref<VirtualListHandle>;
  readonly dragged: Card | null;
  readonly onDrag: ((card: Card | null) => void) | undefined;
  onDrop(column: Column): void;
  readonly onMenu: ((open: OpenMenu) => void) | undefined;
  readonly isAdding: boolean;
  /** Undefined where nothing can be added. */
  readonly onAdding: ((key: string | null) => void) | undefined;
}

export const ColumnView = memo(function ColumnView(props: ColumnViewProps) {
  const { column, total, isFiltered, isNarrow, onCollapse, dragged, onDrop } = props;
  const [isOver, setIsOver] = useState(false);
  const takes = dragged !== null && column.status !== undefined && dragged.status !== column.status;
  const count = isFiltered ? `${column.cards.length} of ${total}` : String(total);

  const dropping = {
    onDragOver: (event: DragEvent) => {
      if (!takes) return;
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
  const look = ['column', isNarrow && 'is-narrow', takes && 'takes', takes && isOver && 'is-over'];
  return (
    <section className={look.filter(Boolean).join(' ')} aria-label={`${column.name}, ${count}`} {...dropping}>
      {isNarrow ? (
        <button
          type="button"
          className="column-strip"
          aria-expanded={false}
          title={`Open ${column.name}`}
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
          name={`Make ${column.name} narrow`}
          onClick={() => onCollapse(column.key, 'narrow')}
        />
      </header>
      {isAdding && column.status !== undefined && (
        <QuickAdd status={column.status} column={column.name} onClose={() => onAdding?.(null)} />
      )}
      {column.cards.length === 0 && <p className="column-empty">{isFiltered ? 'Nothing fits' : 'Empty'}</p>}
      <VirtualList
        ref={listRef}
        items={column.cards}
        keyOf={idOf}
        estimate={aboutHigh}
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

function idOf({ id }: Card): string {
  return id;
}

function aboutHigh(): number {
  return CARD_ABOUT_PX;
}
