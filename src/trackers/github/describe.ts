/** Says of an issue what the port wants to know, by what the tracker knows of its author and its neighbours. */
import type { Issue } from '../../domain/issue.ts';
import { accountName } from '../../github/actor.ts';
import type { Room } from './room.ts';
import { type About, toIssue } from './to-issue.ts';

type Seen = Pick<About, 'id' | 'content' | 'placement' | 'blockers'>;

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
