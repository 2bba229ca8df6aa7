/**
 * Squash-merges a pull request on GitHub if head and base are still at the checked commits, and
 * explains what blocks a merge.
 */
import { type FaultCode, LegionError } from '../../../core/model/fault.ts';
import { formatCount, toPlainLine, toPlainText } from '../../../core/model/format.ts';
import type { CheckedAt, MergeOutcome } from '../../../ports/forge.ts';
import { mergeInMemory } from '../../forge-support/compare.ts';
import { toBranchRef } from '../../forge-support/repository.ts';
import { buildSquashMessage } from '../../forge-support/squash-message.ts';
import { toAccountName } from '../client/client.ts';
import type { BeforeMergingQuery, MergePullRequestMutation } from '../generated/forge.ts';
import type { GithubForgeContext } from './context.ts';
import { BEFORE_MERGING, MERGE } from './documents.ts';
import { findPullRequestMark, stripMark } from './legion-marks.ts';
import { askRepository, type FoundRepository } from './read-one.ts';

/**
 * Call only while holding the clone's lock, so that no process on this machine moves the base after
 * the check. GitHub compares the head but not the base: if another machine moves the base during
 * the merge, the result contains a note.
 */
export async function merge(
  context: GithubForgeContext,
  number: number,
  at: CheckedAt,
): Promise<MergeOutcome> {
  const before = await askMerge(context, number);
  const done = findMergeOutcome(before, at);
  if (done !== undefined) return done;
  await refuseUnmergeable(context, before, at);
  try {
    const { mergePullRequest } = await context.client.mutate<MergePullRequestMutation>(
      MERGE,
      { input: buildMergeInput(context, before, at) },
      {
        as: 'impl',
      },
    );
    const mergeCommit = mergePullRequest?.pullRequest?.mergeCommit ?? null;
    if (mergeCommit !== null) return toMergeOutcome(mergeCommit, at);
    throw new LegionError('github.unavailable', `GitHub returned no merge commit for pull request ${number}`);
  } catch (error) {
    return await recoverMerge(context, number, at, error);
  } finally {
    context.changed(before.pullRequest.headRefName);
  }
}

/**
 * Checks whether the merge happened and only its response was lost. If it did not happen, maps
 * GitHub's error text to a specific fault.
 */
async function recoverMerge(
  context: GithubForgeContext,
  number: number,
  at: CheckedAt,
  error: unknown,
): Promise<MergeOutcome> {
  if (!(error instanceof LegionError) || context.closing.aborted) throw error;
  const after = await askMerge(context, number);
  const done = findMergeOutcome(after, at);
  if (done !== undefined) return done;
  if (error.code === 'github.unavailable') throw error;
  await refuseUnmergeable(context, after, at);
  const code = REFUSALS.find(([pattern]) => pattern.test(error.message))?.[1];
  throw code === undefined ? error : new LegionError(code, error.message, { cause: error });
}

const REFUSALS: readonly (readonly [RegExp, FaultCode])[] = [
  [/Head branch was modified/i, 'forge.head_moved'],
  [/Base branch was modified/i, 'forge.base_moved'],
  [/\bdraft\b/i, 'forge.draft'],
  [/not mergeable|merge conflict/i, 'forge.conflict'],
  [
    /rule violation|required status check|approving review|changes have been requested|protected branch|merge queue|not authorized to/i,
    'forge.protected',
  ],
];

function findMergeOutcome({ pullRequest }: MergeAnswer, at: CheckedAt): MergeOutcome | undefined {
  const { state, mergeCommit, headRefOid } = pullRequest;
  if (state !== 'MERGED' || mergeCommit === null) return undefined;
  // If the pull request was merged at a different head than the checked one, the checked base no
  // longer matters.
  return headRefOid === at.headSha ? toMergeOutcome(mergeCommit, at) : { mergedSha: mergeCommit.oid };
}

