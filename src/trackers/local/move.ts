/** Moving an issue between columns, closing it, and opening it again. */
import type { DatabaseSync } from 'node:sqlite';
import type { IssueId } from '../../core/model/ids.ts';
import type { Status } from '../../core/model/status.ts';
import { unknownIssue } from '../accepted-id.ts';
import { columnOf, hasEnded } from './column.ts';
import type { NextMoment } from './moment.ts';

interface Place {
  readonly status: Status;
  readonly closed: number;
}

/** Each resolves to the issues that look different afterwards. */
export interface Mover {
  /** Legion's move: what a person has closed stays closed. */
  move(issue: IssueId, to: Status): readonly IssueId[];
  /** A person's move. */
  moveAndOpen(issue: IssueId, to: Status): readonly IssueId[];
  close(issue: IssueId): readonly IssueId[];
}

export function mover(db: DatabaseSync, nextMoment: NextMoment): Mover {
  const find = db.prepare('SELECT status, closed FROM issues WHERE id = ?');
  const put = db.prepare('UPDATE issues SET status = ?2, closed = ?3 WHERE id = ?1');
  const enter = db.prepare('UPDATE issues SET entered_at = ?2 WHERE id = ?1');
  const waiting = db.prepare('SELECT issue FROM blockers WHERE blocker = ?');

  function change(issue: IssueId, to: (from: Place) => Place): readonly IssueId[] {
    const from = find.get(issue) as Place | undefined;
    if (from === undefined) throw unknownIssue(issue);
    const place = to(from);
    if (place.status === from.status && place.closed === from.closed) return [];
    put.run(issue, place.status, place.closed);
    if (columnOf(place) === columnOf(from)) return [];
    enter.run(issue, nextMoment(issue));
    return hasEnded(place) === hasEnded(from) ? [issue] : [issue, ...waitingFor(issue)];
  }

  function waitingFor(blocker: IssueId): IssueId[] {
    return waiting.all(blocker).map(({ issue }) => String(issue));
  }

  return {
    move: (issue, status) => change(issue, ({ closed }) => ({ status, closed })),
    moveAndOpen: (issue, status) => change(issue, () => ({ status, closed: 0 })),
    close: (issue) =>
      change(issue, (from) => (from.status === 'Done' ? from : { status: from.status, closed: 1 })),
  };
}
