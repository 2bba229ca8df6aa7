/** Letting one issue wait for another, unless they would wait for each other. */
import type { DatabaseSync } from 'node:sqlite';
import { LegionError } from '../../core/model/fault.ts';
import type { IssueId } from '../../core/model/ids.ts';

/** Names of a circle that are shown; of a longer one the middle is left out. */
const NAMES_SHOWN = 10;

/** Each is true if something changed. The issues are on the board. */
export interface Blocker {
  block(issue: IssueId, by: IssueId): boolean;
  unblock(issue: IssueId, by: IssueId): boolean;
}

export function blocker(db: DatabaseSync): Blocker {
  const put = db.prepare('INSERT INTO blockers (issue, blocker) VALUES (?, ?) ON CONFLICT DO NOTHING');
  const take = db.prepare('DELETE FROM blockers WHERE issue = ? AND blocker = ?');
  // An issue is waited for by those it blocks and, if it is a part, by the issue it was split from.
  const waiting = db.prepare(`
    SELECT issue AS id FROM blockers WHERE blocker = ?1
    UNION SELECT parent FROM issues WHERE id = ?1 AND parent IS NOT NULL`);
  const waitingFor = (issue: IssueId) => waiting.all(issue).map(({ id }) => String(id));

  return {
    block(issue, by) {
      // From the one that is to wait: for a new issue, for which nobody waits yet, this ends at once.
      const back = wayBack(issue, by, waitingFor);
      if (back !== undefined) throw circle(issue, by, back);
      return put.run(issue, by).changes === 1;
    },
    unblock: (issue, by) => take.run(issue, by).changes === 1,
  };
}

/** The shortest way from `to` back to `from`, both ends included, where `next` leads from `from` to `to`. */
function wayBack(
  from: IssueId,
  to: IssueId,
  next: (issue: IssueId) => readonly IssueId[],
): readonly IssueId[] | undefined {
  const cameFrom = new Map<IssueId, IssueId | undefined>([[from, undefined]]);
  // A map gives its keys in the order they came, also those that come while it is asked.
  for (const issue of cameFrom.keys()) {
    if (issue === to) return wayAlong(cameFrom, to);
    for (const each of next(issue)) if (!cameFrom.has(each)) cameFrom.set(each, issue);
  }
  return undefined;
}

function wayAlong(steps: ReadonlyMap<IssueId, IssueId | undefined>, start: IssueId): readonly IssueId[] {
  const way: IssueId[] = [];
  for (let at: IssueId | undefined = start; at !== undefined; at = steps.get(at)) way.push(at);
  return way;
}

function circle(issue: IssueId, by: IssueId, back: readonly IssueId[]): LegionError {
  const names = [issue, ...back];
  const half = NAMES_SHOWN / 2;
  const named = names.length > NAMES_SHOWN ? [...names.slice(0, half), '…', ...names.slice(-half)] : names;
  return new LegionError('tracker.cycle', `${issue} cannot wait for ${by}: ${named.join(' → ')}`);
}
