/** What narrows the board down, and how much of it is left. */

import { useMemo } from 'react';
import { counted } from '../../../../src/domain/format.ts';
import { MODES } from '../../../../src/domain/mode.ts';
import type { Card } from '../../../../src/protocol/dashboard.ts';
import { Button } from '../../components/button.tsx';
import { MenuButton } from '../../components/menu-button.tsx';
import { setFields } from '../../router/location.ts';
import { countOnly, type Filter, fits, isFiltering, labelsOf, ONLY, ONLY_WORDS } from './filter.ts';

/** More do not fit a menu; the search finds the others too. */
const LABELS_MOST = 40;

/** Shows every issue again. */
export function clearFilter(): void {
  setFields({ q: null, label: null, mode: null, only: null });
}

interface FilterBarProps {
  readonly cards: readonly Card[];
  readonly filter: Filter;
  /** How many issues have been finished for more than a week. */
  readonly older: number;
  readonly showsOlder: boolean;
  /** Undefined where nothing can be added. */
  readonly onAdd: (() => void) | undefined;
}

export function FilterBar({ cards, filter, older, showsOlder, onAdd }: FilterBarProps) {
  const counts = useMemo(() => countOnly(cards), [cards]);
  const labels = useMemo(() => labelsOf(cards).slice(0, LABELS_MOST), [cards]);
  const left = useMemo(() => cards.filter((card) => fits(card, filter)).length, [cards, filter]);
  const isNarrowed = isFiltering(filter);
  const clear = { id: '', says: 'Any', run: () => {} };
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
          {ONLY_WORDS[only]} <span className="chip-count">{counts[only]}</span>
        </button>
      ))}
      <MenuButton
        name="Filter by label"
        className={filter.label === undefined ? 'chip' : 'chip is-set'}
        items={[
          { ...clear, isChosen: filter.label === undefined, run: () => setFields({ label: null }) },
          ...labels.map(({ label, count }) => ({
            id: label,
            says: `${label} · ${count}`,
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
            says: mode,
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
        <Button look="quiet" onClick={clearFilter}>
          Clear
        </Button>
      )}
      <span className="filter-count" role="status">
        {isNarrowed
          ? `${left} of ${cards.length} issues`
          : cards.length === 1
            ? '1 issue'
            : counted(cards.length, 'issue')}
      </span>
      {onAdd !== undefined && cards.length > 0 && (
        <Button icon="plus" onClick={onAdd} title="n">
          New issue
        </Button>
      )}
    </div>
  );
}
