/** Sets aside issues whose id nobody could use: a word about one cannot be written down, and the whole board would wait for it. */
import { LegionError } from '../domain/fault.ts';
import { readIssueId } from '../domain/ids.ts';
import { shown } from '../domain/shown.ts';
import type { LocalBoard } from '../trackers/local-board.ts';
import type { Troubles } from './troubles.ts';

const TROUBLE = 'issues set aside';
/** Enough to find the others by. */
const SHOWN_MOST = 3;

/** They are told as a trouble until a person has put the board right; no id leads to them, so nobody misses them. */
export function boardOfNamed(board: LocalBoard, troubles: Troubles): LocalBoard {
  return {
    ...board,
    async list(signal) {
      const issues = await board.list(signal);
      const unnamed = issues.filter(({ id }) => !readIssueId(id).ok);
      if (unnamed.length === 0) {
        troubles.clear(TROUBLE);
        return issues;
      }
      const some = unnamed.slice(0, SHOWN_MOST).map(({ id, title }) => `${shown(id)} (${shown(title)})`);
      const more = unnamed.length > some.length ? ` and ${unnamed.length - some.length} more` : '';
      troubles.raise(
        TROUBLE,
        new LegionError(
          'tracker.corrupt',
          `no issue can be called ${some.join(', ')}${more}; the others go on`,
        ),
      );
      return issues.filter((issue) => !unnamed.includes(issue));
    },
  };
}
