/** Refuses to work on an issue that is not on the board. */
import type { DatabaseSync } from 'node:sqlite';
import type { IssueId } from '../../core/model/ids.ts';
import { unknownIssue } from '../accepted-id.ts';

export type RequireKnown = (issue: IssueId) => void;

export function knownIssues(db: DatabaseSync): RequireKnown {
  const find = db.prepare('SELECT 1 FROM issues WHERE id = ?');
  return (issue) => {
    if (find.get(issue) === undefined) throw unknownIssue(issue);
  };
}
