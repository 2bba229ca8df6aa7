/**
 * Lays out the screen of `legion watch` as lines, without I/O. The board gets the space that the
 * other parts leave.
 */

import { SCRIPTED_BANNER } from '../../../../core/model/environment.ts';
import { formatCount, formatDuration } from '../../../../core/model/format.ts';
import { isLive, isWaiting } from '../../../../core/model/lifecycle.ts';
import { isFinished, STATUSES } from '../../../../core/model/status.ts';
import type { IssueView } from '../../../../protocol/board.ts';
import type { InboxItem } from '../../../../protocol/operator.ts';
import type { HealthView } from '../../../../protocol/status.ts';
import type { WorkerView } from '../../../../protocol/workers.ts';
import { toEventParts } from '../../../present/event.ts';
import { measureWidth, truncateText } from '../../../present/fit.ts';
import {
  formatColumn,
  type ScreenLine,
  type TextSegment,
  toSegment,
  toStyledSegment,
} from '../../../present/table.ts';
import { describeWorkerState } from '../../../present/words.ts';
import type { SentEvent } from '../../../watch-events.ts';

/**
 * Maximum shares of the lines below the header, for the inbox and for the events. Each part takes
 * only as many lines as it needs.
 */
const INBOX_SHARE = 1 / 5;
const EVENTS_SHARE = 1 / 4;
const MIN_LINES = 3;

export interface ScreenSize {
  readonly columns: number;
  readonly rows: number;
}

/** Returns at most `rows` lines. */
export function renderScene(scene: WatchScene, size: ScreenSize, now: number): readonly ScreenLine[] {
  const head = renderSceneHeader(scene, now);
  const foot: ScreenLine = [toStyledSegment('dim', 'q quits · legion inbox · legion explain ISSUE')];
  const available = size.rows - head.length - 1;
  if (scene.snapshot === undefined || available < MIN_LINES) return [...head, foot].slice(0, size.rows);

  const inbox = trimLines(
    renderInboxLines(scene.snapshot, size.columns, now),
    computeShare(available, INBOX_SHARE),
    'first',
  );
  const events = trimLines(renderEventLines(scene), computeShare(available, EVENTS_SHARE), 'last');
  const lowerSections = [...withTitle('Waiting for you', inbox), ...withTitle('Events', events)];
  const visibleSections =
    lowerSections.length > available - MIN_LINES ? withTitle('Waiting for you', inbox) : lowerSections;
  const board = trimLines(
    renderBoardLines(scene.snapshot, size.columns, now),
    available - visibleSections.length,
    'first',
  );
  const blankLines = Array.from(
    { length: Math.max(0, available - visibleSections.length - board.length) },
    (): ScreenLine => [],
  );
  return [...head, ...board, ...blankLines, ...visibleSections, foot].slice(0, size.rows);
}

function renderSceneHeader({ snapshot, away }: WatchScene, now: number): readonly ScreenLine[] {
  const unreachable: readonly ScreenLine[] =
    away === undefined ? [] : [[toStyledSegment('red', `daemon unreachable, retrying: ${away}`)]];
  if (snapshot === undefined) return [[toSegment('reading the board …')], ...unreachable];
  const { legion, startedAt, workers, starts, troubles, scripted } = snapshot.health;
  const waiting = snapshot.inbox.length;
  const issues = snapshot.issues.length;
  const { stopping = 0 } = workers;
  const stoppingText = stopping > 0 ? `, ${stopping} stopping` : '';
  const counts = `${workers.live} of ${workers.limit} workers${stoppingText} · ${formatCount(issues, 'issue')}`;
  return [
    [
      toStyledSegment('bold', legion),
      toSegment(' · '),
      waiting === 0
        ? toStyledSegment('dim', 'nothing is waiting for you')
        : toStyledSegment('yellow', `${waiting} waiting for you`),
      toSegment(` · ${counts} · up ${formatDuration(now - startedAt)}`),
    ],
    ...unreachable,
    ...(scripted === true ? [[toStyledSegment('yellow', SCRIPTED_BANNER)]] : []),
    ...(starts.allowed ? [] : [[toStyledSegment('yellow', `no workers start: ${starts.why ?? 'paused'}`)]]),
    ...troubles.map(({ code, message }) => [toStyledSegment('red', `${message} [${code}]`)]),
    [],
  ];
}

function renderInboxLines({ inbox }: LegionSnapshot, columns: number, now: number): readonly ScreenLine[] {
  return inbox.map(({ kind, issue, title, since, next }) => [
    toStyledSegment('yellow', `  ${issue ?? 'legion'} ${kind}`),
    // Truncates the title, so that the command that resolves the item stays visible.
    toSegment(`  ${truncateText(title, Math.floor(columns / 3))}`),
    toStyledSegment('dim', `  ${next}  ${formatDuration(now - since)}`),
  ]);
}

function renderEventLines({ events }: WatchScene): readonly ScreenLine[] {
  return events.map((event) => {
    const { at, subject, what, detail } = toEventParts(event);
    return [
      toStyledSegment('dim', `  ${at}  `),
      toStyledSegment('cyan', subject === '' ? '' : `${subject}  `),
      toSegment(what),
      toStyledSegment('dim', detail === '' ? '' : `  ${detail}`),
    ];
  });
}

