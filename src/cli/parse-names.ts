/** Words of a command line that name something of ours, read as people write them. */
import { LegionError } from '../domain/fault.ts';
import { type IssueId, readIssueId } from '../domain/ids.ts';
import type { Priority } from '../domain/issue.ts';
import { MODES, type Mode, PHASES, type Phase, readMode } from '../domain/mode.ts';
import { shown } from '../domain/shown.ts';
import { readStatus, STATUSES, type Status } from '../domain/status.ts';
import { unwrap } from './place.ts';

/** Names of Linear for the same numbers. */
const PRIORITIES: ReadonlyMap<string, Priority> = new Map([
  ['none', 0],
  ['urgent', 1],
  ['high', 2],
  ['medium', 3],
  ['low', 4],
]);

export function parseIssueId(text: string): IssueId {
  return unwrap(readIssueId(text));
}

/** `in-progress` needs no quotes in a shell. */
export function parseStatus(text: string): Status {
  const status = readStatus(text.replace(/[_-]+/g, ' '));
  if (status !== 'terminal' && status !== 'unknown') return status;
  throw new LegionError('usage.invalid', `${shown(text)} is no status; there are ${STATUSES.join(', ')}`);
}

export function parseMode(text: string): Mode {
  const mode = readMode(text);
  if (mode !== undefined) return mode;
  throw new LegionError('mode.unknown', `${shown(text)} is no mode; there are ${MODES.join(', ')}`);
}

export function parsePhase(text: string): Phase {
  const phase = PHASES.find((each) => each === text.trim().toLowerCase()) ?? readMode(text);
  if (phase !== undefined) return phase;
  throw new LegionError('usage.invalid', `${shown(text)} is no phase; there are ${PHASES.join(', ')}`);
}

export function parsePriority(text: string): Priority {
  const word = text.trim().toLowerCase();
  const priority = PRIORITIES.get(word) ?? [...PRIORITIES.values()].find((number) => String(number) === word);
  if (priority !== undefined) return priority;
  const words = [...PRIORITIES].map(([name, number]) => `${number} (${name})`);
  throw new LegionError('usage.invalid', `${shown(text)} is no priority; there are ${words.join(', ')}`);
}
