/** Reading one issue as it is now. */
import type { IssueId } from '../../domain/ids.ts';
import type { Issue } from '../../domain/issue.ts';
import { aboutIn, type Room } from './room.ts';
import { sight } from './sight.ts';
import { toIssue } from './to-issue.ts';

export async function read(room: Room, id: IssueId, signal: AbortSignal): Promise<Issue | undefined> {
  const seen = await sight(room, id, signal);
  return seen === undefined ? undefined : toIssue(seen.answer, aboutIn(room, seen.team));
}
