/** Changes what an issue waits for, all of it or nothing. */
import type { IssueId } from '../../domain/ids.ts';
import type { LocalBoard } from '../../trackers/local-board.ts';
import type { World } from '../world.ts';
import { readIssue } from './read-outside.ts';

export async function setBlockers(
  world: World,
  board: LocalBoard,
  issue: IssueId,
  { add, remove }: { readonly add: readonly IssueId[]; readonly remove: readonly IssueId[] },
): Promise<void> {
  const { openBlockers: before } = await readIssue(world, issue);
  // A name that is wrong is found before anything is written.
  for (const other of [...add, ...remove]) await readIssue(world, other);
  const added: IssueId[] = [];
  try {
    for (const other of add) {
      await board.block(issue, other);
      if (!before.includes(other)) added.push(other);
    }
  } catch (error) {
    for (const other of added) await board.unblock(issue, other);
    throw error;
  }
  for (const other of remove) await board.unblock(issue, other);
}
