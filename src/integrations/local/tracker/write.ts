/**
 * Implements all board writes: validates the input, runs one transaction, then notifies listeners.
 */
import type { DatabaseSync } from 'node:sqlite';
import { LegionError } from '../../../core/model/fault.ts';
import { toPlainLine, toStorableText } from '../../../core/model/format.ts';
import type { IssueId } from '../../../core/model/ids.ts';
import { createTransactionRunner } from '../../../lib/sqlite.ts';
import type { IssueText, LocalBoard } from '../../../ports/board-editor.ts';
import type { NewIssue } from '../../../ports/tracker.ts';
import { MAX_COMMENT_CHARACTERS, trimToLength } from '../../tracker-support/issue-input.ts';
import {
  anyLabelChangeSchema,
  authorSchema,
  commentSchema,
  editSchema,
  issueChangeSchema,
  keySchema,
  newIssueSchema,
  requireInput,
  requireLocalIssueId,
  statusSchema,
} from './input.ts';
import {
  type BlockerStore,
  createBlockerStore,
  createIssueMover,
  createRelabelIssue,
  type RelabelIssue,
} from './move.ts';
import { createNextMoment, createRequireKnown, type NextMoment, type RequireKnown } from './read.ts';

type BoardWriteMethod =
  | 'write'
  | 'comment'
  | 'putComment'
  | 'create'
  | 'close'
  | 'edit'
  | 'relabel'
  | 'move'
  | 'say';

