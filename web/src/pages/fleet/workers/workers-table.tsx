/** The table of workers: each column sorts, each row unfolds. */
import { setFields } from '../../../router/location.ts';
import { type Order, type Row, type Sorting, sortField } from './rows.ts';
import { WorkerRow } from './worker-row.tsx';

interface Heading {
  readonly by: Order;
  readonly says: string;
  readonly className?: string;
}

/** `wide`: on a phone it is left to what unfolds. */
const HEADINGS: readonly Heading[] = [
  { by: 'issue', says: 'Issue' },
  { by: 'mode', says: 'Mode', className: 'wide' },
  { by: 'state', says: 'State' },
  { by: 'since', says: 'Since', className: 'number' },
  { by: 'agent', says: 'Agent', className: 'wide' },
  { by: 'attempt', says: 'Attempt', className: 'number wide' },
  { by: 'crashes', says: 'Crashes', className: 'number wide' },
  { by: 'cost', says: 'Cost', className: 'number wide' },
];

interface WorkersTableProps {
  readonly rows: readonly Row[];
  readonly sorting: Sorting;
  /** Instead of rows where there are none. */
  readonly empty: string;
}

export function WorkersTable({ rows, sorting, empty }: WorkersTableProps) {
  return (
    <div className="table-frame workers">
      <table className="table" aria-label="Workers">
        <thead>
          <tr>
            <th scope="col" className="workers-fold">
              <span className="unseen">Details</span>
            </th>
            {HEADINGS.map(({ by, says, className }) => (
              <th key={by} scope="col" className={className} aria-sort={sortOf(by, sorting)}>
                <button
                  type="button"
                  className="sorter"
                  onClick={() => setFields({ sort: sortField(turned(by, sorting)) })}
                >
                  {says}
                  <span className="sorter-mark" aria-hidden="true">
                    {by === sorting.by && (sorting.isDown ? '▼' : '▲')}
                  </span>
                </button>
              </th>
            ))}
            <th scope="col">
              <span className="unseen">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <WorkerRow key={row.worker.id} row={row} columns={HEADINGS.length + 2} />
          ))}
          {rows.length === 0 && (
            <tr>
              <td colSpan={HEADINGS.length + 2} className="workers-none">
                {empty}
              </td>
            </tr>
          )}
        </tbody>
      </table>
    </div>
  );
}

function sortOf(by: Order, { by: now, isDown }: Sorting): 'ascending' | 'descending' | undefined {
  if (by !== now) return undefined;
  return isDown ? 'descending' : 'ascending';
}

/** The same column again turns it round. */
function turned(by: Order, now: Sorting): Sorting {
  return { by, isDown: by === now.by && !now.isDown };
}
