/** All workers, filtered by state and search words, in a chosen order. */
import { useQuery } from '@tanstack/react-query';
import { useId, useMemo, useState } from 'react';
import { boardQuery, workersQuery } from '../../../api/queries.ts';
import { Button } from '../../../components/button.tsx';
import { ErrorState, Skeleton } from '../../../components/states.tsx';
import { setFields, useQueryFields } from '../../../router/location.ts';
import { buildRows, isShown, matchRow, readSorting, SHOWS, sortRows, type WorkerFilter } from './rows.ts';
import { WorkersTable } from './workers-table.tsx';

const FILTER_LABELS: Readonly<Record<WorkerFilter, string>> = {
  current: 'Current',
  live: 'Live',
  waiting: 'Waiting',
  failed: 'Failed',
  all: 'All',
};

/**
 * A legion that ran for months has thousands of ended workers. Rows beyond this number are shown on
 * request.
 */
const MAX_ROWS = 100;

export function WorkersPanel() {
  const id = useId();
  const { data: workers, error, refetch } = useQuery(workersQuery);
  const { data: board } = useQuery(boardQuery);
  const fields = useQueryFields();
  const [max, setMax] = useState(MAX_ROWS);
  const show = SHOWS.find((each) => each === fields.get('show')) ?? 'current';
  const find = fields.get('find') ?? '';
  const sorting = readSorting(fields);
  const rows = useMemo(() => buildRows(workers ?? [], board?.cards ?? []), [workers, board]);
  const matching = rows.filter((row) => matchRow(row, show, find));
  const visible = sortRows(matching, sorting).slice(0, max);
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
            {FILTER_LABELS[each]}{' '}
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
        <WorkersTable rows={visible} sorting={sorting} empty={describeEmptyList(rows.length, show, find)} />
      ) : error === null ? (
        <div className="table-frame fleet-waits" aria-busy="true">
          {['one', 'two', 'three', 'four'].map((key) => (
            <Skeleton key={key} height="20px" />
          ))}
        </div>
      ) : (
        <ErrorState title="The workers could not be read" error={error} onRetry={() => void refetch()} />
      )}
      {matching.length > max && (
        <Button variant="quiet" onClick={() => setMax(max + MAX_ROWS)}>
          Show more ({matching.length - max} left)
        </Button>
      )}
    </section>
  );
}

function describeEmptyList(known: number, show: WorkerFilter, find: string): string {
  if (known === 0) return 'No worker has started yet. Legion starts one when an issue needs it.';
  if (find.trim() !== '') return `No worker here matches “${find}”.`;
  return show === 'current'
    ? 'No workers are running or waiting.'
    : `No worker is ${FILTER_LABELS[show].toLowerCase()}.`;
}
