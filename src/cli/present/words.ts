/**
 * Defines the words, colours and formats that several pages share: statuses, worker states,
 * verdicts, times and merge conditions.
 */

import { styleText } from 'node:util';
import { formatDateTime, formatDuration, formatTimeOfDay } from '../../core/model/format.ts';
import { isLive, type LifecycleState } from '../../core/model/lifecycle.ts';
import type { GatesView } from '../../protocol/operator.ts';
import type { WorkerView } from '../../protocol/workers.ts';
import { measureWidth, padText } from './fit.ts';
import type { TextStyle } from './table.ts';
import { sanitizeLine } from './terminal.ts';

const PRIORITY_LABELS = ['', 'urgent', 'high', 'medium', 'low'] as const;

export function toPriorityLabel(priority: number): string {
  return PRIORITY_LABELS[priority] ?? '';
}

/** `terminal` is the protocol's word for an issue that was closed outside the pipeline. */
export function toStatusLabel(status: string): string {
  return status === 'terminal' ? 'Closed' : status;
}

/**
 * Describes the state of a worker. Its process may still be stopping, or may have exited already.
 */
export function describeWorkerState({ status, stopping, hasExited }: WorkerView): {
  readonly text: string;
  readonly style: TextStyle;
} {
  if (stopping !== undefined) return { text: 'stopping', style: 'yellow' };
  if (hasExited === true) return { text: 'exited', style: 'yellow' };
  return { text: status, style: getLifecycleStyle(status) };
}

export function getLifecycleStyle(state: LifecycleState): TextStyle {
  if (isLive(state)) return 'cyan';
  if (state === 'finished') return 'green';
  return state === 'crashed' || state === 'paused' ? 'red' : state === 'stopped' ? 'dim' : 'yellow';
}

export const VERDICT_MARKS = {
  pass: { mark: '✓', style: 'green' },
  fail: { mark: '✗', style: 'red' },
  unknown: { mark: '?', style: 'yellow' },
} as const satisfies Readonly<Record<string, { mark: string; style: TextStyle }>>;

export function formatTimeAgo(at: number, now: number): string {
  return `${formatDuration(now - at)} ago`;
}

/** Formats a moment in this machine's time zone. */
export function formatLocalMoment(at: number): string {
  return formatDateTime(new Date(at));
}

export function formatLocalTime(at: number): string {
  return formatTimeOfDay(new Date(at));
}

type MergeCondition = GatesView['preMerge'][number];

/** Formats the conditions of a merge as a checklist. */
export function renderChecklist(conditions: readonly MergeCondition[]): string {
  const width = Math.max(0, ...conditions.map(({ name }) => measureWidth(name)));
  return conditions.map((condition) => `  ${renderCondition(condition, width)}\n`).join('');
}

function renderCondition({ name, verdict, evidence }: MergeCondition, width: number): string {
  const { mark, style } = VERDICT_MARKS[verdict];
  return `${styleText(style, mark)} ${padText(sanitizeLine(name.replaceAll('_', ' ')), width)}  ${sanitizeLine(evidence)}`.trimEnd();
}