export function createBoardWriter(
  db: DatabaseSync,
  { prefix, now }: { readonly prefix: string; readonly now: () => number },
  use: <T>(work: () => T) => T,
  notify: (issue: IssueId) => void,
): Pick<LocalBoard, BoardWriteMethod> {
  const transact = createTransactionRunner(db);
  const nextMoment = createNextMoment(db, now);
  const requireKnown = createRequireKnown(db);
  const { move, moveAndOpen, close } = createIssueMover(db, nextMoment);
  const { post, put, say } = createCommentStore(db, nextMoment);
  const { block, unblock } = createBlockerStore(db);
  const relabel = createRelabelIssue(db);
  const { edit, expect } = createIssueEditor(db);
  const create = createIssueCreator(db, { prefix, now, requireKnown, relabel, block });

  /**
   * Runs `work` in a transaction and notifies listeners of the returned issues once it is
   * committed.
   */
  function commit(work: () => readonly IssueId[]): void {
    for (const issue of new Set(use(() => transact(work)))) notify(issue);
  }

  function commitKnown(issues: readonly [IssueId, ...IssueId[]], work: () => boolean): void {
    commit(() => {
      for (const each of issues) requireKnown(each);
      return work() ? [issues[0]] : [];
    });
  }

  /** Removes a blocker even if another program deleted the blocking issue from the board. */
  function unblockKnown(issue: IssueId, by: IssueId): boolean {
    if (unblock(issue, by)) return true;
    requireKnown(by);
    return false;
  }

  return {
    async write(issue, change) {
      const id = requireLocalIssueId(issue);
      const { moveTo, labels } = requireInput(issueChangeSchema, change, 'change');
      commit(() => {
        requireKnown(id);
        const relabelled = relabel(id, labels) ? [id] : [];
        return moveTo === undefined ? relabelled : [...relabelled, ...move(id, moveTo)];
      });
    },
    async comment(issue, key, text) {
      const id = requireLocalIssueId(issue);
      const checkedKey = requireInput(keySchema, key, 'key');
      const checkedText = requireInput(commentSchema, text, 'text');
      commitKnown([id], () => post(id, checkedKey, checkedText));
    },
    async putComment(issue, key, text) {
      const id = requireLocalIssueId(issue);
      const checkedKey = requireInput(keySchema, key, 'key');
      const fitting = trimToLength(text, MAX_COMMENT_CHARACTERS, 'the board');
      const checkedText = requireInput(commentSchema, fitting, 'text');
      commitKnown([id], () => put(id, checkedKey, checkedText));
    },
    async create(key, issue) {
      const checkedKey = requireInput(keySchema, key, 'key');
      const wanted = requireInput(newIssueSchema, issue, 'issue') as NewIssue;
      const { id, isNew } = use(() => transact(() => create(checkedKey, wanted)));
      if (isNew) notify(id);
      return id;
    },
    async close(issue) {
      const id = requireLocalIssueId(issue);
      commit(() => close(id));
    },
    async edit(issue, wanted) {
      const id = requireLocalIssueId(issue);
      const { labels, blockers, expected, ...text } = requireInput(editSchema, wanted, 'edit');
      commitKnown([id, ...(blockers?.add ?? [])], () => {
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
      const id = requireLocalIssueId(issue);
      const wanted = requireInput(anyLabelChangeSchema, change, 'labels');
      commitKnown([id], () => relabel(id, wanted));
    },
    async move(issue, to) {
      const id = requireLocalIssueId(issue);
      const status = requireInput(statusSchema, to, 'status');
      commit(() => moveAndOpen(id, status));
    },
    async say(issue, author, text) {
      const id = requireLocalIssueId(issue);
      const name = requireInput(authorSchema, author, 'author');
      const checkedText = requireInput(commentSchema, text, 'text');
      commitKnown([id], () => say(id, name, checkedText));
    },
  };
}

const LEGION = 'legion';

/**
 * Posts comments: Legion's only once per key, a person's on every call. Methods return true if a
 * comment was posted or edited. The issue must be on the board.
 */
interface CommentStore {
  post(issue: IssueId, key: string, text: string): boolean;
  /**
   * Posts the comment, or replaces its text if the text differs. Keeps the time of the original
   * post.
   */
  put(issue: IssueId, key: string, text: string): boolean;
  say(issue: IssueId, author: string, text: string): boolean;
}

function createCommentStore(db: DatabaseSync, nextMoment: NextMoment): CommentStore {
  const insert = db.prepare(`
    INSERT INTO comments (issue, key, author, by, at, text) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (issue, key) DO NOTHING`);
  const upsert = db.prepare(`
    INSERT INTO comments (issue, key, author, by, at, text) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (issue, key) DO UPDATE SET text = excluded.text WHERE text <> excluded.text`);
  return {
    post: (issue, key, text) =>
      insert.run(issue, key, LEGION, 'legion', nextMoment(issue), text).changes === 1,
    put: (issue, key, text) =>
      upsert.run(issue, key, LEGION, 'legion', nextMoment(issue), text).changes === 1,
    // Without a key nothing conflicts, so a person may post the same text twice.
    say: (issue, author, text) =>
      insert.run(issue, null, author, 'writer', nextMoment(issue), text).changes === 1,
  };
}

/** Methods require that the issue is on the board. */
interface IssueEditor {
  /** Returns true if a field changed. */
  edit(issue: IssueId, text: IssueText): boolean;
  /** Throws `issue.changed` if one of the current values differs from the expected one. */
  expect(issue: IssueId, expected: IssueText): void;
}

/** Edits an issue's fields and detects concurrent edits. */
function createIssueEditor(db: DatabaseSync): IssueEditor {
  const update = db.prepare(`
    UPDATE issues SET title = coalesce(?2, title), body = coalesce(?3, body), priority = coalesce(?4, priority)
    WHERE id = ?1 AND (title <> ?2 OR body <> ?3 OR priority <> ?4)`);
  const read = db.prepare('SELECT title, body, priority FROM issues WHERE id = ?');
  return {
    edit: (issue, { title, body, priority }) =>
      update.run(issue, title ?? null, body ?? null, priority ?? null).changes === 1,
    expect(issue, expected) {
      const now = read.get(issue);
      const current = {
        title: toPlainLine(String(now?.['title'])),
        body: toStorableText(String(now?.['body'])),
        priority: now?.['priority'],
      };
      const changed = EDITABLE_PARTS.filter(
        (part) => expected[part] !== undefined && expected[part] !== current[part],
      );
      if (changed.length === 0) return;
      const names = changed.map((part) => PART_NAMES[part]).join(', ');
      throw new LegionError(
        'issue.changed',
        `${issue} was changed by someone else in the meantime: ${names}`,
      );
    },
  };
}

const EDITABLE_PARTS = ['title', 'body', 'priority'] as const;
const PART_NAMES = { title: 'its title', body: 'its text', priority: 'its priority' } as const;

type CreateIssue = (key: string, issue: NewIssue) => { readonly id: IssueId; readonly isNew: boolean };

interface IssueCreatorOptions {
  readonly prefix: string;
  readonly now: () => number;
  readonly requireKnown: RequireKnown;
  readonly relabel: RelabelIssue;
  readonly block: BlockerStore['block'];
}

/** Creates issues: one per key, each with a number that was never used before. */
function createIssueCreator(
  db: DatabaseSync,
  { prefix, now, requireKnown, relabel, block }: IssueCreatorOptions,
): CreateIssue {
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
    if (number === undefined)
      throw new LegionError('tracker.corrupt', 'The last used issue number is missing');
    const id = `${prefix}-${number}`;
    insert.run(number, id, key, title, body, status, priority, parent ?? null, now());
    relabel(id, { add: labels, remove: [] });
    for (const by of blockedBy) block(id, by);
    return { id, isNew: true };
  };
}
