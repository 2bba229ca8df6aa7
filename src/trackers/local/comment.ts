/** Posting comments: Legion's once a key, a person's each time. */
import type { DatabaseSync } from 'node:sqlite';
import type { IssueId } from '../../domain/ids.ts';
import type { NextMoment } from './moment.ts';

const LEGION = 'legion';

/** Each is true if a comment was posted. The issue is on the board. */
export interface Commenter {
  post(issue: IssueId, key: string, text: string): boolean;
  say(issue: IssueId, author: string, text: string): boolean;
}

export function commenter(db: DatabaseSync, nextMoment: NextMoment): Commenter {
  const insert = db.prepare(`
    INSERT INTO comments (issue, key, author, by, at, text) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (issue, key) DO NOTHING`);
  return {
    post: (issue, key, text) =>
      insert.run(issue, key, LEGION, 'legion', nextMoment(issue), text).changes === 1,
    // Without a key nothing conflicts: a person who says the same twice has said it twice.
    say: (issue, author, text) =>
      insert.run(issue, null, author, 'writer', nextMoment(issue), text).changes === 1,
  };
}
