/** One event of the journal as a line, also of a type that this version does not know. */

import { decodeEventBody } from '../../core/model/event.ts';
import { eventInWords } from '../../daemon/present/event.ts';
import type { SentEvent } from '../event-stream.ts';
import { safeLine } from './safe.ts';
import { clock } from './time.ts';

/** What a person wants to know of an event, most telling first. */
const TELLING = [
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
const TOLD_MOST = 3;

export interface EventParts {
  readonly at: string;
  readonly subject: string;
  readonly what: string;
  readonly detail: string;
}

export function eventParts(event: SentEvent): EventParts {
  const { seq, at, epoch, type, ...rest } = event;
  const known = decodeEventBody({ type, ...rest });
  if (known.ok)
    return {
      at: clock(at),
      subject: safeLine(issueOf(event)),
      what: safeLine(eventInWords({ ...known.value, seq, at, epoch: Number(epoch) })),
      detail: '',
    };
  return {
    at: clock(at),
    subject: safeLine(subjectOf(event)),
    what: safeLine(type.replace(/[._]/g, ' ')),
    detail: safeLine(detailOf(event)),
  };
}

export function eventLine(event: SentEvent): string {
  const { at, subject, what, detail } = eventParts(event);
  return [at, subject, what, detail].filter((part) => part !== '').join('  ');
}

function issueOf(event: SentEvent): string {
  const { issue } = { ...commandOf(event), ...event };
  return typeof issue === 'string' ? issue : '';
}

function subjectOf(event: SentEvent): string {
  const { mode, attempt } = { ...commandOf(event), ...event };
  const issue = issueOf(event);
  if (issue === '') return '';
  const life = typeof attempt === 'number' ? `#${attempt}` : '';
  return typeof mode === 'string' ? `${issue} ${mode}${life}` : issue;
}

function detailOf(event: SentEvent): string {
  const fields: Readonly<Record<string, unknown>> = { ...commandOf(event), ...event };
  const { add, remove } = fields;
  const told = TELLING.map((name) => fields[name]).filter((value) => typeof value === 'string');
  const labels = [signed('+', add), signed('-', remove)].filter((text) => text !== '').join(' ');
  return [...told.slice(0, TOLD_MOST), labels].filter((text) => text !== '').join(': ');
}

/** What an intent is about to do stands inside of it. */
function commandOf({ command }: SentEvent): Readonly<Record<string, unknown>> {
  return typeof command === 'object' && command !== null ? { ...command } : {};
}

function signed(sign: string, labels: unknown): string {
  if (!Array.isArray(labels)) return '';
  return labels.map((label) => `${sign}${String(label)}`).join(' ');
}
