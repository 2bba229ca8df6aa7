/** Reading issues and comments. Each read is one statement, so no other writer can come between its parts. */
import type { DatabaseSync } from 'node:sqlite';
import { type IssueId, readIssueId } from '../../domain/ids.ts';
import type { Issue } from '../../domain/issue.ts';
import type { Comment } from '../tracker.ts';
import { commentIn, issueIn } from './row.ts';

const ISSUES = `
  SELECT id, title, body, status, closed, priority, parent, created_at, entered_at,
    (SELECT json_group_array(name ORDER BY name) FROM labels WHERE issue = issues.id) AS labels,
    (SELECT json_group_array(id ORDER BY number) FROM (
      SELECT other.id, other.number FROM blockers JOIN issues AS other ON other.id = blockers.blocker
      WHERE blockers.issue = issues.id AND other.closed = 0 AND other.status <> 'Done'
    )) AS open_blockers,
    (SELECT json_group_array(blocker ORDER BY blocker) FROM blockers
      WHERE blockers.issue = issues.id AND blocker NOT IN (SELECT id FROM issues)) AS lost_blockers
  FROM issues`;

/** The tables are STRICT, so the columns have these types; what is in them may have been written by another program. */
export interface Row {
  readonly id: string;
  readonly title: string;
  readonly body: string;
  readonly status: string;
  readonly closed: number;
  readonly priority: number;
  readonly parent: string | null;
  readonly created_at: number;
  readonly entered_at: number;
  readonly labels: string;
  readonly open_blockers: string;
  readonly lost_blockers: string;
}

export interface Reader {
  list(): readonly Issue[];
  read(issue: IssueId): Issue | undefined;
  commentsSince(issue: IssueId, since: number): readonly Comment[];
  /** Why the last list had to leave rows out. */
  troubles(): readonly string[];
}

export function reader(db: DatabaseSync): Reader {
  let troubles: readonly string[] = [];
  const all = db.prepare(`${ISSUES} ORDER BY number`);
  const one = db.prepare(`${ISSUES} WHERE id = ?`);
  const comments = db.prepare(
    'SELECT number, author, by, at, text FROM comments WHERE issue = ? AND at >= ? ORDER BY at, number',
  );
  return {
    list() {
      const rows = all.all() as unknown as Row[];
      troubles = rows.flatMap(({ id }) => {
        const read = readIssueId(id);
        return read.ok ? [] : [`a row of the board is left out: ${read.fault.message}`];
      });
      return rows.filter(({ id }) => readIssueId(id).ok).map(issueIn);
    },
    read(issue) {
      const row = one.get(issue) as Row | undefined;
      return row === undefined ? undefined : issueIn(row);
    },
    commentsSince: (issue, since) => comments.all(issue, since).map(commentIn),
    troubles: () => troubles,
  };
}
