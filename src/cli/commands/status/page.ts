/** The text of `legion status`: the daemon, then a table of issues. */
import { styleText } from 'node:util';
import { isLive, isWaiting } from '../../../domain/lifecycle.ts';
import type { IssueSummary, StatusAnswer } from '../../../protocol/status.ts';
import { healthLines } from '../../present/health.ts';
import { type Cell, table } from '../../present/table.ts';
import { lifecycleStyle, statusWord } from '../../present/words.ts';

export function statusPage({ daemon, issues, isOutdated, waiting }: StatusAnswer, columns: number): string {
  const rows = issues.map((issue) => [
    issue.id,
    statusWord(issue.status),
    workerCell(issue),
    issue.title,
    issue.says,
  ]);
  return [
    ...healthLines(daemon, Date.now()),
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
function workerCell({ workerMode, workerStatus, workerStopping, hasWorkerExited }: IssueSummary): Cell {
  if (workerMode === null || workerStatus === null) return '';
  if (workerStopping !== undefined) return { text: `${workerMode} stopping`, style: 'yellow' };
  if (hasWorkerExited === true) return { text: `${workerMode} exited`, style: 'yellow' };
  if (!isLive(workerStatus) && !isWaiting(workerStatus)) return '';
  return { text: `${workerMode} ${workerStatus}`, style: lifecycleStyle(workerStatus) };
}
