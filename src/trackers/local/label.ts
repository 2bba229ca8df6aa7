/** Putting labels on an issue and taking them off. */
import type { DatabaseSync } from 'node:sqlite';
import type { IssueId } from '../../core/model/ids.ts';
import type { AnyLabelChange } from '../../ports/board-editor.ts';

/** True if a label really came or went. The issue is on the board. */
export type Relabel = (issue: IssueId, change: AnyLabelChange) => boolean;

export function relabeller(db: DatabaseSync): Relabel {
  const put = db.prepare('INSERT INTO labels (issue, name) VALUES (?, ?) ON CONFLICT DO NOTHING');
  const take = db.prepare('DELETE FROM labels WHERE issue = ? AND name = ?');
  return (issue, { add, remove }) => {
    let changes = 0;
    for (const name of remove) changes += Number(take.run(issue, name).changes);
    for (const name of add) changes += Number(put.run(issue, name).changes);
    return changes > 0;
  };
}