function computeShare(available: number, part: number): number {
  return Math.max(MIN_LINES, Math.floor(available * part));
}

function withTitle(title: string, lines: readonly ScreenLine[]): readonly ScreenLine[] {
  return lines.length === 0 ? [] : [[toStyledSegment('bold', title)], ...lines];
}

/**
 * Keeps the first or the last `max` lines. If it keeps the first, appends the number of omitted
 * lines.
 */
function trimLines(lines: readonly ScreenLine[], max: number, keep: 'first' | 'last'): readonly ScreenLine[] {
  if (lines.length <= max) return lines;
  if (keep === 'last') return lines.slice(-Math.max(0, max));
  const visible = lines.slice(0, Math.max(0, max - 1));
  return [...visible, [toStyledSegment('dim', `  … and ${lines.length - visible.length} more lines`)]].slice(
    0,
    Math.max(0, max),
  );
}

const MAX_ID_COLUMNS = 24;
const MIN_TITLE_COLUMNS = 16;
/** Enough for text such as `implement executing 12m` with an attempt number. */
const MAX_WORKER_COLUMNS = 36;

/**
 * Lays out the board: the tracker's columns one below the other, and each issue with its running
 * worker. Shows only the number of finished issues, because that number grows every day.
 */
function renderBoardLines(
  { issues, workers }: LegionSnapshot,
  columns: number,
  now: number,
): readonly ScreenLine[] {
  if (issues.length === 0) return [[toStyledSegment('dim', 'The board is empty: legion issue add TITLE')]];
  const idWidth = Math.min(MAX_ID_COLUMNS, Math.max(...issues.map(({ id }) => measureWidth(id))));
  const open = [...STATUSES.filter((status) => status !== 'Done'), 'unknown' as const].flatMap((status) => {
    const inColumn = issues.filter((issue) => issue.status === status);
    if (inColumn.length === 0) return [];
    const rows = inColumn.map((issue) => renderIssueRow(issue, workers, { idWidth, columns, now }));
    const title = status === 'unknown' ? 'other columns' : status;
    return [[toStyledSegment('bold', title), toStyledSegment('dim', ` ${inColumn.length}`)], ...rows];
  });
  const finishedCount = issues.filter(({ status }) => isFinished(status)).length;
  return finishedCount === 0
    ? open
    : [...open, [toStyledSegment('bold', 'Done'), toStyledSegment('dim', ` ${finishedCount}`)]];
}

interface IssueRowMeasures {
  readonly idWidth: number;
  readonly columns: number;
  readonly now: number;
}

function renderIssueRow(
  issue: IssueView,
  workers: readonly WorkerView[],
  { idWidth, columns, now }: IssueRowMeasures,
): ScreenLine {
  const active = workers.filter(
    ({ issue: id, status, stopping }) =>
      id === issue.id && (isLive(status) || isWaiting(status) || stopping !== undefined),
  );
  const states =
    active.length > 0 ? active.map((worker) => toWorkerSegment(worker, now)) : [toIdleSegment(issue)];
  const used = 2 + idWidth + 2;
  const titleWidth = Math.max(MIN_TITLE_COLUMNS, columns - used - 2 - MAX_WORKER_COLUMNS);
  return [
    toSegment(`  ${formatColumn(issue.id, idWidth)}  ${formatColumn(issue.title, titleWidth)}  `),
    ...states.flatMap((piece, index) => (index === 0 ? [piece] : [toSegment(', '), piece])),
  ];
}

function toWorkerSegment(worker: WorkerView, now: number): TextSegment {
  const { mode, attempt, since } = worker;
  const attemptSuffix = attempt > 1 ? ` #${attempt}` : '';
  const { text, style } = describeWorkerState(worker);
  return toStyledSegment(style, `${mode}${attemptSuffix} ${text} ${formatDuration(now - since)}`);
}

/** Explains why no worker is running on the issue, using only what the board shows. */
function toIdleSegment({ labels, blockedBy }: IssueView): TextSegment {
  if (labels.includes('legion-paused')) return toStyledSegment('red', 'paused');
  if (labels.includes('user-input-needed')) return toStyledSegment('yellow', 'waiting for an answer');
  if (labels.includes('needs-approval') && !labels.includes('human-approved')) {
    return toStyledSegment('yellow', 'waiting for approval');
  }
  return blockedBy.length > 0 ? toStyledSegment('dim', `waiting for ${blockedBy.join(' ')}`) : toSegment('');
}

export interface LegionSnapshot {
  readonly health: HealthView;
  readonly issues: readonly IssueView[];
  readonly workers: readonly WorkerView[];
  readonly inbox: readonly InboxItem[];
}

export interface WatchScene {
  /** State of the legion. Undefined until it has been read for the first time. */
  readonly snapshot: LegionSnapshot | undefined;
  /** Latest events, oldest first. */
  readonly events: readonly SentEvent[];
  /** Reason why the daemon is unreachable. Undefined while it is reachable. */
  readonly away: string | undefined;
}
