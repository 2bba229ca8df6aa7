/** Finds out, when a daemon starts, what became of merges that the one before it had begun. */
import type { EventBody } from '../../core/model/event.ts';
import { LegionError } from '../../core/model/fault.ts';
import type { IssueId } from '../../core/model/ids.ts';
import type { MergeBegun } from '../../core/state/fleet-state.ts';
import type { Forge } from '../../ports/forge.ts';
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
  const found = await findOutcome(forge, issue, begun.pullRequest);
  if (found === 'unknown') return;
  // The next look records a worker's merge: it knows by the labels whether a person had approved it.
  if (found !== 'not merged' && begun.actor === 'worker') return;
  await world.ledger.append((swarm): EventBody[] => {
    if (swarm.issues.get(issue)?.mergeBegun?.begin !== begun.begin) return [];
    const { pullRequest: number, headSha, by, forced, begin } = begun;
    if (found === 'not merged')
      return [{ type: 'merge.failed', issue, begin, why: 'the daemon ended before it was merged' }];
    const { mergedSha, isRevert } = found;
    return isRevert
      ? [{ type: 'revert.landed', issue, revert: number, mergedSha, by, forced }]
      : landed(swarm, { issue, pullRequest: { number, headSha }, mergedSha, auto: false });
  });
  world.wake(issue);
}

/** By number where the forge knows it; elsewhere only the issue's own pull request is merged through Legion. */
async function findOutcome(
  forge: Forge,
  issue: IssueId,
  number: number,
): Promise<{ readonly mergedSha: string; readonly isRevert: boolean } | 'not merged' | 'unknown'> {
  const found = await inTime('forge.unavailable', async (signal) =>
    forge.findPullRequest === undefined
      ? (await forge.pullRequests([issue], signal)).get(issue)
      : forge.findPullRequest(number, signal),
  );
  if (found === 'unknown') return 'unknown';
  if (found?.number !== number || found.mergedSha === undefined) return 'not merged';
  return { mergedSha: found.mergedSha, isRevert: 'reverts' in found && found.reverts !== undefined };
}
