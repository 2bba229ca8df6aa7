/** Changing what an issue says. */
import type { DatabaseSync } from 'node:sqlite';
import type { IssueId } from '../../domain/ids.ts';
import type { IssueEdit } from '../local-board.ts';

/** True if it now says something else. The issue is on the board. */
export type Edit = (issue: IssueId, edit: Edited) => boolean;

/** As a schema leaves it: what is absent may also be undefined. */
type Edited = { readonly [Part in keyof IssueEdit]: IssueEdit[Part] | undefined };

export function editor(db: DatabaseSync): Edit {
  const update = db.prepare(`
    UPDATE issues SET title = coalesce(?2, title), body = coalesce(?3, body), priority = coalesce(?4, priority)
    WHERE id = ?1 AND (title <> ?2 OR body <> ?3 OR priority <> ?4)`);
  return (issue, { title, body, priority }) =>
    update.run(issue, title ?? null, body ?? null, priority ?? null).changes === 1;
}
