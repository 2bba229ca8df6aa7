/** Changing what an issue says, unless somebody else has changed it meanwhile. */
import type { DatabaseSync } from 'node:sqlite';
import { LegionError } from '../../domain/fault.ts';
import type { IssueId } from '../../domain/ids.ts';
import { plainLine, wholeText } from '../../domain/plain-text.ts';
import type { IssueText } from '../local-board.ts';

/** The issue is on the board. */
export interface Editor {
  /** True if it now says something else. */
  edit(issue: IssueId, text: IssueText): boolean;
  /** Throws `issue.changed` if one of the values is a different one now. */
  expect(issue: IssueId, expected: IssueText): void;
}

export function editor(db: DatabaseSync): Editor {
  const update = db.prepare(`
    UPDATE issues SET title = coalesce(?2, title), body = coalesce(?3, body), priority = coalesce(?4, priority)
    WHERE id = ?1 AND (title <> ?2 OR body <> ?3 OR priority <> ?4)`);
  const read = db.prepare('SELECT title, body, priority FROM issues WHERE id = ?');
  return {
    edit: (issue, { title, body, priority }) =>
      update.run(issue, title ?? null, body ?? null, priority ?? null).changes === 1,
    expect(issue, expected) {
      const now = read.get(issue);
      const shown = {
        title: plainLine(String(now?.['title'])),
        body: wholeText(String(now?.['body'])),
        priority: now?.['priority'],
      };
      const changed = PARTS.filter((part) => expected[part] !== undefined && expected[part] !== shown[part]);
      if (changed.length === 0) return;
      const names = changed.map((part) => NAMES[part]).join(', ');
      throw new LegionError('issue.changed', `${issue} was changed by someone else meanwhile: ${names}`);
    },
  };
}

const PARTS = ['title', 'body', 'priority'] as const;
const NAMES = { title: 'its title', body: 'its text', priority: 'its priority' } as const;