function toMergeOutcome({ oid, parents }: MergeCommit, { baseSha }: CheckedAt): MergeOutcome {
  const onto = parents.nodes?.[0]?.oid;
  return onto === undefined || onto === baseSha
    ? { mergedSha: oid }
    : {
        mergedSha: oid,
        note: `The merge landed on ${onto} instead of the checked ${baseSha}: the base moved during the merge`,
      };
}

async function refuseUnmergeable(
  context: GithubForgeContext,
  answer: MergeAnswer,
  at: CheckedAt,
): Promise<void> {
  const { number, state, isDraft, headRef, headRefName, headRefOid, mergeable, mergeStateStatus } =
    answer.pullRequest;
  const baseOid = answer.base?.target?.oid;
  // Checked before the state, because GitHub closes a pull request whose branch is deleted.
  if (headRef === null && state !== 'MERGED')
    throw new LegionError('forge.branch_missing', `The branch ${headRefName} does not exist`);
  if (state !== 'OPEN')
    throw new LegionError('forge.not_open', `Pull request ${number} is ${state.toLowerCase()}`);
  if (isDraft) throw new LegionError('forge.draft', `Pull request ${number} is a draft`);
  if (headRefOid !== at.headSha)
    throw new LegionError(
      'forge.head_moved',
      `${headRefName} is at ${headRefOid}, but ${at.headSha} was checked`,
    );
  if (baseOid !== at.baseSha)
    throw new LegionError(
      'forge.base_moved',
      `${context.base} is at ${baseOid}, but ${at.baseSha} was checked`,
    );
  if (mergeable === 'CONFLICTING' || mergeStateStatus === 'DIRTY')
    throw new LegionError(
      'forge.conflict',
      `${headRefName} conflicts with the base${await describeConflicts(context, at)}`,
    );
  if (!isMergeabilityKnown(answer))
    throw new LegionError(
      'forge.mergeability_unknown',
      `GitHub does not know yet whether pull request ${number} can be merged`,
    );
  const unmet = describeProtection(answer);
  if (unmet !== undefined) throw new LegionError('forge.protected', `Pull request ${number}: ${unmet}`);
}

/** Asks git for the conflicting paths, because GitHub does not report them. */
async function describeConflicts(
  { clone }: GithubForgeContext,
  { headSha, baseSha }: CheckedAt,
): Promise<string> {
  try {
    await clone.fetchCommits([baseSha, headSha]);
    const result = await mergeInMemory(clone.repository, baseSha, headSha);
    return 'conflicts' in result ? ` in ${result.conflicts.join(', ')}` : '';
  } catch {
    return '';
  }
}

function buildMergeInput(context: GithubForgeContext, { pullRequest }: MergeAnswer, { headSha }: CheckedAt) {
  const { id, number, title, body, headRefName, author } = pullRequest;
  const mark = context.isLegion(toAccountName(author)) ? findPullRequestMark(body) : undefined;
  const issueReference = context.issueOf(headRefName);
  const message = buildSquashMessage({
    number,
    title: toPlainLine(title),
    body: toPlainText(stripMark(body)),
    headSha,
    issue: mark?.issue,
    closes: issueReference && `${issueReference.owner}/${issueReference.repo}#${issueReference.number}`,
    reverts: mark?.reverts,
  });
  const [commitHeadline = '', ...rest] = message.split('\n');
  const commitBody = rest.join('\n').trim();
  return { pullRequestId: id, expectedHeadOid: headSha, mergeMethod: 'SQUASH', commitHeadline, commitBody };
}

export type MergeAnswer = FoundRepository<BeforeMergingQuery>;
type MergeCommit = NonNullable<MergeAnswer['pullRequest']['mergeCommit']>;
type BaseRule = NonNullable<MergeAnswer['base']>['refUpdateRule'];
type CheckedContexts = NonNullable<MergeAnswer['pullRequest']['statusCheckRollup']>['contexts'];

/** Reads a pull request's merge state from GitHub. */
function askMerge(context: GithubForgeContext, number: number): Promise<MergeAnswer> {
  return askRepository<BeforeMergingQuery>(context, BEFORE_MERGING, {
    number,
    baseRef: toBranchRef(context.base),
  });
}

