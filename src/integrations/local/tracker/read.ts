/**
 * Reads issues and comments, and derives an issue's column and the order of its changes. Each read
 * is one statement, so no write can change the data during the read.
 */
import type { DatabaseSync } from 'node:sqlite';
import { toPlainLine, toStorableText, truncateText } from '../../../core/model/format.ts';
import { type IssueId, readIssueId } from '../../../core/model/ids.ts';
import type { Issue, IssuePriority, IssueProblem } from '../../../core/model/issue.ts';
import type { IssueComment } from '../../../ports/tracker.ts';

import { createUnknownIssueFault } from '../../tracker-support/issue-input.ts';

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

/**
 * The tables are STRICT, so the columns have these types. But another program may have written
 * invalid values.
 */
interface IssueRow {
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

export interface BoardReader {
  list(): readonly Issue[];
  read(issue: IssueId): Issue | undefined;
  commentsSince(issue: IssueId, since: number): readonly IssueComment[];
  /** Returns the reason for each row that the last list left out. */
  problems(): readonly string[];
}

export function createBoardReader(db: DatabaseSync): BoardReader {
  let problems: readonly string[] = [];
  let last: { readonly version: string; readonly issues: readonly Issue[] } | undefined;
  const all = db.prepare(`${ISSUES} ORDER BY number`);
  const one = db.prepare(`${ISSUES} WHERE id = ?`);
  const comments = db.prepare(
    'SELECT number, author, by, at, text FROM comments WHERE issue = ? AND at >= ? ORDER BY at, number',
  );
  // Changes with every commit of other connections and every change made by this one.
  const version = db.prepare('SELECT data_version, total_changes() AS own FROM pragma_data_version');
  return {
    list() {
      // The version is read before the rows. If a write happens in between, the next call reads the
      // rows again.
      const { data_version: others, own } = version.get() ?? {};
      const current = `${others} ${own}`;
      // Most reads of a large board find it unchanged, so rebuilding thousands of rows each time
      // would be a waste.
      if (last?.version === current) return last.issues;
      const rows = all.all() as unknown as IssueRow[];
      problems = rows.flatMap(({ id }) => {
        const read = readIssueId(id);
        return read.ok ? [] : [`A row of the board was left out: ${read.fault.message}`];
      });
      const issues = rows.filter(({ id }) => readIssueId(id).ok).map(toIssue);
      last = { version: current, issues };
      return issues;
    },
    read(issue) {
      const row = one.get(issue) as IssueRow | undefined;
      return row === undefined ? undefined : toIssue(row);
    },
    commentsSince: (issue, since) => comments.all(issue, since).map(toComment),
    problems: () => problems,
  };
}

/** Latest time a `Date` can represent. */
const LAST_MOMENT = 8_640_000_000_000_000;
/** Maximum number of characters of an id that a message quotes. */
const NAME_MAX = 80;

function toIssue(row: IssueRow): Issue {
  const lost = parseNames(row.lost_blockers);
  const title = toPlainLine(row.title);
  const problems: IssueProblem[] = [
    ...lost.map((name) => ({ text: describeLostBlocker(row.id, name), holds: true })),
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
    body: toStorableText(row.body),
    column: resolveColumn({ status: toPlainLine(row.status), closed: row.closed }),
    labels: parseNames(row.labels),
    priority: row.priority as IssuePriority,
    createdAt: toMoment(row.created_at),
    enteredStatusAt: toMoment(row.entered_at),
    ...(row.parent === null ? {} : { parent: row.parent }),
    openBlockers: parseNames(row.open_blockers),
    ...(problems.length === 0 ? {} : { problems }),
  };
}

function toComment(row: Record<string, unknown>): IssueComment {
  const { number, author, by, at, text } = row as unknown as Omit<IssueComment, 'id'> & { number: number };
  return {
    id: String(number),
    author: toPlainLine(author),
    by,
    at: toMoment(at),
    text: toStorableText(text),
  };
}

function parseNames(json: string): readonly string[] {
  return (JSON.parse(json) as string[]).map(toPlainLine).filter((name) => name !== '');
}

function isMoment(time: number): boolean {
  return Math.abs(time) <= LAST_MOMENT;
}

function toMoment(time: number): number {
  return isMoment(time) ? time : 0;
}

function describeLostBlocker(issue: string, name: string): string {
  return `Blocked by ${truncateText(name, NAME_MAX)}, which is not on the board. Next step: \`legion issue edit ${issue} --not-blocked-by ${truncateText(name, NAME_MAX)}\`.`;
}

const oddTime: IssueProblem = {
  text: 'The row of this issue is malformed: it contains an invalid time.',
  holds: false,
};

const noTitle: IssueProblem = {
  text: 'The row of this issue has no title. Next step: `legion issue edit ISSUE --title TITLE`.',
  holds: true,
};

export type RequireKnown = (issue: IssueId) => void;

export function createRequireKnown(db: DatabaseSync): RequireKnown {
  const find = db.prepare('SELECT 1 FROM issues WHERE id = ?');
  return (issue) => {
    if (find.get(issue) === undefined) throw createUnknownIssueFault(issue);
  };
}

/**
 * Name of the column for closed issues. Every reader of columns treats it as an end status outside
 * the pipeline.
 */
const CLOSED = 'Closed';

/** Derives the column of an issue: its status, or Closed if it was closed before it was done. */
export function resolveColumn(issue: { readonly status: string; readonly closed: number }): string {
  return issue.closed === 1 && !isDone(issue) ? CLOSED : issue.status;
}

/** Returns true if the issue no longer blocks others. */
export function hasEnded(issue: { readonly status: string; readonly closed: number }): boolean {
  return issue.closed === 1 || isDone(issue);
}

function isDone({ status }: { readonly status: string }): boolean {
  return status === 'Done';
}

/**
 * Returns the time of an issue's next change. Comments and moves need a strict order even within
 * one millisecond or after the clock was set back.
 */
export type NextMoment = (issue: IssueId) => number;

/**
 * Assigns strictly increasing timestamps to an issue's changes: the current time, but always
 * later than the latest change.
 */
export function createNextMoment(db: DatabaseSync, now: () => number): NextMoment {
  const latest = db.prepare(`
    SELECT max(entered_at, coalesce((SELECT max(at) FROM comments WHERE issue = issues.id), entered_at)) AS at
    FROM issues WHERE id = ?`);
  return (issue) => {
    const { at } = latest.get(issue) ?? {};
    return Math.max(now(), Number(at) + 1);
  };
}
