/** The text of `legion status`: the daemon, then a table of issues. */
import { styleText } from 'node:util';
import { isLive, isWaiting } from '../../../domain/lifecycle.ts';
import type { IssueState } from '../../../protocol/board-state.ts';
import type { HealthView } from '../../../protocol/operator.ts';
import { healthLines } from '../../present/health.ts';
import { type Cell, table } from '../../present/table.ts';
import { lifecycleStyle } from '../../present/words.ts';

interface StatusView {
  readonly health: HealthView;
  readonly states: readonly IssueState[];
  /** The board could not be read now; the states are those that the daemon saw last. */
  readonly isOutdated: boolean;
  /** How many items of the inbox wait for a person. */
  readonly waiting: number;
}

export function statusPage({ health, states, isOutdated, waiting }: StatusView, columns: number): string {
  const rows = states.map((state) => [state.id, state.status, workerCell(state), state.title, state.says]);
  return [
    ...healthLines(health, Date.now()),
    ...(waiting === 0 ? [] : [styleText('yellow', `${waiting} waiting for you: legion inbox`)]),
    '',
    ...(isOutdated ? ['The board cannot be read now; this is how it was seen last.', ''] : []),
    rows.length === 0
      ? isOutdated
        ? 'It has not been read yet.'
        : 'No issue is open.'
      : table(['ISSUE', 'STATUS', 'WORKER', 'TITLE', 'WHY'], rows, columns).trimEnd(),
  ].join('\n');
}

/** The present worker; one that has ended says nothing about now. */
function workerCell({ workerMode, workerStatus, isWorkerStopping, hasWorkerExited }: IssueState): Cell {
  if (workerMode === null || workerStatus === null) return '';
  if (isWorkerStopping === true) return { text: `${workerMode} stopping`, style: 'yellow' };
  if (hasWorkerExited === true) return { text: `${workerMode} exited`, style: 'yellow' };
  if (!isLive(workerStatus) && !isWaiting(workerStatus)) return '';
  return { text: `${workerMode} ${workerStatus}`, style: lifecycleStyle(workerStatus) };
}
