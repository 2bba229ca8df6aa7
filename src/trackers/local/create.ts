/** New issues: one a key, under a number that was never given away before. */
import type { DatabaseSync } from 'node:sqlite';
import { LegionError } from '../../domain/fault.ts';
import type { IssueId } from '../../domain/ids.ts';
import type { NewIssue } from '../tracker.ts';
import type { Blocker } from './block.ts';
import type { RequireKnown } from './known.ts';
import type { Relabel } from './label.ts';

export type Create = (key: string, issue: NewIssue) => { readonly id: IssueId; readonly isNew: boolean };

interface Parts {
  readonly prefix: string;
  readonly now: () => number;
  readonly requireKnown: RequireKnown;
  readonly relabel: Relabel;
  readonly block: Blocker['block'];
}

export function creator(db: DatabaseSync, { prefix, now, requireKnown, relabel, block }: Parts): Create {
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
