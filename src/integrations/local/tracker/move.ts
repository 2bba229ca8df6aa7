/** Moves, closes, reopens, labels and blocks issues. */
import type { DatabaseSync } from 'node:sqlite';
import { LegionError } from '../../../core/model/fault.ts';
import type { IssueId } from '../../../core/model/ids.ts';
import type { Status } from '../../../core/model/status.ts';
import type { AnyLabelChange } from '../../../ports/board-editor.ts';
import { createUnknownIssueFault } from '../../tracker-support/issue-input.ts';
import { hasEnded, type NextMoment, resolveColumn } from './read.ts';

interface IssueColumnState {
  readonly status: Status;
  readonly closed: number;
}

/** Methods return the issues whose visible state changed. */
export interface IssueMover {
  /** Carries out Legion's move, which keeps a closed issue closed. */
  move(issue: IssueId, to: Status): readonly IssueId[];
  /** Carries out a person's move, which reopens a closed issue. */
  moveAndOpen(issue: IssueId, to: Status): readonly IssueId[];
  close(issue: IssueId): readonly IssueId[];
}

export function createIssueMover(db: DatabaseSync, nextMoment: NextMoment): IssueMover {
  const find = db.prepare('SELECT status, closed FROM issues WHERE id = ?');
  const put = db.prepare('UPDATE issues SET status = ?2, closed = ?3 WHERE id = ?1');
  const enter = db.prepare('UPDATE issues SET entered_at = ?2 WHERE id = ?1');
  const waiting = db.prepare('SELECT issue FROM blockers WHERE blocker = ?');

  function change(issue: IssueId, to: (from: IssueColumnState) => IssueColumnState): readonly IssueId[] {
    const from = find.get(issue) as IssueColumnState | undefined;
    if (from === undefined) throw createUnknownIssueFault(issue);
    const next = to(from);
    if (next.status === from.status && next.closed === from.closed) return [];
    put.run(issue, next.status, next.closed);
    if (resolveColumn(next) === resolveColumn(from)) return [];
    enter.run(issue, nextMoment(issue));
    return hasEnded(next) === hasEnded(from) ? [issue] : [issue, ...listWaiting(issue)];
  }

  function listWaiting(blocker: IssueId): IssueId[] {
    return waiting.all(blocker).map(({ issue }) => String(issue));
  }

  return {
    move: (issue, status) => change(issue, ({ closed }) => ({ status, closed })),
    moveAndOpen: (issue, status) => change(issue, () => ({ status, closed: 0 })),
    close: (issue) =>
      change(issue, (from) => (from.status === 'Done' ? from : { status: from.status, closed: 1 })),
  };
}

/** Returns true if a label was added or removed. The issue must be on the board. */
export type RelabelIssue = (issue: IssueId, change: AnyLabelChange) => boolean;

/** Adds labels to an issue and removes them. */
export function createRelabelIssue(db: DatabaseSync): RelabelIssue {
  const put = db.prepare('INSERT INTO labels (issue, name) VALUES (?, ?) ON CONFLICT DO NOTHING');
  const take = db.prepare('DELETE FROM labels WHERE issue = ? AND name = ?');
  return (issue, { add, remove }) => {
    let changes = 0;
    for (const name of remove) changes += Number(take.run(issue, name).changes);
    for (const name of add) changes += Number(put.run(issue, name).changes);
    return changes > 0;
  };
}

/** Maximum number of ids shown for a cycle. The middle of a longer cycle is omitted. */
const MAX_SHOWN_NAMES = 10;

/** Methods return true if something changed. All given issues must be on the board. */
export interface BlockerStore {
  block(issue: IssueId, by: IssueId): boolean;
  unblock(issue: IssueId, by: IssueId): boolean;
}

/** Adds and removes blockers and rejects cycles. */
export function createBlockerStore(db: DatabaseSync): BlockerStore {
  const put = db.prepare('INSERT INTO blockers (issue, blocker) VALUES (?, ?) ON CONFLICT DO NOTHING');
  const take = db.prepare('DELETE FROM blockers WHERE issue = ? AND blocker = ?');
  // Finds the issues that wait for an issue: those it blocks and, if it is a sub-issue, its parent.
  const waiting = db.prepare(`
    SELECT issue AS id FROM blockers WHERE blocker = ?1
    UNION SELECT parent FROM issues WHERE id = ?1 AND parent IS NOT NULL`);
  const listWaiting = (issue: IssueId) => waiting.all(issue).map(({ id }) => String(id));

  return {
    block(issue, by) {
      // Starts from the issue to be blocked: for a new issue the search ends at once, because no
      // other issue waits for it.
      const cycle = findCyclePath(issue, by, listWaiting);
      if (cycle !== undefined) throw createCycleFault(issue, by, cycle);
      return put.run(issue, by).changes === 1;
    },
    unblock: (issue, by) => take.run(issue, by).changes === 1,
  };
}

/**
 * Searches from `from` to `to` and returns the shortest path in reverse order, with both ends
 * included. `next` returns the issues one step further from an issue.
 */
function findCyclePath(
  from: IssueId,
  to: IssueId,
  next: (issue: IssueId) => readonly IssueId[],
): readonly IssueId[] | undefined {
  const predecessors = new Map<IssueId, IssueId | undefined>([[from, undefined]]);
  // Iterating a map also visits the keys that are added during the iteration.
  for (const issue of predecessors.keys()) {
    if (issue === to) return collectPath(predecessors, to);
    for (const each of next(issue)) if (!predecessors.has(each)) predecessors.set(each, issue);
  }
  return undefined;
}

function collectPath(steps: ReadonlyMap<IssueId, IssueId | undefined>, start: IssueId): readonly IssueId[] {
  const path: IssueId[] = [];
  for (let at: IssueId | undefined = start; at !== undefined; at = steps.get(at)) path.push(at);
  return path;
}

function createCycleFault(issue: IssueId, by: IssueId, cycle: readonly IssueId[]): LegionError {
  const names = [issue, ...cycle];
  const half = MAX_SHOWN_NAMES / 2;
  const named =
    names.length > MAX_SHOWN_NAMES ? [...names.slice(0, half), '…', ...names.slice(-half)] : names;
  return new LegionError(
    'tracker.cycle',
    `${issue} cannot wait for ${by}, because they would form a cycle: ${named.join(' → ')}`,
  );
}
