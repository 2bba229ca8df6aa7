/** Renders the health of a daemon, and the page of `legion status`. */
import { styleText } from 'node:util';
import { formatDollars, formatDuration } from '../../core/model/format.ts';
import { isLive, isWaiting } from '../../core/model/lifecycle.ts';
import type { HealthView, IssueSummary, StatusAnswer } from '../../protocol/status.ts';
import { renderTable, type TableCell } from './table.ts';
import { sanitizeLine, sanitizeText } from './terminal.ts';
import { formatTimeAgo, getLifecycleStyle, toStatusLabel } from './words.ts';

export function renderHealth(health: HealthView, now: number): readonly string[] {
  const { legion, pid, version, startedAt, workers, starts, autoAdvance } = health;
  const state = health.ok ? styleText('green', 'running') : styleText('red', 'running with problems');
  const waiting = workers.waiting > 0 ? `, ${workers.waiting} waiting` : '';
  const { stopping = 0 } = workers;
  const stoppingText = stopping > 0 ? `, ${stopping} stopping` : '';
  return [
    `${styleText('bold', sanitizeLine(legion))}  ${state} for ${formatDuration(now - startedAt)}, pid ${pid}, version ${sanitizeLine(version)}`,
    `workers ${workers.live} of ${workers.limit}${waiting}${stoppingText}; board ${sanitizeLine(health.backend)}, forge ${sanitizeLine(health.forge)}`,
    ...renderDailySpending(health),
    ...renderPace(health),
    ...renderApiBudget(health, now),
    ...renderHold(starts, now),
    ...(autoAdvance
      ? []
      : [styleText('yellow', 'auto_advance is off: issues move only when you run `legion advance`')]),
    ...(health.baselines ?? []).map(({ repo, command }) =>
      styleText(
        'yellow',
        `the baseline of ${sanitizeLine(repo)} is running (${sanitizeLine(command)}): no workers start until it has finished`,
      ),
    ),
    ...renderProblems(health, now),
    ...renderNotices(health),
  ];
}

function renderHold({ allowed, kind, why = 'paused', since }: HealthView['starts'], now: number): string[] {
  if (allowed) return [];
  const sinceText = since === undefined ? '' : `, ${formatTimeAgo(since, now)}`;
  const remedy = kind === 'deaths' ? '' : '; `legion resume` ends it';
  return kind === 'halt'
    ? [styleText('red', `HALTED: ${sanitizeText(why)}${sinceText}${remedy}`)]
    : [styleText('yellow', `no workers start: ${sanitizeText(why)}${sinceText}${remedy}`)];
}

/**
 * Shows today's spending. It is coloured once the daily budget prevents new workers from starting.
 */
function renderDailySpending({ day }: HealthView): readonly string[] {
  if (day === undefined) return [];
  const { usd, usdLimit, tokens, tokensLimit, refusal } = day;
  const money = `${formatDollars(usd)}${usdLimit === undefined ? '' : ` of ${formatDollars(usdLimit)}`}`;
  const counted =
    tokens === 0
      ? ''
      : `, ${tokens.toLocaleString('en')}${tokensLimit === undefined ? '' : ` of ${tokensLimit.toLocaleString('en')}`} tokens without a reported cost`;
  const text = `spent today ${money}${counted}`;
  return [refusal === undefined ? text : styleText('yellow', `${text}: ${sanitizeText(refusal)}`)];
}

export function renderProblems({ troubles }: HealthView, now: number): readonly string[] {
  return troubles.map(
    ({ code, message, next, since }) =>
      `${styleText('red', 'problem')} ${sanitizeText(message)} [${sanitizeLine(code)}], first seen ${formatTimeAgo(since, now)}\n  ${sanitizeText(next)}`,
  );
}

export function renderNotices({ notices = [] }: HealthView): readonly string[] {
  return notices.map(
    ({ message, next }) => `${styleText('yellow', 'note')} ${sanitizeText(message)}\n  ${sanitizeText(next)}`,
  );
}

/** Shows how often the board is read, if there is a special reason for the current interval. */
function renderPace({ polling }: HealthView): readonly string[] {
  return polling === undefined || polling.reason === 'normal' ? [] : [sanitizeLine(polling.says)];
}

/**
 * Below this share of the API budget, Legion reads the board less often. Only then is the remaining
 * budget shown.
 */
const LOW_BUDGET_SHARE = 0.5;

function renderApiBudget({ budget, backend }: HealthView, now: number): readonly string[] {
  if (budget === undefined || budget.remaining >= LOW_BUDGET_SHARE * budget.limit) return [];
  const until = `resets in ${formatDuration(Math.max(0, budget.resetsAt - now))}`;
  const text = `${sanitizeLine(backend)} API budget has ${budget.remaining} of ${budget.limit} points left, ${until}: the board is read less often`;
  return [styleText('yellow', text)];
}

/** Renders `legion status`: the daemon, then a table of issues. */
export function renderStatusPage(
  { daemon, issues, isOutdated, waiting }: StatusAnswer,
  columns: number,
): string {
  const rows = issues.map((issue) => [
    issue.id,
    toStatusLabel(issue.status),
    toWorkerCell(issue),
    issue.title,
    issue.says,
  ]);
  return [
    ...renderHealth(daemon, Date.now()),
    ...(waiting === 0 ? [] : [styleText('yellow', `${waiting} waiting for you: run legion inbox`)]),
    '',
    ...(isOutdated ? ['The board cannot be read right now. This is its last known state.', ''] : []),
    rows.length === 0
      ? isOutdated
        ? 'The board has not been read yet.'
        : 'No issues are open.'
      : renderTable(['ISSUE', 'STATUS', 'WORKER', 'TITLE', 'WHY'], rows, columns).trimEnd(),
  ].join('\n');
}

/**
 * Shows only the current worker, because a worker that has ended is not part of the issue's current
 * state.
 */
function toWorkerCell({
  workerMode,
  workerStatus,
  workerStopping,
  hasWorkerExited,
}: IssueSummary): TableCell {
  if (workerMode === null || workerStatus === null) return '';
  if (workerStopping !== undefined) return { text: `${workerMode} stopping`, style: 'yellow' };
  if (hasWorkerExited === true) return { text: `${workerMode} exited`, style: 'yellow' };
  if (!isLive(workerStatus) && !isWaiting(workerStatus)) return '';
  return { text: `${workerMode} ${workerStatus}`, style: getLifecycleStyle(workerStatus) };
}
