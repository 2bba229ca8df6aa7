/** Reading issues and comments. Each read is one statement, so no other writer can come between its parts. */
import type { DatabaseSync } from 'node:sqlite';
import { type IssueId, readIssueId } from '../../../core/model/ids.ts';
import type { Issue, IssueProblem, Priority } from '../../../domain/issue.ts';
import { cutText, plainLine, wholeText } from '../../../domain/plain-text.ts';
import type { Comment } from '../../../ports/tracker.ts';
import { columnOf } from '../../../trackers/local/column.ts';

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
  let last: { readonly version: string; readonly issues: readonly Issue[] } | undefined;
  const all = db.prepare(`${ISSUES} ORDER BY number`);
  const one = db.prepare(`${ISSUES} WHERE id = ?`);
  const comments = db.prepare(
    'SELECT number, author, by, at, text FROM comments WHERE issue = ? AND at >= ? ORDER BY at, number',
  );
  // Counts what others have committed, and what this connection has changed.
  const version = db.prepare('SELECT data_version, total_changes() AS own FROM pragma_data_version');
  return {
    list() {
      // Asked before the rows: a write in between is read now and once more the next time.
      const { data_version: others, own } = version.get() ?? {};
      const present = `${others} ${own}`;
      // Most looks at a large board find it unchanged, and its thousands of rows need not be made again.
      if (last?.version === present) return last.issues;
      const rows = all.all() as unknown as Row[];
      troubles = rows.flatMap(({ id }) => {
        const read = readIssueId(id);
        return read.ok ? [] : [`a row of the board is left out: ${read.fault.message}`];
      });
      const issues = rows.filter(({ id }) => readIssueId(id).ok).map(issueIn);
      last = { version: present, issues };
      return issues;
    },
    read(issue) {
      const row = one.get(issue) as Row | undefined;
      return row === undefined ? undefined : issueIn(row);
    },
    commentsSince: (issue, since) => comments.all(issue, since).map(commentIn),
    troubles: () => troubles,
  };
}

/** The last moment that a `Date` can be. */
const LAST_MOMENT = 8_640_000_000_000_000;
/** An id with more characters tells nobody anything. */
const NAME_MAX = 80;

function issueIn(row: Row): Issue {
  const lost = namesIn(row.lost_blockers);
  const title = plainLine(row.title);
  const problems: IssueProblem[] = [
    ...lost.map((name) => ({ text: lostBlocker(row.id, name), holds: true })),
    ...[row.created_at, row.entered_at]
      .filter((time) => !isMoment(time))
      .slice(0, 1)
      .map(() => oddTime),
    ...(title === '' ? [noTitle] : []),
  ];
  return {
    id: row.id,
    source: { kind: 'local' },
    title,
    body: wholeText(row.body),
    column: columnOf({ status: plainLine(row.status), closed: row.closed }),
    labels: namesIn(row.labels),
    priority: row.priority as Priority,
    createdAt: momentIn(row.created_at),
    enteredStatusAt: momentIn(row.entered_at),
    ...(row.parent === null ? {} : { parent: row.parent }),
    openBlockers: namesIn(row.open_blockers),
    ...(problems.length === 0 ? {} : { problems }),
  };
}

function commentIn(row: Record<string, unknown>): Comment {
  const { number, author, by, at, text } = row as unknown as Omit<Comment, 'id'> & { number: number };
  return { id: String(number), author: plainLine(author), by, at: momentIn(at), text: wholeText(text) };
}

function namesIn(json: string): readonly string[] {
  return (JSON.parse(json) as string[]).map(plainLine).filter((name) => name !== '');
}

function isMoment(time: number): boolean {
  return Math.abs(time) <= LAST_MOMENT;
}

function momentIn(time: number): number {
  return isMoment(time) ? time : 0;
}

function lostBlocker(issue: string, name: string): string {
  return `Blocked by ${cutText(name, NAME_MAX)}, which is not on the board. Next step: \`legion issue edit ${issue} --not-blocked-by ${cutText(name, NAME_MAX)}\`.`;
}

const oddTime: IssueProblem = {
  text: 'The row of this issue is malformed: a time in it is no time.',
  holds: false,
};

const noTitle: IssueProblem = {
  text: 'The row of this issue has no title. Next step: `legion issue edit ISSUE --title TITLE`.',
  holds: true,
};
