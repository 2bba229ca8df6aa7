/** Every way to change a board: what comes from outside is checked first, then done in one transaction, then told. */
import type { DatabaseSync } from 'node:sqlite';
import { LegionError } from '../../../core/model/fault.ts';
import type { IssueId } from '../../../core/model/ids.ts';
import { plainLine, wholeText } from '../../../domain/plain-text.ts';
import type { IssueText, LocalBoard } from '../../../ports/board-editor.ts';
import type { NewIssue } from '../../../ports/tracker.ts';
import { transactor } from '../../../sqlite/transaction.ts';
import type { Blocker } from '../../../trackers/local/block.ts';
import { blocker } from '../../../trackers/local/block.ts';
import type { RequireKnown } from '../../../trackers/local/known.ts';
import { knownIssues } from '../../../trackers/local/known.ts';
import type { Relabel } from '../../../trackers/local/label.ts';
import { relabeller } from '../../../trackers/local/label.ts';
import { moments, type NextMoment } from '../../../trackers/local/moment.ts';
import { mover } from '../../../trackers/local/move.ts';
import {
  accepted,
  acceptedId,
  anyLabelChangeSchema,
  authorSchema,
  commentSchema,
  editSchema,
  issueChangeSchema,
  keySchema,
  newIssueSchema,
  statusSchema,
} from './input.ts';

type Writing = 'write' | 'comment' | 'create' | 'close' | 'edit' | 'relabel' | 'move' | 'say';

export function writer(
  db: DatabaseSync,
  { prefix, now }: { readonly prefix: string; readonly now: () => number },
  use: <T>(work: () => T) => T,
  give: (issue: IssueId) => void,
): Pick<LocalBoard, Writing> {
  const transact = transactor(db);
  const nextMoment = moments(db, now);
  const requireKnown = knownIssues(db);
  const { move, moveAndOpen, close } = mover(db, nextMoment);
  const { post, say } = commenter(db, nextMoment);
  const { block, unblock } = blocker(db);
  const relabel = relabeller(db);
  const { edit, expect } = editor(db);
  const create = creator(db, { prefix, now, requireKnown, relabel, block });

  /** `work` says which issues look different now; listeners hear of them once that is durable. */
  function commit(work: () => readonly IssueId[]): void {
    for (const issue of new Set(use(() => transact(work)))) give(issue);
  }

  function commitTo(issues: readonly [IssueId, ...IssueId[]], work: () => boolean): void {
    commit(() => {
      for (const each of issues) requireKnown(each);
      return work() ? [issues[0]] : [];
    });
  }

  /** A blocker that left the board in a way of its own can still be taken away. */
  function unblockKnown(issue: IssueId, by: IssueId): boolean {
    if (unblock(issue, by)) return true;
    requireKnown(by);
    return false;
  }

  return {
    async write(issue, change) {
      const id = acceptedId(issue);
      const { moveTo, labels } = accepted(issueChangeSchema, change, 'change');
      commit(() => {
        requireKnown(id);
        const relabelled = relabel(id, labels) ? [id] : [];
        return moveTo === undefined ? relabelled : [...relabelled, ...move(id, moveTo)];
      });
    },
    async comment(issue, key, text) {
      const id = acceptedId(issue);
      const once = accepted(keySchema, key, 'key');
      const said = accepted(commentSchema, text, 'text');
      commitTo([id], () => post(id, once, said));
    },
    async create(key, issue) {
      const once = accepted(keySchema, key, 'key');
      const wanted = accepted(newIssueSchema, issue, 'issue') as NewIssue;
      const { id, isNew } = use(() => transact(() => create(once, wanted)));
      if (isNew) give(id);
      return id;
    },
    async close(issue) {
      const id = acceptedId(issue);
      commit(() => close(id));
    },
    async edit(issue, wanted) {
      const id = acceptedId(issue);
      const { labels, blockers, expected, ...text } = accepted(editSchema, wanted, 'edit');
      commitTo([id, ...(blockers?.add ?? [])], () => {
        if (expected !== undefined) expect(id, expected);
        const changes = [
          ...(blockers?.add.map((other) => block(id, other)) ?? []),
          ...(blockers?.remove.map((other) => unblockKnown(id, other)) ?? []),
          labels !== undefined && relabel(id, labels),
          edit(id, text),
        ];
        return changes.includes(true);
      });
    },
    async relabel(issue, change) {
      const id = acceptedId(issue);
      const wanted = accepted(anyLabelChangeSchema, change, 'labels');
      commitTo([id], () => relabel(id, wanted));
    },
    async move(issue, to) {
      const id = acceptedId(issue);
      const status = accepted(statusSchema, to, 'status');
      commit(() => moveAndOpen(id, status));
    },
    async say(issue, author, text) {
      const id = acceptedId(issue);
      const name = accepted(authorSchema, author, 'author');
      const said = accepted(commentSchema, text, 'text');
      commitTo([id], () => say(id, name, said));
    },
  };
}

const LEGION = 'legion';

/**
 * Posting comments: Legion's once a key, a person's each time.
 * Each is true if a comment was posted. The issue is on the board.
 */
interface Commenter {
  post(issue: IssueId, key: string, text: string): boolean;
  say(issue: IssueId, author: string, text: string): boolean;
}

function commenter(db: DatabaseSync, nextMoment: NextMoment): Commenter {
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

/** The issue is on the board. */
interface Editor {
  /** True if it now says something else. */
  edit(issue: IssueId, text: IssueText): boolean;
  /** Throws `issue.changed` if one of the values is a different one now. */
  expect(issue: IssueId, expected: IssueText): void;
}

/** Changing what an issue says, unless somebody else has changed it meanwhile. */
function editor(db: DatabaseSync): Editor {
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

type Create = (key: string, issue: NewIssue) => { readonly id: IssueId; readonly isNew: boolean };

interface Parts {
  readonly prefix: string;
  readonly now: () => number;
  readonly requireKnown: RequireKnown;
  readonly relabel: Relabel;
  readonly block: Blocker['block'];
}

/** Creates issues: one per key, with a number that was never used before. */
function creator(db: DatabaseSync, { prefix, now, requireKnown, relabel, block }: Parts): Create {
  const find = db.prepare('SELECT id FROM issues WHERE key = ?');
  const take = db.prepare('UPDATE numbers SET last = last + 1 RETURNING last');
  const insert = db.prepare(`
    INSERT INTO issues (number, id, key, title, body, status, priority, parent, created_at, entered_at)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?9)`);

  return (key, issue) => {
    const { id: first } = find.get(key) ?? {};
    if (first !== undefined) return { id: String(first), isNew: false };

    const { title, body, status, priority, parent, blockedBy, labels } = issue;
    for (const other of parent === undefined ? blockedBy : [parent, ...blockedBy]) requireKnown(other);
    const { last: number } = take.get() ?? {};
    if (number === undefined) throw new LegionError('tracker.corrupt', 'the last number given away is gone');
    const id = `${prefix}-${number}`;
    insert.run(number, id, key, title, body, status, priority, parent ?? null, now());
    relabel(id, { add: labels, remove: [] });
    for (const by of blockedBy) block(id, by);
    return { id, isNew: true };
  };
}
