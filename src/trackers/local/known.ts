/** Refuses to work on an issue that is not on the board. */
import type { DatabaseSync } from 'node:sqlite';
import { LegionError } from '../../domain/fault.ts';
import type { IssueId } from '../../domain/ids.ts';

export type RequireKnown = (issue: IssueId) => void;

export function knownIssues(db: DatabaseSync): RequireKnown {
  const find = db.prepare('SELECT 1 FROM issues WHERE id = ?');
  return (issue) => {
    if (find.get(issue) === undefined) throw unknownIssue(issue);
  };
}

export function unknownIssue(issue: IssueId): LegionError {
  return new LegionError('tracker.issue_unknown', `${issue}: is not on the board`);
}
