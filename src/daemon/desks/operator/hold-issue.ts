/** An operator's hold of one issue: in the journal first, then on the board. */
import type { EventBody } from '../../../core/model/event.ts';
import { LegionError } from '../../../core/model/fault.ts';
import type { IssueId } from '../../../core/model/ids.ts';
import { newIssueRecord, type Swarm } from '../../../core/state/state.ts';
import { effectiveLabels } from '../../../swarm/effective-labels.ts';
import type { World } from '../../world.ts';
import { relabel } from './relabel.ts';
import { sayOnIssue } from './say-on-issue.ts';

const HOLD = { add: ['legion-paused'], remove: [] } as const;

/** None where the issue is held already. `written` are the labels on the board. */
export function holdIssueEvents(
  swarm: Swarm,
  issue: IssueId,
  written: readonly string[],
  { by, why }: { readonly by: string; readonly why: string },
): readonly EventBody[] {
  const record = swarm.issues.get(issue) ?? newIssueRecord(issue);
  if (effectiveLabels(written, swarm, issue).has('legion-paused')) return [];
  const { add, remove } = HOLD;
  const revision = record.lastOwed + 1;
  return [{ type: 'labels.owed', issue, revision, add: [...add], remove: [...remove], by, why }];
}

/**
 * Shows a hold that is in the journal on the board. Resolves to false where the board cannot be written now: the loop writes
 * the label later, and the issue is held all the same.
 */
export async function showHold(world: World, issue: IssueId, by: string, why: string): Promise<boolean> {
  const key = `${issue}:paused:${world.ledger.version}`;
  try {
    await relabel(world, issue, { add: [...HOLD.add], remove: [] });
    await sayOnIssue(world, issue, by, key, `Paused by ${by}: ${why}`);
    return true;
  } catch (error) {
    if (error instanceof LegionError && error.retryable) return false;
    throw error;
  }
}
