/** Reverts that nobody has merged or closed, of issues in any status: the base contains the change meanwhile. */
import type { IssueId } from '../../../core/model/ids.ts';
import { isFinished, readStatus } from '../../../core/model/status.ts';
import type { Issue } from '../../../domain/issue.ts';
import type { InboxItem } from '../../../protocol/operator.ts';
import type { World } from '../../world.ts';
import { explainOpenRevert } from './explain-rolled-back.ts';
import type { RevertStates } from './revert-states.ts';

/** Leaves out the issues whose approval of a new start, among `shown`, already names the revert. */
export async function listOpenReverts(
  world: World,
  board: readonly Issue[],
  shown: readonly InboxItem[],
  revertStates: RevertStates,
): Promise<InboxItem[]> {
  const named = new Set(shown.flatMap(({ issue, approves }) => (approves === 'restart' ? [issue] : [])));
  const isHeld = (issue: IssueId) =>
    board.some(({ id, column }) => id === issue && !isFinished(readStatus(column, world.settings().columns)));
  const items: InboxItem[] = [];
  // From the journal and not from the board, which may no longer list a closed issue.
  for (const [issue, { merged }] of world.ledger.swarm.issues) {
    const undone = merged?.undone;
    if (undone === undefined || named.has(issue) || (await revertStates(issue)) !== 'open') continue;
    const explained = explainOpenRevert(world, issue);
    if (explained === undefined) continue;
    const title = board.find(({ id }) => id === issue)?.title ?? world.ledger.swarm.board.get(issue)?.title;
    const { next } = explained;
    const text = isHeld(issue) ? `${explained.text} Until then, no work starts on ${issue}.` : explained.text;
    items.push({ kind: 'escalation', issue, title: title ?? issue, text, since: undone.at, next });
  }
  return items;
}
