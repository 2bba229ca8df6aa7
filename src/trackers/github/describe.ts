/** Says of an issue what the port wants to know, by what the tracker knows of its author and its neighbours. */
import type { IssueId } from '../../domain/ids.ts';
import type { Issue } from '../../domain/issue.ts';
import { accountName } from '../../github/actor.ts';
import type { Placement } from './board-view.ts';
import type { Content } from './contents.ts';
import type { IssueBlockers } from './issue-blockers.ts';
import type { Room } from './room.ts';
import { toIssue } from './to-issue.ts';

interface Seen {
  readonly id: IssueId;
  readonly content: Content;
  readonly placement: Placement;
  readonly blockers: IssueBlockers;
}

/** Its author has been learned of before. */
export function describe({ authors, columns, isLegion, known }: Room, seen: Seen): Issue {
  const { answer } = seen.content;
  return toIssue({
    ...seen,
    names: columns(),
    mayWrite: authors.mayWrite(answer),
    isLegion: isLegion(accountName(answer.author)),
    idAt: known.idAt,
  });
}
