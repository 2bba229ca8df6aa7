/** `merge`: every condition is checked once more at this very commit, and only then it lands. */
import { LegionError } from '../../../core/model/fault.ts';
import { workerId } from '../../../core/model/ids.ts';
import type { ForgePullRequest } from '../../../ports/forge.ts';
import { effectiveLabels } from '../../../swarm/effective-labels.ts';
import type { WorkerIdentity } from '../../daemon.ts';
import { carryOutMerge, retryWhileMoving } from '../../merging/carry-out-merge.ts';
import { checkMerge, listConditions } from '../../merging/check-merge.ts';
import { landed, wasAutomatic } from '../../reports/landed.ts';
import { issueOf } from '../../reports/read-outside.ts';
import type { World } from '../../world.ts';
import { appendAs, presentWorker } from '../fence.ts';
import { neededPullRequest } from '../needed.ts';
import type { Saying } from '../saying.ts';

/** Called for one merge of a repository at a time, so that each is checked against what the one before left. */
export const merge: Saying<'merge'> = (world, who) =>
  retryWhileMoving(async () => {
    // Waiting for its turn takes time, in which its attempt may have ended.
    presentWorker(world.ledger.swarm, who);
    // Read before the checks: whatever moves after this is noticed by the forge.
    const pullRequest = await neededPullRequest(world, who.issue);
    try {
      return pullRequest.state === 'merged'
        ? await foundMerged(world, who, pullRequest)
        : await mergeNow(world, who, pullRequest);
    } catch (error) {
      if (isBaseInUse(error)) throw await standDown(world, who, error);
      throw error;
    }
  });

async function mergeNow(world: World, who: WorkerIdentity, pullRequest: ForgePullRequest) {
  const { issue, mode } = who;
  const { number, headSha, baseSha } = pullRequest;
  const { auto, gate, open } = await checkMerge(world, issue, pullRequest);
  if (open.length > 0) {
    throw new LegionError('merge.refused', `${issue} at ${headSha}: ${listConditions(open)}`);
  }
  const { forge } = world.repositories.of(issue);
  const order = {
    issue,
    pullRequest: number,
    headSha,
    baseSha,
    by: workerId(issue, mode),
    actor: 'worker',
    forced: false,
    ...gate,
  } as const;
  // From here on a halt waits until the outcome is in the journal; one that came before ends it at the first append.
  return world.merges.run(issue, async () => {
    const { mergedSha, note } = await carryOutMerge(world, forge, order, (bodies) =>
      appendAs(world, who, ({ swarm }) => bodies(swarm)),
    );
    return recorded(world, who, pullRequest, { mergedSha, auto, note });
  });
}

/** The same answer as the first time, and what the journal has not heard of is made good. */
async function foundMerged(world: World, who: WorkerIdentity, pullRequest: ForgePullRequest) {
  const { number, headSha, baseSha } = pullRequest;
  const mergedSha =
    pullRequest.mergedSha ??
    (await world.repositories.of(who.issue).forge.merge(number, { headSha, baseSha })).mergedSha;
  const { labels } = await issueOf(world, who.issue);
  const auto = wasAutomatic(effectiveLabels(labels, world.ledger.swarm, who.issue));
  return recorded(world, who, pullRequest, { mergedSha, auto });
}

/** Not fenced: it has happened, whoever it was that asked for it. */
async function recorded(
  world: World,
  { issue }: WorkerIdentity,
  pullRequest: ForgePullRequest,
  result: { readonly mergedSha: string; readonly auto: boolean; readonly note?: string | undefined },
) {
  const { mergedSha, auto, note } = result;
  await world.ledger.append((swarm) => landed(swarm, { issue, pullRequest, mergedSha, auto }));
  world.wake(issue);
  const words = `Pull request ${pullRequest.number} is merged as ${mergedSha}. Report with \`legion worker done\`.`;
  return { mergedSha, says: note === undefined ? words : `${words} Note: ${note}` };
}

function isBaseInUse(error: unknown): error is LegionError {
  return error instanceof LegionError && error.code === 'forge.base_in_use';
}

/**
 * A person's uncommitted files are not the worker's fault: its attempt ends without a crash, and the issue waits as if it had
 * not been sent.
 */
async function standDown(world: World, who: WorkerIdentity, refused: LegionError): Promise<LegionError> {
  const { issue, mode, attempt } = who;
  await appendAs(world, who, () => [
    { type: 'attempt.stopped', issue, mode, attempt, why: `the merge has to wait: ${refused.message}` },
  ]);
  world.wake(issue);
  const next =
    'Nothing was merged and nothing is wrong with your work: end here. Legion continues by itself.';
  return new LegionError('forge.base_in_use', `${refused.message}. ${next}`, { cause: refused });
}
