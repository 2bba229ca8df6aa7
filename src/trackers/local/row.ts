/** Makes an issue or a comment of a row without trust in its content: another program may have written it. */
import type { Issue, IssueProblem, Priority } from '../../domain/issue.ts';
import { cutText, plainLine, wholeText } from '../../domain/plain-text.ts';
import type { Comment } from '../tracker.ts';
import { columnOf } from './column.ts';
import type { Row } from './read.ts';

/** The last moment that a `Date` can be. */
const LAST_MOMENT = 8_640_000_000_000_000;
/** An id with more characters tells nobody anything. */
const NAME_MAX = 80;

export function issueIn(row: Row): Issue {
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

export function commentIn(row: Record<string, unknown>): Comment {
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
