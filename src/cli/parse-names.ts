/** Parses names that people type on a command line, and reads the name of the operator. */

import { userInfo } from 'node:os';
import { LegionError, quoteText } from '../core/model/fault.ts';
import { type IssueId, readIssueId } from '../core/model/ids.ts';
import type { IssuePriority } from '../core/model/issue.ts';
import { MODES, type Mode, PHASES, type Phase, readMode } from '../core/model/mode.ts';
import { readStatus, STATUSES, type Status } from '../core/model/status.ts';
import { unwrap } from '../lib/result.ts';

/** Linear's names for the priorities. */
const PRIORITIES: ReadonlyMap<string, IssuePriority> = new Map([
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

/** Parses a status. Also accepts a form such as `in-progress`, which needs no quotes in a shell. */
export function parseStatus(text: string): Status {
  const status = readStatus(text.replace(/[_-]+/g, ' '));
  if (status !== 'terminal' && status !== 'unknown') return status;
  throw new LegionError('usage.invalid', `Unknown status ${quoteText(text)}. Valid: ${STATUSES.join(', ')}.`);
}

export function parseMode(text: string): Mode {
  const mode = readMode(text);
  if (mode !== undefined) return mode;
  throw new LegionError('mode.unknown', `Unknown mode ${quoteText(text)}. Valid: ${MODES.join(', ')}.`);
}

export function parsePhase(text: string): Phase {
  const phase = PHASES.find((each) => each === text.trim().toLowerCase()) ?? readMode(text);
  if (phase !== undefined) return phase;
  throw new LegionError('usage.invalid', `Unknown phase ${quoteText(text)}. Valid: ${PHASES.join(', ')}.`);
}

export function parsePriority(text: string): IssuePriority {
  const word = text.trim().toLowerCase();
  const priority = PRIORITIES.get(word) ?? [...PRIORITIES.values()].find((number) => String(number) === word);
  if (priority !== undefined) return priority;
  const words = [...PRIORITIES].map(([name, number]) => `${number} (${name})`);
  throw new LegionError('usage.invalid', `Unknown priority ${quoteText(text)}. Valid: ${words.join(', ')}.`);
}

/** Allows only characters that are also safe in a file name. */
const SESSION_ID = /^[A-Za-z0-9][A-Za-z0-9-]{0,63}$/;

export function parseSessionId(text: string): string {
  if (SESSION_ID.test(text)) return text;
  throw new LegionError(
    'usage.invalid',
    `Invalid --session ${quoteText(text)}. Valid: up to 64 letters, digits and hyphens.`,
  );
}

/** The same limit as in the protocol's schema. */
const MAX_NAME_CHARACTERS = 100;

/** Returns the name of the operator for the journal. */
export function getOperatorName(): string {
  try {
    return userInfo().username.slice(0, MAX_NAME_CHARACTERS) || 'operator';
  } catch {
    return 'operator'; // a container may run as a user id without a name
  }
}
