/** The table of workers: each column sorts, each row unfolds. */
import { useState } from 'react';
import { Link } from 'wouter';
import { IconButton } from '../../../components/button.tsx';
import { Money } from '../../../components/money.tsx';
import { StatusMark } from '../../../components/status-mark.tsx';
import { Time } from '../../../components/time.tsx';
import { setFields } from '../../../router/location.ts';
import { plain } from '../../../text/plain.ts';
import { issuePath } from '../../board/issue-path.ts';
import { type Order, type Row, type Sorting, sortField } from './rows.ts';
import { WorkerActions } from './worker-actions.tsx';
import { WorkerDetails } from './worker-details.tsx';

/** `wide`: on a phone it is left to what unfolds. */
const HEADINGS: readonly { readonly by: Order; readonly says: string; readonly className?: string }[] = [
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

/** One worker in a row; how it is, and why, unfolds below it. */
function WorkerRow({ row, columns }: { readonly row: Row; readonly columns: number }) {
  const { worker, title = '' } = row;
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <tr className={isOpen ? 'worker is-open' : 'worker'}>
        <td className="workers-fold">
          <IconButton
            icon={isOpen ? 'down' : 'forward'}
            name={`How ${worker.id} is`}
            aria-expanded={isOpen}
            onClick={() => setIsOpen(!isOpen)}
          />
        </td>
        <td className="worker-issue">
          <Link to={issuePath(worker.issue)}>{worker.issue}</Link>
          <span className="worker-title faint" dir="auto" title={plain(title)}>
            <span className="narrow">{worker.mode} </span>
            {plain(title)}
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
          {plain(worker.agent ?? '–')}
          {worker.model !== undefined && <span className="worker-model faint">{plain(worker.model)}</span>}
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
