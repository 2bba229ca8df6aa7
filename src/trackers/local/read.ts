/** Reading issues and comments. Each read is one statement, so no other writer can come between its parts. */
import type { DatabaseSync } from 'node:sqlite';
import type { IssueId } from '../../domain/ids.ts';
import type { Issue, Priority } from '../../domain/issue.ts';
import type { Comment } from '../tracker.ts';
import { columnOf } from './column.ts';

const ISSUES = `
  SELECT id, title, body, status, closed, priority, parent, created_at, entered_at,
    (SELECT json_group_array(name ORDER BY name) FROM labels WHERE issue = issues.id) AS labels,
    (SELECT json_group_array(id ORDER BY number) FROM (
      SELECT other.id, other.number FROM blockers JOIN issues AS other ON other.id = blockers.blocker
      WHERE blockers.issue = issues.id AND other.closed = 0 AND other.status <> 'Done'
    )) AS open_blockers
  FROM issues`;

/** The tables are STRICT, so the columns have these types. */
interface Row {
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
}

export interface Reader {
  list(): readonly Issue[];
  read(issue: IssueId): Issue | undefined;
  commentsSince(issue: IssueId, since: number): readonly Comment[];
}

export function reader(db: DatabaseSync): Reader {
  const all = db.prepare(`${ISSUES} ORDER BY number`);
  const one = db.prepare(`${ISSUES} WHERE id = ?`);
  const comments = db.prepare(
    'SELECT number, author, by, at, text FROM comments WHERE issue = ? AND at >= ? ORDER BY at, number',
  );
  return {
    list: () => (all.all() as unknown as Row[]).map(issueIn),
    read(issue) {
      const row = one.get(issue) as Row | undefined;
      return row === undefined ? undefined : issueIn(row);
    },
    commentsSince: (issue, since) => comments.all(issue, since).map(commentIn),
  };
}

function issueIn(row: Row): Issue {
  return {
    id: row.id,
    source: { kind: 'local' },
    title: row.title,
    body: row.body,
    column: columnOf(row),
    labels: JSON.parse(row.labels) as string[],
    priority: row.priority as Priority,
    createdAt: row.created_at,
    enteredStatusAt: row.entered_at,
    ...(row.parent === null ? {} : { parent: row.parent }),
    openBlockers: JSON.parse(row.open_blockers) as string[],
  };
}

function commentIn(row: Record<string, unknown>): Comment {
  const { number, author, by, at, text } = row as unknown as Omit<Comment, 'id'> & { number: number };
  return { id: String(number), author, by, at, text };
}
