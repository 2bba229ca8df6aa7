/** Puts a person's word on an issue: as that person where the board is ours, else as Legion, who says whose it is. */
import type { IssueId } from '../../../core/model/ids.ts';
import type { World } from '../../world.ts';

/** `key` makes a repeated post one where the board is not ours. */
export async function sayOnIssue(
  { board, tracker }: World,
  issue: IssueId,
  by: string,
  key: string,
  text: string,
): Promise<void> {
  if (board === undefined) await tracker.comment(issue, key, `${by}: ${text}`);
  else await board.say(issue, by, text);
}
