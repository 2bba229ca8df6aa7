/** Lays a scene out as lines of a screen: the board gets what the rest leaves. Pure. */

import { isFinished, STATUSES } from '../../../core/model/status.ts';
import { counted, span } from '../../../domain/format.ts';
import { isLive, isWaiting } from '../../../domain/lifecycle.ts';
import { SCRIPTED_BANNER } from '../../../domain/scripted.ts';
import type { IssueView } from '../../../protocol/board.ts';
import type { WorkerView } from '../../../protocol/operator.ts';
import { eventParts } from '../../present/event.ts';
import { cutTo, measureWidth } from '../../present/fit.ts';
import { column, type Line, type Piece, plain, styled } from '../../present/line.ts';
import { workerState } from '../../present/words.ts';
import type { Picture, Scene } from './picture.ts';

/** Of the lines below the head: what waits for a person, then the events; each shown only as far as there is any. */
const INBOX_SHARE = 1 / 5;
const EVENTS_SHARE = 1 / 4;
const LEAST_LINES = 3;

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** Exactly `rows` lines or fewer. */
export function layout(scene: Scene, size: Size, now: number): readonly Line[] {
  const head = headLines(scene, now);
  const foot: Line = [styled('dim', 'q ends · legion inbox · legion explain ISSUE')];
  const room = size.rows - head.length - 1;
  if (scene.picture === undefined || room < LEAST_LINES) return [...head, foot].slice(0, size.rows);

  const inbox = cut(inboxLines(scene.picture, size.columns, now), share(room, INBOX_SHARE), 'first');
  const events = cut(eventLines(scene), share(room, EVENTS_SHARE), 'last');
  const below = [...titled('Waits for you', inbox), ...titled('Events', events)];
  const kept = below.length > room - LEAST_LINES ? titled('Waits for you', inbox) : below;
  const board = cut(boardLines(scene.picture, size.columns, now), room - kept.length, 'first');
  const gap = Array.from({ length: Math.max(0, room - kept.length - board.length) }, (): Line => []);
  return [...head, ...board, ...gap, ...kept, foot].slice(0, size.rows);
}

function headLines({ picture, away }: Scene, now: number): readonly Line[] {
  const lost: readonly Line[] =
    away === undefined ? [] : [[styled('red', `daemon away: ${away}; trying again`)]];
  if (picture === undefined) return [[plain('reading the board …')], ...lost];
  const { legion, startedAt, workers, starts, troubles, scripted } = picture.health;
  const waiting = picture.inbox.length;
  const issues = picture.issues.length;
  const { stopping = 0 } = workers;
  const leaving = stopping > 0 ? `, ${stopping} stopping` : '';
  const counts = `${workers.live} of ${workers.limit} workers${leaving} · ${counted(issues, 'issue')}`;
  return [
    [
      styled('bold', legion),
      plain(' · '),
      waiting === 0 ? styled('dim', 'nothing waits for you') : styled('yellow', `${waiting} waiting for you`),
      plain(` · ${counts} · up ${span(now - startedAt)}`),
    ],
    ...lost,
    ...(scripted === true ? [[styled('yellow', SCRIPTED_BANNER)]] : []),
    ...(starts.allowed ? [] : [[styled('yellow', `no worker is started: ${starts.why ?? 'paused'}`)]]),
    ...troubles.map(({ code, message }) => [styled('red', `${message} [${code}]`)]),
    [],
  ];
}

function inboxLines({ inbox }: Picture, columns: number, now: number): readonly Line[] {
  return inbox.map(({ kind, issue, title, since, next }) => [
    styled('yellow', `  ${issue ?? 'legion'} ${kind}`),
    // The command that settles it must stay in sight.
    plain(`  ${cutTo(title, Math.floor(columns / 3))}`),
    styled('dim', `  ${next}  ${span(now - since)}`),
  ]);
}

function eventLines({ events }: Scene): readonly Line[] {
  return events.map((event) => {
    const { at, subject, what, detail } = eventParts(event);
    return [
      styled('dim', `  ${at}  `),
      styled('cyan', subject === '' ? '' : `${subject}  `),
      plain(what),
      styled('dim', detail === '' ? '' : `  ${detail}`),
    ];
  });
}

function share(room: number, part: number): number {
  return Math.max(LEAST_LINES, Math.floor(room * part));
}

function titled(title: string, lines: readonly Line[]): readonly Line[] {
  return lines.length === 0 ? [] : [[styled('bold', title)], ...lines];
}

/** Says how many there is no room for. */
function cut(lines: readonly Line[], most: number, keep: 'first' | 'last'): readonly Line[] {
  if (lines.length <= most) return lines;
  if (keep === 'last') return lines.slice(-Math.max(0, most));
  const kept = lines.slice(0, Math.max(0, most - 1));
  return [...kept, [styled('dim', `  … and ${lines.length - kept.length} more lines`)]].slice(
    0,
    Math.max(0, most),
  );
}

/** The board as lines: a column of the tracker under the other, each issue with the worker that is at it. Pure. */
const ID_MOST = 24;
const TITLE_LEAST = 16;
/** `implement executing 12m`, and an attempt. */
const WORKER_MOST = 36;

/** Done and closed ones are only counted: a board that works has more of them every day. */
function boardLines({ issues, workers }: Picture, columns: number, now: number): readonly Line[] {
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
