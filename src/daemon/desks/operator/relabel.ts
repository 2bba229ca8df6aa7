/** A person's change of Legion's labels. */
import type { EventBody } from '../../../core/model/event.ts';
import type { IssueId } from '../../../core/model/ids.ts';
import type { Swarm } from '../../../core/state/state.ts';
import { applyLabelChange, type LabelChange } from '../../../domain/label.ts';
import { effectiveLabels } from '../../../swarm/effective-labels.ts';
import type { World } from '../../world.ts';

/** As the person where the board is ours, which also reaches a closed issue; else as Legion. */
export async function relabel(world: World, issue: IssueId, change: LabelChange): Promise<void> {
  await world.ledger.append((swarm) => overruled(swarm, issue, change));
  if (world.board === undefined) await world.tracker.write(issue, { labels: change });
  else await world.board.relabel(issue, change);
  world.view.noteWrite(issue, change);
}

/** What Legion still owes the board must not undo what the person says: the later word wins. */
function overruled(swarm: Swarm, issue: IssueId, change: LabelChange): EventBody[] {
  const record = swarm.issues.get(issue);
  if (record === undefined) return [];
  const wanted = applyLabelChange(new Set(), change);
  const after = effectiveLabels([...wanted], swarm, issue);
  const undone =
    change.add.some((label) => !after.has(label)) || change.remove.some((label) => after.has(label));
  if (!undone) return [];
  const { add, remove } = change;
  return [{ type: 'labels.owed', issue, revision: record.lastOwed + 1, add: [...add], remove: [...remove] }];
}
