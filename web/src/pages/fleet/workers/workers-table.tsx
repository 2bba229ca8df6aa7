/** The table of workers with sortable columns and expandable rows. */
import { useState } from 'react';
import { Link } from 'wouter';
import { IconButton } from '../../../components/button.tsx';
import { Money } from '../../../components/money.tsx';
import { StatusMark } from '../../../components/status-mark.tsx';
import { Time } from '../../../components/time.tsx';
import { setFields } from '../../../router/location.ts';
import { toPlainText } from '../../../text/plain.ts';
import { toIssuePath } from '../../board/issue-path.ts';
import { type SortColumn, sortField, type WorkerRow, type WorkerSorting } from './rows.ts';
import { WorkerActions } from './worker-actions.tsx';
import { WorkerDetails } from './worker-details.tsx';

/**
 * Columns with the class `wide` are hidden on a phone, where the expanded row shows their values.
 */
const HEADINGS: readonly { readonly by: SortColumn; readonly label: string; readonly className?: string }[] =
  [
    { by: 'issue', label: 'Issue' },
    { by: 'mode', label: 'Mode', className: 'wide' },
    { by: 'state', label: 'State' },
    { by: 'since', label: 'Since', className: 'number' },
    { by: 'agent', label: 'Agent', className: 'wide' },
    { by: 'attempt', label: 'Attempt', className: 'number wide' },
    { by: 'crashes', label: 'Crashes', className: 'number wide' },
    { by: 'cost', label: 'Cost', className: 'number wide' },
  ];

interface WorkersTableProps {
  readonly rows: readonly WorkerRow[];
  readonly sorting: WorkerSorting;
  /** Text shown instead of rows if there are none. */
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
            {HEADINGS.map(({ by, label, className }) => (
              <th key={by} scope="col" className={className} aria-sort={sortOf(by, sorting)}>
                <button
                  type="button"
                  className="sorter"
                  onClick={() => setFields({ sort: sortField(toggleSorting(by, sorting)) })}
                >
                  {label}
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
            <WorkerTableRow key={row.worker.id} row={row} columns={HEADINGS.length + 2} />
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

function sortOf(by: SortColumn, { by: now, isDown }: WorkerSorting): 'ascending' | 'descending' | undefined {
  if (by !== now) return undefined;
  return isDown ? 'descending' : 'ascending';
}

/** Sorts by a column. Choosing the same column again reverses the order. */
function toggleSorting(by: SortColumn, now: WorkerSorting): WorkerSorting {
  return { by, isDown: by === now.by && !now.isDown };
}

/** One worker as a row, which can be expanded to show its health and the reasons for it. */
function WorkerTableRow({ row, columns }: { readonly row: WorkerRow; readonly columns: number }) {
  const { worker, title = '' } = row;
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <tr className={isOpen ? 'worker is-open' : 'worker'}>
        <td className="workers-fold">
          <IconButton
            icon={isOpen ? 'down' : 'forward'}
            name={`Health of ${worker.id}`}
            aria-expanded={isOpen}
            onClick={() => setIsOpen(!isOpen)}
          />
        </td>
        <td className="worker-issue">
          <Link to={toIssuePath(worker.issue)}>{worker.issue}</Link>
          <span className="worker-title faint" dir="auto" title={toPlainText(title)}>
            <span className="narrow">{worker.mode} </span>
            {toPlainText(title)}
          </span>
        </td>
        <td className="wide">{worker.mode}</td>
        <td>
          <StatusMark state={worker.status} stopping={worker.stopping} hasExited={worker.hasExited} />
        </td>
        <td className="number">
          <Time at={worker.since} />
        </td>
        <td className="wide">
          {toPlainText(worker.agent ?? '–')}
          {worker.model !== undefined && (
            <span className="worker-model faint">{toPlainText(worker.model)}</span>
          )}
        </td>
        <td className="number wide">{worker.attempt}</td>
        <td className={worker.crashes > 0 ? 'number wide worker-crashes' : 'number wide faint'}>
          {worker.crashes}
        </td>
        <td className="number wide">
          <Money usd={worker.spentUsd} />
        </td>
        <td className="worker-actions">
          <WorkerActions worker={worker} />
        </td>
      </tr>
      {isOpen && (
        <tr className="worker-open">
          <td colSpan={columns}>
            <WorkerDetails worker={worker} />
          </td>
        </tr>
      )}
    </>
  );
}
