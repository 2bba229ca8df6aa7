/** Formats a journal event as one line, even if this version does not know its type. */

import { decodeEventBody } from '../../core/model/event.ts';
import { describeEvent } from '../../daemon/present/event.ts';
import type { SentEvent } from '../watch-events.ts';
import { sanitizeLine } from './terminal.ts';
import { formatLocalTime } from './words.ts';

/** Fields to show for an unknown event, most informative first. */
const DETAIL_FIELDS = [
  'action',
  'outcome',
  'verdict',
  'kind',
  'stage',
  'phase',
  'for',
  'reason',
  'summary',
  'text',
  'why',
  'missing',
  'detail',
  'leader',
  'by',
] as const;
const MAX_DETAILS = 3;

export interface EventParts {
  readonly at: string;
  readonly subject: string;
  readonly what: string;
  readonly detail: string;
}

export function toEventParts(event: SentEvent): EventParts {
  const { seq, at, epoch, type, ...rest } = event;
  const known = decodeEventBody({ type, ...rest });
  if (known.ok)
    return {
      at: formatLocalTime(at),
      subject: sanitizeLine(extractIssue(event)),
      what: sanitizeLine(describeEvent({ ...known.value, seq, at, epoch: Number(epoch) })),
      detail: '',
    };
  return {
    at: formatLocalTime(at),
    subject: sanitizeLine(describeEventSubject(event)),
    what: sanitizeLine(type.replace(/[._]/g, ' ')),
    detail: sanitizeLine(describeEventDetail(event)),
  };
}

export function formatEventLine(event: SentEvent): string {
  const { at, subject, what, detail } = toEventParts(event);
  return [at, subject, what, detail].filter((part) => part !== '').join('  ');
}

function extractIssue(event: SentEvent): string {
  const { issue } = { ...extractCommand(event), ...event };
  return typeof issue === 'string' ? issue : '';
}

function describeEventSubject(event: SentEvent): string {
  const { mode, attempt } = { ...extractCommand(event), ...event };
  const issue = extractIssue(event);
  if (issue === '') return '';
  const attemptLabel = typeof attempt === 'number' ? `#${attempt}` : '';
  return typeof mode === 'string' ? `${issue} ${mode}${attemptLabel}` : issue;
}

function describeEventDetail(event: SentEvent): string {
  const fields: Readonly<Record<string, unknown>> = { ...extractCommand(event), ...event };
  const { add, remove } = fields;
  const details = DETAIL_FIELDS.map((name) => fields[name]).filter((value) => typeof value === 'string');
  const labels = [formatLabelChanges('+', add), formatLabelChanges('-', remove)]
    .filter((text) => text !== '')
    .join(' ');
  return [...details.slice(0, MAX_DETAILS), labels].filter((text) => text !== '').join(': ');
}

/**
 * Returns the `command` of an event. In an intent event, this is the command that Legion is about
 * to run.
 */
function extractCommand({ command }: SentEvent): Readonly<Record<string, unknown>> {
  return typeof command === 'object' && command !== null ? { ...command } : {};
}

function formatLabelChanges(sign: string, labels: unknown): string {
  if (!Array.isArray(labels)) return '';
  return labels.map((label) => `${sign}${String(label)}`).join(' ');
}
