/**
 * Shows the columns side by side, and manages the drag, the menu and the keyboard cursor that they
 * share.
 */
import { useCallback, useMemo, useState } from 'react';
import type { DashboardCard } from '../../../../src/protocol/dashboard.ts';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/states.tsx';
import { useSession } from '../../session/session.ts';
import { CardMenu } from './card-menu.tsx';
import type { OpenMenu } from './card-view.tsx';
import { ColumnView } from './column-view.tsx';
import { type BoardColumn, buildColumns } from './columns.ts';
import { useCursor } from './cursor.ts';
import { type BoardFilter, CARD_GROUP_LABELS, isFiltering, matchCard } from './filter.ts';
import { clearFilter } from './filter-bar.tsx';
import { useMove } from './move.ts';
import { QuickAdd } from './quick-add.tsx';

interface BoardViewProps {
  readonly cards: readonly DashboardCard[];
  readonly filter: BoardFilter;
  /**
   * The past moment that the board shows. Undefined in the present. Nothing on a past board can be
   * changed.
   */
  readonly pastAt: number | undefined;
  /** Key of the column to which an issue is being added, or `FIRST_COLUMN`. */
  readonly addingTo: string | null;
  /**
   * Undefined if issues cannot be added: on the board of a service such as GitHub, or while viewing
   * the past.
   */
  readonly onAdding: ((key: string | null) => void) | undefined;
}

/** Value of `addingTo` that means the first column. */
export const FIRST_COLUMN = '';

export function BoardView({ cards, filter, pastAt, addingTo, onAdding }: BoardViewProps) {
  const { statuses } = useSession();
  const all = useMemo(() => buildColumns(cards, statuses), [cards, statuses]);
  const filtered = useMemo(() => all.map((column) => filterColumn(column, filter)), [all, filter]);
  const [dragged, setDragged] = useState<DashboardCard | null>(null);
  const [menu, setMenu] = useState<OpenMenu | null>(null);
  const collapse = useCollapse();
  const move = useMove();
  const isPast = pastAt !== undefined;

  const openMenu = useCallback((open: OpenMenu) => setMenu(open), []);
  const listOf = useCursor(filtered, {
    onMenu: isPast ? undefined : openMenu,
    onAdd: onAdding && (() => onAdding(FIRST_COLUMN)),
  });

  const onDrop = ({ key, status, name }: BoardColumn) => {
    const from =
      dragged === null
        ? undefined
        : all.find(({ cards: members }) => members.some(({ id }) => id === dragged.id));
    setDragged(null);
    if (dragged === null || from === undefined || status === undefined || from.key === key) return;
    move({ id: dragged.id, from, to: { status, name } });
  };

  const addingKey = addingTo === FIRST_COLUMN ? all[0]?.key : addingTo;
  const hasNoMatch = isFiltering(filter) && filtered.every((column) => column.cards.length === 0);
  if (cards.length === 0) return <EmptyBoard isPast={isPast} first={all[0]} />;
  if (hasNoMatch && addingKey === null) return <NoMatch filter={filter} />;
  return (
    <section className="board-room board" aria-label="Columns">
      {all.map((column, index) => (
        <ColumnView
          key={column.key}
          column={filtered[index] ?? column}
          total={column.cards.length}
          isFiltered={isFiltering(filter)}
          isNarrow={
            collapse.isNarrow(column.key, filtered[index]?.cards.length === 0) && addingKey !== column.key
          }
          onCollapse={collapse.choose}
          asOf={pastAt}
          listRef={listOf(column.key)}
          dragged={dragged}
          onDrag={isPast ? undefined : setDragged}
          onDrop={onDrop}
          onMenu={isPast ? undefined : openMenu}
          isAdding={addingKey === column.key}
          onAdding={column.status === undefined ? undefined : onAdding}
        />
      ))}
      {menu !== null && <CardMenu open={menu} columns={all} onMove={move} onClose={() => setMenu(null)} />}
    </section>
  );
}

