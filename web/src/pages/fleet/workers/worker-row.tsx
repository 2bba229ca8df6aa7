/** One worker in a row; how it is, and why, unfolds below it. */
import { useState } from 'react';
import { Link } from 'wouter';
import { IconButton } from '../../../components/button.tsx';
import { Money } from '../../../components/money.tsx';
import { StatusMark } from '../../../components/status-mark.tsx';
import { Time } from '../../../components/time.tsx';
import { plain } from '../../../text/plain.ts';
import { issuePath } from '../../board/issue-path.ts';
import type { Row } from './rows.ts';
import { WorkerActions } from './worker-actions.tsx';
import { WorkerDetails } from './worker-details.tsx';

export function WorkerRow({ row, columns }: { readonly row: Row; readonly columns: number }) {
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
