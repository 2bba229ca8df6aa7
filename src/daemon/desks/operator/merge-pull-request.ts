/** Merges a pull request of the local forge on an operator's order: a revert, or that of an issue which passes its gate. */
import type { EventBody } from '../../../core/model/event.ts';
import { LegionError } from '../../../core/model/fault.ts';
import type { SeenGate } from '../../../core/state/fleet-state.ts';
import type { Swarm } from '../../../core/state/state.ts';
import type { ForgePullRequest, Merged, NumberedPullRequest } from '../../../ports/forge.ts';
import type { MergeAnswer, MergeRequest } from '../../../protocol/merging.ts';
import { carryOutMerge, retryWhileMoving } from '../../merging/carry-out-merge.ts';
import { landed } from '../../reports/landed.ts';
import type { Repository } from '../../repository.ts';
import type { World } from '../../world.ts';
import { reading } from '../read-outside.ts';
import { checkIssueMerge, checkRevert } from './check-operator-merge.ts';
import { findRepositoryOf, requirePullRequest } from './find-pull-request.ts';
import { sayOnIssue } from './say-on-issue.ts';

export async function mergePullRequest(world: World, request: MergeRequest): Promise<MergeAnswer> {
  const repository = await findRepositoryOf(world, request);
  return world.merges.oneAtATime(repository.path, () =>
    retryWhileMoving(async () => {
      // Read in its turn: another merge may have landed meanwhile.
      const found = await requirePullRequest(repository, request.number);
      refuseUnlessOpen(found, repository);
      const pullRequest = await readPullRequest(repository, found);
      const gate =
        found.reverts === undefined
          ? await checkIssueMerge(world, found.issue, pullRequest, request)
          : await checkRevert(world, repository, found, pullRequest, request.force);
      const merged = await mergeNow(world, repository, { found, pullRequest, gate, request });
      return answer(world, repository, found, merged, request);
    }),
  );
}

function refuseUnlessOpen({ number, state, mergedSha }: NumberedPullRequest, { base }: Repository): void {
  if (state === 'merged')
    throw new LegionError('pr.merged', `Pull request ${number} was merged into ${base} as ${mergedSha}.`);
  if (state === 'closed') throw new LegionError('forge.not_open', `Pull request ${number} is closed.`);
}

async function readPullRequest(
  { forge }: Repository,
  { number, branch }: NumberedPullRequest,
): Promise<ForgePullRequest> {
  const read = (await reading((signal) => forge.pullRequests([branch], signal))).get(branch);
  if (read === 'unknown')
    throw new LegionError('forge.unavailable', `Pull request ${number} cannot be read now.`);
  if (read?.number === number) return read;
  throw new LegionError('forge.branch_missing', `Branch ${branch} of pull request ${number} is gone.`);
}

interface Order {
  readonly found: NumberedPullRequest;
  readonly pullRequest: ForgePullRequest;
  readonly gate: SeenGate;
  readonly request: MergeRequest;
}

async function mergeNow(
  world: World,
  { forge }: Repository,
  { found, pullRequest, gate, request }: Order,
): Promise<Merged> {
  const { issue, number } = found;
  const { headSha, baseSha } = pullRequest;
  const { by, force } = request;
  const forced = force && found.reverts !== undefined;
  return world.merges.run(issue, async () => {
    const merged = await carryOutMerge(world, forge, {
      issue,
      pullRequest: number,
      headSha,
      baseSha,
      by,
      actor: 'operator',
      forced,
      ...gate,
    });
    await world.ledger.append((swarm) => outcomeOf(swarm, found, headSha, merged.mergedSha, { by, forced }));
    world.wake(issue);
    return merged;
  });
}

function outcomeOf(
  swarm: Swarm,
  { issue, number, reverts }: NumberedPullRequest,
  headSha: string,
  mergedSha: string,
  { by, forced }: { readonly by: string; readonly forced: boolean },
): EventBody[] {
  return reverts === undefined
    ? landed(swarm, { issue, pullRequest: { number, headSha }, mergedSha, auto: false })
    : [{ type: 'revert.landed', issue, revert: number, mergedSha, by, forced }];
}

async function answer(
  world: World,
  { base }: Repository,
  { issue, number, reverts }: NumberedPullRequest,
  { mergedSha, note }: Merged,
  { by, force }: MergeRequest,
): Promise<MergeAnswer> {
  const what =
    reverts === undefined
      ? `Pull request ${number} of ${issue} is merged into ${base} as ${mergedSha}. ${issue} moves to Done.`
      : `Pull request ${number} is merged into ${base} as ${mergedSha}: ${base} no longer contains the change of ${issue} (pull request ${reverts}).`;
  const forced = force && reverts !== undefined;
  const how = forced ? ' with --force' : '';
  const text = `${by} merged pull request ${number} into ${base} as ${mergedSha}${how}.`;
  const unsaid = await sayOnIssue(world, issue, by, `${issue}:merged:${number}`, text).then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  const says = [
    what,
    ...(forced ? ['--force skipped the check of its CI; the journal keeps that.'] : []),
    ...(note === undefined ? [] : [`Note: ${note}`]),
    ...(unsaid === undefined ? [] : [`No comment could be posted on ${issue}: ${unsaid}`]),
  ].join(' ');
  return {
    says,
    pullRequest: number,
    issue,
    base,
    mergedSha,
    forced,
    ...(reverts !== undefined && { reverts }),
  };
}