function filterColumn(column: BoardColumn, filter: BoardFilter): BoardColumn {
  if (!isFiltering(filter)) return column;
  return { ...column, cards: column.cards.filter((card) => matchCard(card, filter)) };
}

interface EmptyBoardProps {
  readonly isPast: boolean;
  /** Column in which new issues start. */
  readonly first: BoardColumn | undefined;
}

/** An empty board, with the first step to take. */
function EmptyBoard({ isPast, first }: EmptyBoardProps) {
  const { ownBoard, backend } = useSession();
  if (isPast) {
    return (
      <div className="board-room">
        <EmptyState icon="clock" title="The board was empty then">
          Legion had recorded no issues at this moment.
        </EmptyState>
      </div>
    );
  }
  return (
    <div className="board-room">
      <EmptyState icon="board" title="No issues yet">
        {ownBoard ? (
          <>
            <p>Describe what should be done. Legion does the rest.</p>
            {first?.status !== undefined && <QuickAdd status={first.status} column={first.name} />}
          </>
        ) : (
          <p>Add one on {backend}. It appears here as soon as Legion has read the board.</p>
        )}
      </EmptyState>
    </div>
  );
}

/** Shown instead of the columns when no issue matches the search and the filters. */
function NoMatch({ filter }: { readonly filter: BoardFilter }) {
  const { words } = filter;
  const conditions = describeConditions(filter);
  const title =
    words.length === 0 ? 'No issue matches these filters' : `No issue matches “${words.join(' ')}”`;
  const action =
    words.length === 0
      ? 'Clear filters'
      : conditions.length === 0
        ? 'Clear search'
        : 'Clear search and filters';
  return (
    <div className="board-room">
      <EmptyState icon="search" title={title}>
        <p>
          {conditions.length > 0
            ? `Only issues ${conditions.join(', ')} are searched.`
            : 'The search covers ids, titles, labels, workers and pull request numbers.'}
        </p>
        <Button onClick={clearFilter}>{action}</Button>
      </EmptyState>
    </div>
  );
}

function describeConditions({ label, mode, only }: BoardFilter): readonly string[] {
  return [
    ...(label === undefined ? [] : [`with the label ${label}`]),
    ...(mode === undefined ? [] : [`with a worker in ${mode} mode`]),
    ...(only === undefined ? [] : [`under “${CARD_GROUP_LABELS[only]}”`]),
  ];
}

const NAME = 'legion.columns';

type CollapseChoices = Readonly<Record<string, 'open' | 'narrow'>>;

interface ColumnCollapse {
  isNarrow(key: string, isEmpty: boolean): boolean;
  choose(key: string, choice: 'open' | 'narrow'): void;
}

/**
 * Tracks which columns are collapsed: those that the user collapsed, and empty ones until the user
 * expands them.
 */
function useCollapse(): ColumnCollapse {
  const [choices, setChoices] = useState(readChoices);
  const isNarrow = useCallback(
    (key: string, isEmpty: boolean) => (choices[key] ?? (isEmpty ? 'narrow' : 'open')) === 'narrow',
    [choices],
  );
  const choose = useCallback((key: string, choice: 'open' | 'narrow') => {
    setChoices((before) => {
      const after = { ...before, [key]: choice };
      writeChoices(after);
      return after;
    });
  }, []);
  return { isNarrow, choose };
}

function readChoices(): CollapseChoices {
  try {
    const value: unknown = JSON.parse(window.localStorage.getItem(NAME) ?? '{}');
    return typeof value === 'object' && value !== null ? (value as CollapseChoices) : {};
  } catch {
    return {}; // storage is unavailable or contains foreign data
  }
}

function writeChoices(choices: CollapseChoices): void {
  try {
    window.localStorage.setItem(NAME, JSON.stringify(choices));
  } catch {
    // Without storage, the choice lasts until the page is left.
  }
}
