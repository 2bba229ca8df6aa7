/** Starts a worker at a person's word although the engine has not decided so. */
import type { EventBody } from '../../../core/model/event.ts';
import type { IssueId } from '../../../core/model/ids.ts';
import { newIssueRecord, type Swarm } from '../../../core/state/state.ts';
import type { LabelChange } from '../../../domain/label.ts';
import { effectiveLabels } from '../../../swarm/effective-labels.ts';
import type { Control, StartOrder } from '../../control.ts';
import type { World } from '../../world.ts';
import { readIssue } from '../read-outside.ts';
import { refusePausedIssue, refuseWhileTaken, workerAt } from './may-start.ts';

/** `also` is written down before. Where the worker does not start, the marks of the phase are as they were. */
export async function startOutOfTurn(
  world: World,
  control: Control,
  order: StartOrder,
  also: (swarm: Swarm) => readonly EventBody[],
): Promise<void> {
  const { issue, mode } = order;
  const { labels } = await readIssue(world, issue);
  await world.ledger.append((swarm) => {
    refuseWhileTaken(swarm, issue, mode);
    // Again under the ledger's lock: somebody may have paused the issue since it was checked.
    refusePausedIssue(swarm, issue, labels);
    return also(swarm);
  });
  const before = effectiveLabels(labels, world.ledger.swarm, issue);
  try {
    await control.start(order);
  } catch (error) {
    await world.ledger.append((swarm) => marksAsBefore(swarm, issue, before));
    throw error;
  }
}

/** A start takes `worker-done` off; lost for a start that failed, a finished phase would be worked on again. */
function marksAsBefore(swarm: Swarm, issue: IssueId, before: ReadonlySet<string>): EventBody[] {
  // Somebody else may have started a worker meanwhile: then the marks are that worker's.
  if (workerAt(swarm, issue) !== undefined) return [];
  const { lastOwed } = swarm.issues.get(issue) ?? newIssueRecord(issue);
  const add: LabelChange['add'] = before.has('worker-done') ? ['worker-done'] : [];
  const remove: LabelChange['remove'] = before.has('worker-active') ? [] : ['worker-active'];
  return [{ type: 'labels.owed', issue, revision: lastOwed + 1, add: [...add], remove: [...remove] }];
}