/**
 * GitHub usually computes mergeability within seconds of a request. Retries after 1, 2, 4, 8 and 15
 * s, half a minute in total.
 */
const WAITS_MS: readonly number[] = [1_000, 2_000, 4_000, 8_000, 15_000];

/**
 * Polls, because GitHub computes mergeability only when requested. Call outside the lock, so that
 * other writes do not wait.
 */
export async function waitForMergeability(context: GithubForgeContext, number: number): Promise<void> {
  for (const wait of WAITS_MS) {
    if (isMergeabilityKnown(await askMerge(context, number))) return;
    await context.clock.sleep(wait, context.closing);
  }
}

function isMergeabilityKnown({ pullRequest }: MergeAnswer): boolean {
  const { state, mergeable, mergeStateStatus } = pullRequest;
  return state !== 'OPEN' || (mergeable !== 'UNKNOWN' && mergeStateStatus !== 'UNKNOWN');
}

/**
 * Explains what branch protection still requires before a merge. Returns undefined if nothing
 * blocks the merge. Runs before the merge, because GitHub lets an administrator's token bypass
 * protection and Legion must not.
 */
export function describeProtection({ base, pullRequest }: MergeAnswer): string | undefined {
  const { mergeStateStatus, isMergeQueueEnabled } = pullRequest;
  if (isMergeQueueEnabled) {
    return 'the base has a merge queue, which chooses the merge order itself. Add the pull request to the queue by hand';
  }
  if (mergeStateStatus === 'BEHIND') return 'the branch must be up to date with the base before it is merged';
  if (mergeStateStatus !== 'BLOCKED') return undefined;
  const unmet = [
    ...listMissingReviews(pullRequest.reviewDecision, base?.refUpdateRule ?? null),
    ...listUnmetChecks(base?.refUpdateRule ?? null, pullRequest.statusCheckRollup?.contexts),
    ...(base?.refUpdateRule?.requiresConversationResolution === true
      ? ['every conversation to be resolved']
      : []),
    ...(base?.refUpdateRule?.requiresSignatures === true ? ['signed commits'] : []),
  ];
  return unmet.length === 0
    ? 'GitHub blocks the merge without giving a reason'
    : `the base requires ${unmet.join(', ')}`;
}

function listMissingReviews(decision: string | null, rule: BaseRule): readonly string[] {
  const count = rule?.requiredApprovingReviewCount ?? 1;
  switch (decision) {
    case 'REVIEW_REQUIRED':
      return [`${formatCount(count, 'approving review')} by an account with write access`];
    case 'CHANGES_REQUESTED':
      return ['approval by the reviewer who requested changes'];
    default:
      return [];
  }
}

const PASSED: ReadonlySet<string> = new Set(['SUCCESS', 'NEUTRAL', 'SKIPPED']);

function listUnmetChecks(rule: BaseRule, contexts: CheckedContexts | undefined): readonly string[] {
  const checks = (contexts?.nodes ?? []).flatMap(readCheck);
  const required = (rule?.requiredStatusCheckContexts ?? []).filter((name) => name !== null);
  return required.flatMap((name) => {
    const check = checks.find((each) => each.name === name);
    // If there are more pages, the check may be on one of them, so it is not reported as missing.
    if (check === undefined)
      return contexts?.pageInfo.hasNextPage === true ? [] : [`the check "${name}", which has not run`];
    if (PASSED.has(check.end)) return [];
    return [`the check "${name}", which is ${check.end.toLowerCase().replaceAll('_', ' ')}`];
  });
}

type CheckedContext = NonNullable<CheckedContexts['nodes']>[number];

/**
 * Reads the name and result of a check run (name and conclusion) or a commit status (context and
 * state).
 */
function readCheck(check: CheckedContext): readonly { readonly name: string; readonly end: string }[] {
  if (check === null) return [];
  if ('context' in check) return [{ name: check.context, end: check.state }];
  return 'name' in check ? [{ name: check.name, end: check.conclusion ?? check.status }] : [];
}
