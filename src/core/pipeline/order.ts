/** Who comes first: the order of decisions in one pass, of dispatches among themselves, and of issues in the Icebox. */

import type { Priority } from '../../domain/issue.ts';
import type { Mode } from '../../domain/mode.ts';
import { type Action, kindOf } from '../model/action.ts';
import type { IceboxTurn } from '../model/signals.ts';
import type { SeenStatus } from '../model/status.ts';

export interface Ranked {
  readonly issue: string;
  readonly action: Action;
  readonly status: SeenStatus;
  readonly priority: Priority;
  readonly createdAt: number;
}

/** Keep work moving: relay feedback, advance what is finished, resume what came back, start new work, pull from Icebox. */
export function byUrgency(a: Ranked, b: Ranked): number {
  return (
    rankOf(a) - rankOf(b) ||
    priorityRank(a.priority) - priorityRank(b.priority) ||
    a.createdAt - b.createdAt ||
    (a.issue < b.issue ? -1 : a.issue > b.issue ? 1 : 0)
  );
}

function rankOf({ action, status }: Ranked): number {
  switch (kindOf(action)) {
    case 'relay':
      return 0;
    case 'transition':
      return status === 'Icebox' ? 4 : 1;
    case 'add':
    case 'remove':
    case 'retry':
    case 'investigate':
      return 1;
    case 'resume':
      return 2;
    case 'dispatch':
      return 3;
    case 'skip':
      return 5;
  }
}

/** An issue without a priority comes after those that have one. */
function priorityRank(priority: Priority): number {
  return priority === 0 ? 5 : priority;
}

export interface Places {
  /** All workers together; reviewers are exempt, because a short review unblocks long work. */
  readonly workers: number;
  readonly perMode: Readonly<Partial<Record<Mode, number>>>;
}

/** Whether one more worker of this mode may start beside those that hold a place now. */
export function hasPlace(
  mode: Mode,
  taken: Readonly<Partial<Record<Mode, number>>>,
  places: Places,
): boolean {
  const limit = places.perMode[mode];
  if (limit !== undefined && (taken[mode] ?? 0) >= limit) return false;
  return mode === 'review' || placesTaken(taken) < places.workers;
}

export function placesTaken(taken: Readonly<Partial<Record<Mode, number>>>): number {
  let sum = 0;
  for (const [mode, count] of Object.entries(taken)) if (mode !== 'review') sum += count;
  return sum;
}

export interface IceboxIssue {
  readonly issue: string;
  /** A person put it into the Icebox; only a person takes it out. */
  readonly parked: boolean;
  readonly clarified: boolean;
  readonly createdAt: number;
}

/** One issue leaves the Icebox at a time, the oldest clarified one, and only into a free place. */
export function iceboxTurns(
  issues: readonly IceboxIssue[],
  capacity: boolean,
): ReadonlyMap<string, IceboxTurn> {
  const clarified = issues.filter((issue) => issue.clarified && !issue.parked);
  const [oldest] = clarified.toSorted((a, b) => a.createdAt - b.createdAt || (a.issue < b.issue ? -1 : 1));
  const turnOf = ({ issue, clarified, parked }: IceboxIssue): IceboxTurn => {
    if (parked) return 'parked';
    if (!clarified) return 'unclarified';
    if (!capacity) return 'no_capacity';
    return issue === oldest?.issue ? 'due' : 'not_its_turn';
  };
  return new Map(issues.map((issue) => [issue.issue, turnOf(issue)]));
}

/**
 * When the next dispatch may go out; agents that need it start at least `stagger` apart. A dispatch in the future means that
 * the clock was set back: waiting for it to catch up could take hours.
 */
export function nextDispatchAt(lastDispatchAt: number | undefined, now: number, staggerMs: number): number {
  return lastDispatchAt === undefined || lastDispatchAt > now
    ? now
    : Math.max(now, lastDispatchAt + staggerMs);
}
