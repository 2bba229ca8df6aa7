/** Finds out, when a daemon starts, what became of merges that the one before it had begun. */
import type { EventBody } from '../../domain/event.ts';
import { LegionError } from '../../domain/fault.ts';
import type { IssueId } from '../../domain/ids.ts';
import type { MergeBegun } from '../../swarm/merge-state.ts';
import type { Swarm } from '../../swarm/state.ts';
import { landed } from '../reports/landed.ts';
import { inTime } from '../reports/read-outside.ts';
import type { World } from '../world.ts';

/** What cannot be read now stays open: a look at the issue, or the next start, finds it. */
export async function settleMerges(world: World): Promise<void> {
  for (const { issue, mergeBegun } of [...world.ledger.swarm.issues.values()]) {
    if (mergeBegun === undefined) continue;
    try {
      await settleMerge(world, issue, mergeBegun);
    } catch (error) {
      if (!(error instanceof LegionError)) world.troubles.raise(`merge of ${issue}`, error);
    }
  }
}

async function settleMerge(world: World, issue: IssueId, begun: MergeBegun): Promise<void> {
  const forge = world.repositories.find(issue)?.forge;
  if (forge === undefined) return;
  const undone = world.ledger.swarm.issues.get(issue)?.merged?.undone;
  const branch = undone?.revert === begun.pullRequest ? undone.branch : issue;
  const found = (await inTime('forge.unavailable', (signal) => forge.pullRequests([branch], signal))).get(
    branch,
  );
  if (found === 'unknown') return;
  const { number, mergedSha } = found ?? {};
  const isMerged = number === begun.pullRequest && mergedSha !== undefined;
  // The next look records a worker's merge: it knows by the labels whether a person had approved it.
  if (isMerged && begun.actor === 'worker') return;
  await world.ledger.append((swarm) => {
    if (swarm.issues.get(issue)?.mergeBegun?.begin !== begun.begin) return [];
    return isMerged
      ? outcomeOf(swarm, issue, begun, mergedSha)
      : [{ type: 'merge.failed', issue, begin: begun.begin, why: 'the daemon ended before it was merged' }];
  });
  world.wake(issue);
}

/** The event for a merge that was begun and has landed: of the issue's own pull request, or of its revert. */
function outcomeOf(
  swarm: Swarm,
  issue: IssueId,
  { pullRequest, headSha, by, forced }: Pick<MergeBegun, 'pullRequest' | 'headSha' | 'by' | 'forced'>,
  mergedSha: string,
): EventBody[] {
  const record = swarm.issues.get(issue);
  if (record?.merged?.undone?.revert === pullRequest)
    return [
      { type: 'revert.landed', issue, merge: record.lastMerge, revert: pullRequest, mergedSha, by, forced },
    ];
  return landed(swarm, { issue, pullRequest: { number: pullRequest, headSha }, mergedSha, auto: false });
}
