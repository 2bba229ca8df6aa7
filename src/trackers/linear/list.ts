/** Listing the board: every issue of the team that is neither archived nor in the trash. */
import type { Issue } from '../../domain/issue.ts';
import type { BoardReading } from './board.ts';
import { aboutIn, type Room } from './room.ts';
import { toIssue } from './to-issue.ts';

export interface Listed {
  readonly issues: readonly Issue[];
  readonly said: BoardReading['said'];
}

export async function list(room: Room, signal: AbortSignal): Promise<Listed> {
  const { team, issues, said } = await room.board.read(signal);
  room.known.replace([...issues.values()]);
  const about = aboutIn(room, team);
  const found = [...issues.values()]
    .filter(({ id }) => room.known.idOf(id) !== undefined)
    .map((answer) => toIssue(answer, about));
  return { issues: found.toSorted(byAge), said };
}

/** The oldest first, whoever lists them. */
function byAge(a: Issue, b: Issue): number {
  return a.createdAt - b.createdAt || a.id.length - b.id.length || (a.id < b.id ? -1 : 1);
}
