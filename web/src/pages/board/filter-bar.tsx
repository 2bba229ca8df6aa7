/** Filters for the board, with the number of matching issues. */

import { useMemo } from 'react';
import { formatCount } from '../../../../src/core/model/format.ts';
import { MODES } from '../../../../src/core/model/mode.ts';
import type { DashboardCard } from '../../../../src/protocol/dashboard.ts';
import { Button } from '../../components/button.tsx';
import { MenuButton } from '../../components/menu-button.tsx';
import { setFields } from '../../router/location.ts';
import {
  type BoardFilter,
  CARD_GROUP_LABELS,
  countLabels,
  countOnly,
  isFiltering,
  matchCard,
  ONLY,
} from './filter.ts';

/** Maximum number of labels in the menu. Issues with other labels can be found by a search. */
const MAX_FILTER_LABELS = 40;

/** Shows every issue again. */
export function clearFilter(): void {
  setFields({ q: null, label: null, mode: null, only: null });
}

interface FilterBarProps {
  readonly cards: readonly DashboardCard[];
  readonly filter: BoardFilter;
  /** Number of issues finished more than a week ago. */
  readonly older: number;
  readonly showsOlder: boolean;
  /** Undefined if issues cannot be added. */
  readonly onAdd: (() => void) | undefined;
}

export function FilterBar({ cards, filter, older, showsOlder, onAdd }: FilterBarProps) {
  const counts = useMemo(() => countOnly(cards), [cards]);
  const labels = useMemo(() => countLabels(cards).slice(0, MAX_FILTER_LABELS), [cards]);
  const left = useMemo(() => cards.filter((card) => matchCard(card, filter)).length, [cards, filter]);
  const isNarrowed = isFiltering(filter);
  const clear = { id: '', label: 'Any', run: () => {} };
  return (
    <div className="filter" role="toolbar" aria-label="Filter">
      {ONLY.map((only) => (
        <button
          key={only}
          type="button"
          className={`chip ${only === 'needs-me' && counts[only] > 0 ? 'chip-needs' : ''}`}
          aria-pressed={filter.only === only}
          onClick={() => setFields({ only: filter.only === only ? null : only })}
        >
          {CARD_GROUP_LABELS[only]} <span className="chip-count">{counts[only]}</span>
        </button>
      ))}
      <MenuButton
        name="Filter by label"
        className={filter.label === undefined ? 'chip' : 'chip is-set'}
        items={[
          { ...clear, isChosen: filter.label === undefined, run: () => setFields({ label: null }) },
          ...labels.map(({ label, count }) => ({
            id: label,
            label: `${label} · ${count}`,
            isChosen: filter.label === label,
            run: () => setFields({ label }),
          })),
        ]}
      >
        {filter.label ?? 'Label'}
      </MenuButton>
      <MenuButton
        name="Filter by mode"
        className={filter.mode === undefined ? 'chip' : 'chip is-set'}
        items={[
          { ...clear, isChosen: filter.mode === undefined, run: () => setFields({ mode: null }) },
          ...MODES.map((mode) => ({
            id: mode,
            label: mode,
            isChosen: filter.mode === mode,
            run: () => setFields({ mode }),
          })),
        ]}
      >
        {filter.mode ?? 'Mode'}
      </MenuButton>
      {older > 0 && (
        <button
          type="button"
          className="chip"
          aria-pressed={showsOlder}
          title="Show issues that were finished more than a week ago"
          onClick={() => setFields({ finished: showsOlder ? null : 'all' })}
        >
          Older <span className="chip-count">{older}</span>
        </button>
      )}
      {isNarrowed && (
        <Button variant="quiet" onClick={clearFilter}>
          Clear
        </Button>
      )}
      <span className="filter-count" role="status">
        {isNarrowed
          ? `${left} of ${cards.length} issues`
          : cards.length === 1
            ? '1 issue'
            : formatCount(cards.length, 'issue')}
      </span>
      {onAdd !== undefined && cards.length > 0 && (
        <Button icon="plus" onClick={onAdd} title="n">
          New issue
        </Button>
      )}
    </div>
  );
}
