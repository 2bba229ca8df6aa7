/** `merge`: checks every condition again at this exact commit, then merges. */
import { LegionError } from '../../../core/model/fault.ts';
import type { WorkerIdentity } from '../../../core/model/ids.ts';
import { toWorkerId } from '../../../core/model/ids.ts';
import { computeEffectiveLabels } from '../../../core/state/effective-labels.ts';
import type { ForgePullRequest } from '../../../ports/forge.ts';
import type { DaemonContext, PortContext, StateContext } from '../../context/daemon-context.ts';
import { executeMerge, retryWhileMoving } from '../../merging/carry-out-merge.ts';
import { checkMerge, listConditions } from '../../merging/check-merge.ts';
import { buildLandingEvents, isAutomaticMerge } from '../../reports/landed.ts';
import { requireIssue } from '../../repositories/read-outside.ts';
import { appendAs, requireCurrentAttempt } from '../attempt-guard.ts';
import { requireIssuePullRequest, type VerbHandler } from '../verb-handler.ts';

/**
 * Runs one merge per repository at a time, so that each merge is checked against the result of the
 * previous one.
 */
export const handleMerge: VerbHandler<'merge'> = (context, who) =>
  retryWhileMoving(async () => {
    // The attempt may have ended while this merge was waiting for its turn.
    requireCurrentAttempt(context.ledger.state, who);
    // The pull request is read before the checks. The forge refuses the merge if anything changes
    // after this read.
    const pullRequest = await requireIssuePullRequest(context, who.issue);
    try {
      return pullRequest.state === 'merged'
        ? await recordFoundMerge(context, who, pullRequest)
        : await mergeNow(context, who, pullRequest);
    } catch (error) {
      if (isBaseInUse(error)) throw await stopForBusyBase(context, who, error);
      throw error;
    }
  });

async function mergeNow(context: DaemonContext, who: WorkerIdentity, pullRequest: ForgePullRequest) {
  const { issue, mode } = who;
  const { number, headSha, baseSha } = pullRequest;
  const { auto, gate, open } = await checkMerge(context, issue, pullRequest);
  if (open.length > 0) {
    throw new LegionError('merge.refused', `${issue} at ${headSha}: ${listConditions(open)}`);
  }
  const { forge } = context.repositories.require(issue);
  const order = {
    issue,
    pullRequest: number,
    headSha,
    baseSha,
    by: toWorkerId(issue, mode),
    actor: 'worker',
    forced: false,
    ...gate,
  } as const;
  // From here on, a halt waits until the outcome is in the journal. If a halt came earlier, the
  // first append ends the merge.
  return context.merges.run(issue, async () => {
    const { mergedSha, note } = await executeMerge(context, forge, order, (bodies) =>
      appendAs(context, who, ({ state }) => bodies(state)),
    );
    return recordMerge(context, who, pullRequest, { mergedSha, auto, note });
  });
}

/**
 * Handles a pull request that is already merged: returns the same answer as the first call and
 * records events that are missing from the journal.
 */
async function recordFoundMerge(
  context: StateContext & PortContext,
  who: WorkerIdentity,
  pullRequest: ForgePullRequest,
) {
  const { number, headSha, baseSha } = pullRequest;
  const mergedSha =
    pullRequest.mergedSha ??
    (await context.repositories.require(who.issue).forge.merge(number, { headSha, baseSha })).mergedSha;
  const { labels } = await requireIssue(context, who.issue);
  const auto = isAutomaticMerge(computeEffectiveLabels(labels, context.ledger.state, who.issue));
  return recordMerge(context, who, pullRequest, { mergedSha, auto });
}

/**
 * Records a merge without the attempt guard, because the merge has already happened, whichever
 * attempt requested it.
 */
async function recordMerge(
  context: StateContext,
  { issue }: WorkerIdentity,
  pullRequest: ForgePullRequest,
  result: { readonly mergedSha: string; readonly auto: boolean; readonly note?: string | undefined },
) {
  const { mergedSha, auto, note } = result;
  await context.ledger.append((state) => buildLandingEvents(state, { issue, pullRequest, mergedSha, auto }));
  context.wake(issue);
  const words = `Pull request ${pullRequest.number} is merged as ${mergedSha}. Report with \`legion worker done\`.`;
  return { mergedSha, says: note === undefined ? words : `${words} Note: ${note}` };
}

function isBaseInUse(error: unknown): error is LegionError {
  return error instanceof LegionError && error.code === 'forge.base_in_use';
}

/**
 * Ends the attempt without recording a crash, because a person's uncommitted files are not the
 * worker's fault. The issue waits as if no worker had been started.
 */
async function stopForBusyBase(
  context: StateContext,
  who: WorkerIdentity,
  refused: LegionError,
): Promise<LegionError> {
  const { issue, mode, attempt } = who;
  await appendAs(context, who, () => [
    { type: 'attempt.stopped', issue, mode, attempt, why: `the merge has to wait: ${refused.message}` },
  ]);
  context.wake(issue);
  const next = 'Nothing was merged, and your work is fine. End your turn; Legion continues by itself.';
  return new LegionError('forge.base_in_use', `${refused.message}\n${next}`, { cause: refused });
}
