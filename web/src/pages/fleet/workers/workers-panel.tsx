/** Every worker, narrowed down by state and words, in the order somebody wants. */
import { useQuery } from '@tanstack/react-query';
import { useId, useMemo, useState } from 'react';
import { boardQuery, workersQuery } from '../../../api/queries.ts';
import { Button } from '../../../components/button.tsx';
import { ErrorState, Skeleton } from '../../../components/states.tsx';
import { setFields, useQueryFields } from '../../../router/location.ts';
import { fits, isShown, readSorting, rowsOf, SHOWS, type Show, sorted } from './rows.ts';
import { WorkersTable } from './workers-table.tsx';

const SHOW_WORDS: Readonly<Record<Show, string>> = {
  current: 'Current',
  live: 'Live',
  waiting: 'Waiting',
  failed: 'Failed',
  all: 'All',
};

/** A legion of months has thousands that have ended; more rows than this are drawn when somebody asks for them. */
const ROWS_MOST = 100;

export function WorkersPanel() {
  const id = useId();
  const { data: workers, error, refetch } = useQuery(workersQuery);
  const { data: board } = useQuery(boardQuery);
  const fields = useQueryFields();
  const [most, setMost] = useState(ROWS_MOST);
  const show = SHOWS.find((each) => each === fields.get('show')) ?? 'current';
  const find = fields.get('find') ?? '';
  const sorting = readSorting(fields);
  const rows = useMemo(() => rowsOf(workers ?? [], board?.cards ?? []), [workers, board]);
  const left = rows.filter((row) => fits(row, show, find));
  const shown = sorted(left, sorting).slice(0, most);
  return (
    <section className="fleet-part" aria-labelledby={id}>
      <h2 id={id}>Workers</h2>
      <div className="fleet-bar" role="toolbar" aria-label="Filter workers">
        {SHOWS.map((each) => (
          <button
            key={each}
            type="button"
            className="chip"
            aria-pressed={show === each}
            onClick={() => setFields({ show: each === 'current' ? null : each })}
          >
            {SHOW_WORDS[each]}{' '}
            <span className="chip-count">
              {workers === undefined ? '–' : rows.filter(({ worker }) => isShown(worker.status, each)).length}
            </span>
          </button>
        ))}
        <input
          type="search"
          className="input fleet-find"
          aria-label="Find workers"
          placeholder="Issue, agent, host"
          value={find}
          onChange={(event) => setFields({ find: event.target.value })}
        />
      </div>
      {workers !== undefined ? (
        <WorkersTable rows={shown} sorting={sorting} empty={emptyWords(rows.length, show, find)} />
      ) : error === null ? (
        <div className="table-frame fleet-waits" aria-busy="true">
          {['one', 'two', 'three', 'four'].map((place) => (
            <Skeleton key={place} height="20px" />
          ))}
        </div>
      ) : (
        <ErrorState title="The workers could not be read" error={error} onRetry={() => void refetch()} />
      )}
      {left.length > most && (
        <Button look="quiet" onClick={() => setMost(most + ROWS_MOST)}>
          Show more: {left.length - most} are left
        </Button>
      )}
    </section>
  );
}

function emptyWords(known: number, show: Show, find: string): string {
  if (known === 0) return 'No worker has started yet. One starts when an issue is due.';
  if (find.trim() !== '') return `No worker fits “${find}” here.`;
  return show === 'current'
    ? 'Nobody is at work, and nobody waits.'
    : `No worker is ${SHOW_WORDS[show].toLowerCase()}.`;
}
