/** Applies a person's change to Legion's labels. */
import type { EventBody } from '../../../core/model/event.ts';
import type { IssueId } from '../../../core/model/ids.ts';
import { applyLabelChange, type LabelChange } from '../../../core/model/label.ts';
import { computeEffectiveLabels } from '../../../core/state/effective-labels.ts';
import type { LegionState } from '../../../core/state/state.ts';
import type { PortContext, StateContext } from '../../context/daemon-context.ts';

/**
 * Changes labels on behalf of a person. On the local board, the change is made as that person, even
 * on a closed issue; on other boards, it is made as Legion.
 */
export async function relabelIssue(
  context: StateContext & PortContext,
  issue: IssueId,
  change: LabelChange,
): Promise<void> {
  await context.ledger.append((state) => buildOverruleEvents(state, issue, change));
  if (context.board === undefined) await context.tracker.write(issue, { labels: change });
  else await context.board.relabel(issue, change);
  context.boardView.recordWrite(issue, change);
}

/**
 * Overrides pending label writes that would undo the person's change, because the later change
 * wins.
 */
export function buildOverruleEvents(state: LegionState, issue: IssueId, change: LabelChange): EventBody[] {
  const record = state.issues.get(issue);
  if (record === undefined) return [];
  const wanted = applyLabelChange(new Set(), change);
  const after = computeEffectiveLabels([...wanted], state, issue);
  const undone =
    change.add.some((label) => !after.has(label)) || change.remove.some((label) => after.has(label));
  if (!undone) return [];
  const { add, remove } = change;
  return [{ type: 'labels.owed', issue, revision: record.lastOwed + 1, add: [...add], remove: [...remove] }];
}

/**
 * Posts a person's comment on an issue: as that person on the local board, otherwise as Legion with
 * the person's name. `key` makes repeated posts idempotent on an external board.
 */
export async function postIssueComment(
  { board, tracker }: PortContext,
  issue: IssueId,
  by: string,
  key: string,
  text: string,
): Promise<void> {
  if (board === undefined) await tracker.comment(issue, key, `${by}: ${text}`);
  else await board.say(issue, by, text);
}
