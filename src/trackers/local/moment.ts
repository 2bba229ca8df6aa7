/** The time of what happens to an issue: by the clock, but never before, nor at the same time as, what happened last. */
import type { DatabaseSync } from 'node:sqlite';
import type { IssueId } from '../../core/model/ids.ts';

/** "Commented since it entered the column" must have an answer even within a millisecond, or after the clock was set back. */
export type NextMoment = (issue: IssueId) => number;

export function moments(db: DatabaseSync, now: () => number): NextMoment {
  const latest = db.prepare(`
    SELECT max(entered_at, coalesce((SELECT max(at) FROM comments WHERE issue = issues.id), entered_at)) AS at
    FROM issues WHERE id = ?`);
  return (issue) => {
    const { at } = latest.get(issue) ?? {};
    return Math.max(now(), Number(at) + 1);
  };
}
