/** The board as lines: a column of the tracker under the other, each issue with the worker that is at it. Pure. */

import { span } from '../../../domain/format.ts';
import { isLive, isWaiting } from '../../../domain/lifecycle.ts';
import { isFinished, STATUSES } from '../../../domain/status.ts';
import type { IssueView } from '../../../protocol/board.ts';
import type { WorkerView } from '../../../protocol/operator.ts';
import { measureWidth } from '../../present/fit.ts';
import { column, type Line, type Piece, plain, styled } from '../../present/line.ts';
import { workerState } from '../../present/words.ts';
import type { Picture } from './picture.ts';

const ID_MOST = 24;
const TITLE_LEAST = 16;
/** `implement executing 12m`, and an attempt. */
const WORKER_MOST = 36;

/** Done and closed ones are only counted: a board that works has more of them every day. */
export function boardLines({ issues, workers }: Picture, columns: number, now: number): readonly Line[] {
  if (issues.length === 0) return [[styled('dim', 'The board is empty: legion issue add TITLE')]];
  const idWidth = Math.min(ID_MOST, Math.max(...issues.map(({ id }) => measureWidth(id))));
  const open = [...STATUSES.filter((status) => status !== 'Done'), 'unknown' as const].flatMap((status) => {
    const inColumn = issues.filter((issue) => issue.status === status);
    if (inColumn.length === 0) return [];
    const rows = inColumn.map((issue) => row(issue, workers, { idWidth, columns, now }));
    const title = status === 'unknown' ? 'other columns' : status;
    return [[styled('bold', title), styled('dim', ` ${inColumn.length}`)], ...rows];
  });
  const over = issues.filter(({ status }) => isFinished(status)).length;
  return over === 0 ? open : [...open, [styled('bold', 'Done'), styled('dim', ` ${over}`)]];
}

interface Measures {
  readonly idWidth: number;
  readonly columns: number;
  readonly now: number;
}

function row(issue: IssueView, workers: readonly WorkerView[], { idWidth, columns, now }: Measures): Line {
  const atWork = workers.filter(
    ({ issue: id, status, stopping }) =>
      id === issue.id && (isLive(status) || isWaiting(status) || stopping !== undefined),
  );
  const states = atWork.length > 0 ? atWork.map((worker) => workerPiece(worker, now)) : [restingPiece(issue)];
  const taken = 2 + idWidth + 2;
  const room = Math.max(TITLE_LEAST, columns - taken - 2 - WORKER_MOST);
  return [
    plain(`  ${column(issue.id, idWidth)}  ${column(issue.title, room)}  `),
    ...states.flatMap((piece, index) => (index === 0 ? [piece] : [plain(', '), piece])),
  ];
}

function workerPiece(worker: WorkerView, now: number): Piece {
  const { mode, attempt, since } = worker;
  const again = attempt > 1 ? ` #${attempt}` : '';
  const { text, style } = workerState(worker);
  return styled(style, `${mode}${again} ${text} ${span(now - since)}`);
}

/** Why nobody is at it, as far as the board itself says. */
function restingPiece({ labels, blockedBy }: IssueView): Piece {
  if (labels.includes('legion-paused')) return styled('red', 'paused');
  if (labels.includes('user-input-needed')) return styled('yellow', 'waits for an answer');
  if (labels.includes('needs-approval') && !labels.includes('human-approved')) {
    return styled('yellow', 'waits for approval');
  }
  return blockedBy.length > 0 ? styled('dim', `waits for ${blockedBy.join(' ')}`) : plain('');
}
