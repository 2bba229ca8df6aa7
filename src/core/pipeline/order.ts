/**
 * Priorities: the order of decisions within one pass, the order of dispatches, and the order in
 * which issues leave the Icebox.
 */
import { type Action, getActionKind } from '../model/action.ts';
import type { IssuePriority } from '../model/issue.ts';
import type { Mode } from '../model/mode.ts';
import type { IceboxTurn } from '../model/signals.ts';
import type { ObservedStatus } from '../model/status.ts';

export interface RankedIssue {
  readonly issue: string;
  readonly action: Action;
  readonly status: ObservedStatus;
  readonly priority: IssuePriority;
  readonly createdAt: number;
}

/**
 * Orders decisions so that work keeps moving: relay feedback, advance finished work, resume
 * returned work, start new work, pull from the Icebox.
 */
export function compareUrgency(a: RankedIssue, b: RankedIssue): number {
  return (
    getActionRank(a) - getActionRank(b) ||
    toPriorityRank(a.priority) - toPriorityRank(b.priority) ||
    a.createdAt - b.createdAt ||
    (a.issue < b.issue ? -1 : a.issue > b.issue ? 1 : 0)
  );
}

function getActionRank({ action, status }: RankedIssue): number {
  switch (getActionKind(action)) {
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
function toPriorityRank(priority: IssuePriority): number {
  return priority === 0 ? 5 : priority;
}

export interface WorkerCapacity {
  /**
   * Limit for all workers together. Reviewers are exempt, because a short review unblocks long
   * work.
   */
  readonly workers: number;
  readonly perMode: Readonly<Partial<Record<Mode, number>>>;
}

/**
 * Returns whether one more worker of this mode may start in addition to those that currently hold a
 * slot.
 */
export function hasCapacity(
  mode: Mode,
  slotsInUse: Readonly<Partial<Record<Mode, number>>>,
  capacity: WorkerCapacity,
): boolean {
  const limit = capacity.perMode[mode];
  if (limit !== undefined && (slotsInUse[mode] ?? 0) >= limit) return false;
  return mode === 'review' || countTakenSlots(slotsInUse) < capacity.workers;
}

export function countTakenSlots(slotsInUse: Readonly<Partial<Record<Mode, number>>>): number {
  let sum = 0;
  for (const [mode, count] of Object.entries(slotsInUse)) if (mode !== 'review') sum += count;
  return sum;
}

export interface IceboxIssue {
  readonly issue: string;
  /** True if a person put the issue into the Icebox. In that case, only a person can take it out. */
  readonly parked: boolean;
  readonly clarified: boolean;
  readonly createdAt: number;
}

/**
 * Lets one issue leave the Icebox at a time: the oldest clarified one, and only into a free slot.
 */
export function assignIceboxTurns(
  issues: readonly IceboxIssue[],
  capacity: boolean,
): ReadonlyMap<string, IceboxTurn> {
  const clarified = issues.filter((issue) => issue.clarified && !issue.parked);
  const [oldest] = clarified.toSorted((a, b) => a.createdAt - b.createdAt || (a.issue < b.issue ? -1 : 1));
  const chooseTurn = ({ issue, clarified, parked }: IceboxIssue): IceboxTurn => {
    if (parked) return 'parked';
    if (!clarified) return 'unclarified';
    if (!capacity) return 'no_capacity';
    return issue === oldest?.issue ? 'due' : 'not_its_turn';
  };
  return new Map(issues.map((issue) => [issue.issue, chooseTurn(issue)]));
}

/**
 * Returns the time at which the next dispatch may start. Agents that need a delay start at least
 * `staggerMs` apart. A last dispatch in the future means that the clock was set back, so it causes
 * no delay: the clock could take hours to catch up.
 */
export function computeNextDispatchAt(
  lastDispatchAt: number | undefined,
  now: number,
  staggerMs: number,
): number {
  return lastDispatchAt === undefined || lastDispatchAt > now
    ? now
    : Math.max(now, lastDispatchAt + staggerMs);
}
