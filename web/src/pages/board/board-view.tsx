/** The columns side by side, with what all of them share: the drag, the menu, the way from card to card. */
import { useCallback, useMemo, useState } from 'react';
import type { Card } from '../../../../src/protocol/dashboard.ts';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/states.tsx';
import { useSession } from '../../session/gate.tsx';
import { CardMenu, type OpenMenu } from './card-menu.tsx';
import { ColumnView } from './column-view.tsx';
import { type Column, columnsOf } from './columns.ts';
import { useCursor } from './cursor.ts';
import { type Filter, fits, isFiltering, ONLY_WORDS } from './filter.ts';
import { clearFilter } from './filter-bar.tsx';
import { useMove } from './move.ts';
import { QuickAdd } from './quick-add.tsx';

interface BoardViewProps {
  readonly cards: readonly Card[];
  readonly filter: Filter;
  /** The moment that is shown, where it is one of the past: then nothing can be changed. */
  readonly pastAt: number | undefined;
  /** The key of a column, or `FIRST`. */
  readonly addingTo: string | null;
  /** Undefined where nothing can be added: on a board of a service, and in the past. */
  readonly onAdding: ((key: string | null) => void) | undefined;
}

/** Whichever column that is. */
export const FIRST = '';

export function BoardView({ cards, filter, pastAt, addingTo, onAdding }: BoardViewProps) {
  const { statuses } = useSession();
  const all = useMemo(() => columnsOf(cards, statuses), [cards, statuses]);
  const shown = useMemo(() => all.map((column) => filtered(column, filter)), [all, filter]);
  const [dragged, setDragged] = useState<Card | null>(null);
  const [menu, setMenu] = useState<OpenMenu | null>(null);
  const collapse = useCollapse();
  const move = useMove();
  const isPast = pastAt !== undefined;

  const openMenu = useCallback((open: OpenMenu) => setMenu(open), []);
  const listOf = useCursor(shown, {
    onMenu: isPast ? undefined : openMenu,
    onAdd: onAdding && (() => onAdding(FIRST)),
  });

  const drop = ({ key, status, name }: Column) => {
    const from =
      dragged === null
        ? undefined
        : all.find(({ cards: members }) => members.some(({ id }) => id === dragged.id));
    setDragged(null);
    if (dragged === null || from === undefined || status === undefined || from.key === key) return;
    move({ id: dragged.id, from, to: { status, name } });
  };

  const adding = addingTo === FIRST ? all[0]?.key : addingTo;
  const hasNoMatch = isFiltering(filter) && shown.every((column) => column.cards.length === 0);
  if (cards.length === 0) return <EmptyBoard isPast={isPast} first={all[0]} />;
  if (hasNoMatch && adding === null) return <NoMatch filter={filter} />;
  return (
    <section className="board-room board" aria-label="Columns">
      {all.map((column, index) => (
        <ColumnView
          key={column.key}
          column={shown[index] ?? column}
          total={column.cards.length}
          isFiltered={isFiltering(filter)}
          isNarrow={collapse.isNarrow(column.key, shown[index]?.cards.length === 0) && adding !== column.key}
          onCollapse={collapse.choose}
          asOf={pastAt}
          listRef={listOf(column.key)}
          dragged={dragged}
          onDrag={isPast ? undefined : setDragged}
          onDrop={drop}
          onMenu={isPast ? undefined : openMenu}
          isAdding={adding === column.key}
          onAdding={column.status === undefined ? undefined : onAdding}
        />
      ))}
      {menu !== null && <CardMenu open={menu} columns={all} onMove={move} onClose={() => setMenu(null)} />}
    </section>
  );
}

function filtered(column: Column, filter: Filter): Column {
  if (!isFiltering(filter)) return column;
  return { ...column, cards: column.cards.filter((card) => fits(card, filter)) };
}

interface EmptyBoardProps {
  readonly isPast: boolean;
  /** Where new issues begin. */
  readonly first: Column | undefined;
}

/** A board without issues: what to do first. */
function EmptyBoard({ isPast, first }: EmptyBoardProps) {
  const { ownBoard, backend } = useSession();
  if (isPast) {
    return (
      <div className="board-room">
        <EmptyState icon="clock" title="The board was empty then">
          Legion had not seen an issue at this moment.
        </EmptyState>
      </div>
    );
  }
  return (
    <div className="board-room">
      <EmptyState icon="board" title="No issues yet">
        {ownBoard ? (
          <>
            <p>Write what is to be done; Legion takes it from there.</p>
            {first?.status !== undefined && <QuickAdd status={first.status} column={first.name} />}
          </>
        ) : (
          <p>Add one on {backend}; it shows here as soon as Legion has read the board.</p>
        )}
      </EmptyState>
    </div>
  );
}

/** Shown instead of the columns when no issue matches the search and the filters. */
function NoMatch({ filter }: { readonly filter: Filter }) {
  const { words } = filter;
  const narrowed = describe(filter);
  const title =
    words.length === 0 ? 'No issue matches these filters' : `No issue matches “${words.join(' ')}”`;
  const clears =
    words.length === 0
      ? 'Clear filters'
      : narrowed.length === 0
        ? 'Clear search'
        : 'Clear search and filters';
  return (
    <div className="board-room">
      <EmptyState icon="search" title={title}>
        <p>
          {narrowed.length > 0
            ? `Only issues ${narrowed.join(', ')} are searched.`
            : 'The search looks at ids, titles, labels, workers and pull request numbers.'}
        </p>
        <Button onClick={clearFilter}>{clears}</Button>
      </EmptyState>
    </div>
  );
}

function describe({ label, mode, only }: Filter): readonly string[] {
  return [
    ...(label === undefined ? [] : [`with the label ${label}`]),
    ...(mode === undefined ? [] : [`with a worker in mode ${mode}`]),
    ...(only === undefined ? [] : [`under “${ONLY_WORDS[only]}”`]),
  ];
}

const NAME = 'legion.columns';

type Choices = Readonly<Record<string, 'open' | 'narrow'>>;

interface Collapse {
  isNarrow(key: string, isEmpty: boolean): boolean;
  choose(key: string, choice: 'open' | 'narrow'): void;
}

/** Collapses the columns that the user collapsed, and empty ones until the user expands them. */
function useCollapse(): Collapse {
  const [choices, setChoices] = useState(read);
  const isNarrow = useCallback(
    (key: string, isEmpty: boolean) => (choices[key] ?? (isEmpty ? 'narrow' : 'open')) === 'narrow',
    [choices],
  );
  const choose = useCallback((key: string, choice: 'open' | 'narrow') => {
    setChoices((before) => {
      const after = { ...before, [key]: choice };
      write(after);
      return after;
    });
  }, []);
  return { isNarrow, choose };
}

function read(): Choices {
  try {
    const value: unknown = JSON.parse(window.localStorage.getItem(NAME) ?? '{}');
    return typeof value === 'object' && value !== null ? (value as Choices) : {};
  } catch {
    return {}; // no storage, or somebody else's words in it
  }
}

function write(choices: Choices): void {
  try {
    window.localStorage.setItem(NAME, JSON.stringify(choices));
  } catch {
    // It holds until the page is left.
  }
}
