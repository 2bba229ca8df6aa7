/** Parses names on a command line as people write them. */
import { LegionError, shown } from '../core/model/fault.ts';
import { type IssueId, readIssueId } from '../core/model/ids.ts';
import { readStatus, STATUSES, type Status } from '../core/model/status.ts';
import type { Priority } from '../domain/issue.ts';
import { MODES, type Mode, PHASES, type Phase, readMode } from '../domain/mode.ts';
import { unwrap } from '../lib/result.ts';

/** Linear's names of the numbers. */
const PRIORITIES: ReadonlyMap<string, Priority> = new Map([
  ['none', 0],
  ['urgent', 1],
  ['high', 2],
  ['medium', 3],
  ['low', 4],
]);

export const PRIORITY_HELP = 'Priority: urgent, high, medium, low or none';

export function parseIssueId(text: string): IssueId {
  return unwrap(readIssueId(text));
}

/** `in-progress` needs no quotes in a shell. */
export function parseStatus(text: string): Status {
  const status = readStatus(text.replace(/[_-]+/g, ' '));
  if (status !== 'terminal' && status !== 'unknown') return status;
  throw new LegionError('usage.invalid', `Unknown status ${shown(text)}. Valid: ${STATUSES.join(', ')}.`);
}

export function parseMode(text: string): Mode {
  const mode = readMode(text);
  if (mode !== undefined) return mode;
  throw new LegionError('mode.unknown', `Unknown mode ${shown(text)}. Valid: ${MODES.join(', ')}.`);
}

export function parsePhase(text: string): Phase {
  const phase = PHASES.find((each) => each === text.trim().toLowerCase()) ?? readMode(text);
  if (phase !== undefined) return phase;
  throw new LegionError('usage.invalid', `Unknown phase ${shown(text)}. Valid: ${PHASES.join(', ')}.`);
}

export function parsePriority(text: string): Priority {
  const word = text.trim().toLowerCase();
  const priority = PRIORITIES.get(word) ?? [...PRIORITIES.values()].find((number) => String(number) === word);
  if (priority !== undefined) return priority;
  const words = [...PRIORITIES].map(([name, number]) => `${number} (${name})`);
  throw new LegionError('usage.invalid', `Unknown priority ${shown(text)}. Valid: ${words.join(', ')}.`);
}

/** It becomes the name of a file. */
const SESSION_ID = /^[A-Za-z0-9][A-Za-z0-9-]{0,63}$/;

export function parseSessionId(text: string): string {
  if (SESSION_ID.test(text)) return text;
  throw new LegionError('usage.invalid', `--session ${shown(text)} is not a session id`);
}
