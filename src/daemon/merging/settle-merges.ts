/** At startup, determines the outcome of merges that the previous daemon had begun. */

import type { EventBody } from '../../core/model/event.ts';
import { LegionError } from '../../core/model/fault.ts';
import type { IssueId } from '../../core/model/ids.ts';
import type { BegunMerge } from '../../core/state/fleet-state.ts';
import type { Forge } from '../../ports/forge.ts';
import type { PortContext, StateContext } from '../context/daemon-context.ts';
import { buildLandingEvents } from '../reports/landed.ts';
import { readInTime } from '../repositories/read-outside.ts';

/**
 * Determines the outcome of every merge that was begun. A merge whose outcome cannot be read stays
 * open until a reconcile pass or the next start.
 */
export async function settleMerges(context: StateContext & PortContext): Promise<void> {
  for (const { issue, mergeBegun } of [...context.ledger.state.issues.values()]) {
    if (mergeBegun === undefined) continue;
    try {
      await settleMerge(context, issue, mergeBegun);
    } catch (error) {
      if (!(error instanceof LegionError)) context.problems.report(`merge of ${issue}`, error);
    }
  }
}

async function settleMerge(
  context: StateContext & PortContext,
  issue: IssueId,
  begun: BegunMerge,
): Promise<void> {
  const forge = context.repositories.find(issue)?.forge;
  if (forge === undefined) return;
  const found = await findMergeOutcome(forge, issue, begun.pullRequest);
  if (found === 'unknown') return;
  // A worker's merge is recorded by the next reconcile pass, which can tell from the labels whether
  // a person approved it.
  if (found !== 'not merged' && begun.actor === 'worker') return;
  await context.ledger.append((state): EventBody[] => {
    if (state.issues.get(issue)?.mergeBegun?.begin !== begun.begin) return [];
    const { pullRequest: number, headSha, by, forced, begin } = begun;
    if (found === 'not merged')
      return [{ type: 'merge.failed', issue, begin, why: 'the daemon stopped before the merge' }];
    const { mergedSha, isRevert } = found;
    return isRevert
      ? [{ type: 'revert.landed', issue, revert: number, mergedSha, by, forced }]
      : buildLandingEvents(state, { issue, pullRequest: { number, headSha }, mergedSha, auto: false });
  });
  context.wake(issue);
}

/**
 * Looks up the pull request by number if the forge supports that. On other forges, Legion merges
 * only the issue's own pull request, so it is found by branch.
 */
async function findMergeOutcome(
  forge: Forge,
  issue: IssueId,
  number: number,
): Promise<{ readonly mergedSha: string; readonly isRevert: boolean } | 'not merged' | 'unknown'> {
  const found = await readInTime('forge.unavailable', async (signal) =>
    forge.findPullRequest === undefined
      ? (await forge.pullRequests([issue], signal)).get(issue)
      : forge.findPullRequest(number, signal),
  );
  if (found === 'unknown') return 'unknown';
  if (found?.number !== number || found.mergedSha === undefined) return 'not merged';
  return { mergedSha: found.mergedSha, isRevert: 'reverts' in found && found.reverts !== undefined };
}
