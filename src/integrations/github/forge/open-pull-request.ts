/** Opens a pull request for a branch or finds the existing one, and opens reverts. */
import { LegionError } from '../../../core/model/fault.ts';
import { readIssueId } from '../../../core/model/ids.ts';
import { unwrap } from '../../../lib/result.ts';
import type { NewPullRequest, RevertRequest } from '../../../ports/forge.ts';
import { refuseBranch, sanitizeBody, sanitizeName, sanitizeTitle } from '../../forge-support/clean-text.ts';
import { toBranchRef, toIdentityEnvironment } from '../../forge-support/repository.ts';
import {
  createRevertCommit,
  formatRevertTitle,
  isRevertOf,
  toRevertBranch,
} from '../../forge-support/squash-message.ts';
import { isPossiblyDone } from '../client/answer-fault.ts';
import { toAccountName } from '../client/client.ts';
import type {
  BeforeOpeningQuery,
  BeforeRevertingQuery,
  OpenPullRequestMutation,
} from '../generated/forge.ts';
import type { GithubForgeContext } from './context.ts';
import { BEFORE_OPENING, BEFORE_REVERTING, OPEN } from './documents.ts';
import { findPullRequestMark, markPullRequest, type PullRequestMark } from './legion-marks.ts';
import { askRepository, type FoundRepository } from './read-one.ts';

/**
 * Returns the branch's open pull request, or its merged one if the branch has no commits since the
 * merge. Otherwise opens a new one.
 */
export async function openPullRequest(
  context: GithubForgeContext,
  branch: string,
  request: NewPullRequest,
  reverts?: number,
): Promise<number> {
  refuseBranch(branch, context.base);
  const issue = unwrap(readIssueId(request.issue));
  const title = sanitizeTitle(request.title);
  const mark: PullRequestMark = {
    issue,
    author: sanitizeName(request.author),
    ...(reverts === undefined ? {} : { reverts }),
  };
  const body = markPullRequest(sanitizeBody(request.body), mark);
  let repositoryId = '';

  async function findExisting(): Promise<number | undefined> {
    const { id, base, head, pullRequests } = await readBranch(context, branch);
    if (base === null)
      throw new LegionError('forge.base_missing', `The branch ${context.base} does not exist on GitHub`);
    if (head === null) throw new LegionError('forge.branch_missing', `The branch ${branch} does not exist`);
    repositoryId = id;
    const [own] = pullRequests;
    return own?.state === 'OPEN' || own?.headRefOid === head.target?.oid ? own?.number : undefined;
  }

  async function create(): Promise<number> {
    const names = { baseRefName: context.base, headRefName: branch };
    const input = { repositoryId, ...names, title, body, draft: request.draft };
    const answer = await context.client
      .mutate<OpenPullRequestMutation>(OPEN, { input }, { as: 'impl' })
      .catch(throwOpenFault);
    const number = answer.createPullRequest?.pullRequest?.number;
    if (number !== undefined) return number;
    throw new LegionError('github.unavailable', 'GitHub returned no number for the new pull request');
  }

  const number = await runOnce(findExisting, create);
  context.changed(branch);
  return number;
}

/**
 * Finds the open or merged pull request that undoes another one. Ignores closed ones, because they
 * undo nothing.
 */
async function findRevert(
  context: GithubForgeContext,
  branch: string,
  number: number,
): Promise<number | undefined> {
  const { pullRequests } = await readBranch(context, branch);
  return pullRequests.find(
    ({ author, body }) =>
      context.isLegion(toAccountName(author)) && findPullRequestMark(body)?.reverts === number,
  )?.number;
}

type BranchAnswer = FoundRepository<BeforeOpeningQuery>;
type PullRequestCandidate = NonNullable<NonNullable<BranchAnswer['pullRequests']['nodes']>[number]>;

interface BranchLookup extends Pick<BranchAnswer, 'id' | 'base' | 'head'> {
  readonly pullRequests: readonly PullRequestCandidate[];
}

/**
 * Lists the pull requests of the repository's own branch, excluding those from forks. Open ones
 * come first. Otherwise the order is newest first.
 */
async function readBranch(context: GithubForgeContext, branch: string): Promise<BranchLookup> {
  const refs = {
    baseRef: toBranchRef(context.base),
    headRef: toBranchRef(branch),
    head: branch,
    into: context.base,
  };
  const all: PullRequestCandidate[] = [];
  for (let after: string | null = null; ; ) {
    const answer: BranchAnswer = await askRepository<BeforeOpeningQuery>(context, BEFORE_OPENING, {
      ...refs,
      after,
    });
    const nodes = (answer.pullRequests.nodes ?? []).filter((each) => each !== null);
    all.push(...nodes.filter(({ isCrossRepository }) => !isCrossRepository));
    const { hasNextPage, endCursor } = answer.pullRequests.pageInfo;
    const open = all.filter(({ state }) => state === 'OPEN');
    const others = all.filter(({ state }) => state !== 'OPEN');
    if (!hasNextPage || open.length > 0) return { ...answer, pullRequests: [...open, ...others] };
    after = endCursor;
  }
}

/** GitHub's error text is the only sign that a branch has no new commits. */
function throwOpenFault(error: unknown): never {
  if (error instanceof LegionError && /No commits between|no history in common/i.test(error.message)) {
    throw new LegionError('forge.nothing_to_merge', error.message, { cause: error });
  }
  throw error;
}

/**
 * Runs an action that is not idempotent, although its response may get lost: searches for the
 * result of an earlier run, acts if there is none, and searches again after an error. `find`
 * searches, `act` does the work.
 */
export async function runOnce<T>(find: () => Promise<T | undefined>, act: () => Promise<T>): Promise<T> {
  const before = await find();
  if (before !== undefined) return before;
  try {
    return await act();
  } catch (error) {
    if (!isPossiblyDone(error)) throw error;
    const after = await find();
    if (after === undefined) throw error;
    return after;
  }
}

/**
 * Undoes a merged pull request with a new one on GitHub, even if the base has moved on. A second
 * call finds the pull request or branch of the first. Call only while holding the clone's lock.
 * Uses git instead of GitHub's revert, which creates another branch on every retry after a lost
 * response.
 */
export async function openRevert(
  context: GithubForgeContext,
  number: number,
  request: RevertRequest,
): Promise<{ readonly number: number; readonly branch: string }> {
  const { pullRequest } = await askRepository<BeforeRevertingQuery>(context, BEFORE_REVERTING, { number });
  const { mergeCommit, headRefName, state } = pullRequest;
  if (mergeCommit === null || state !== 'MERGED')
    throw new LegionError('forge.not_merged', `Pull request ${number} is ${state.toLowerCase()}`);
  const branch = toRevertBranch(number, headRefName);
  const earlier = await findRevert(context, branch, number);
  if (earlier !== undefined) return { number: earlier, branch };
  await createRevertBranch(context, branch, pullRequest, mergeCommit.oid, request);
  const title = formatRevertTitle(pullRequest.title);
  const body = `Reverts #${number} (${mergeCommit.oid}).`;
  return {
    number: await openPullRequest(context, branch, { ...request, title, body, draft: false }, number),
    branch,
  };
}

type RevertedPullRequest = FoundRepository<BeforeRevertingQuery>['pullRequest'];

async function createRevertBranch(
  { clone, base: baseName, identity }: GithubForgeContext,
  branch: string,
  pullRequest: RevertedPullRequest,
  commit: string,
  { issue }: RevertRequest,
): Promise<void> {
  const { repository } = clone;
  const [base, head] = [await clone.readHead(baseName), await clone.readHead(branch)];
  if (base === undefined)
    throw new LegionError('forge.base_missing', `The branch ${baseName} does not exist on GitHub`);
  await clone.fetchCommits([base, commit, ...(head === undefined ? [] : [head])]);
  if (head !== undefined) {
    if (await isRevertOf(repository, head, base, pullRequest.number)) return;
    throw new LegionError('forge.branch_refused', `An unrelated branch ${branch} already exists`);
  }
  const { number, title } = pullRequest;
  const { out: before } = await repository.run([
    'rev-parse',
    '--verify',
    `${commit}~${countLandedCommits(pullRequest)}`,
  ]);
  const input = {
    number,
    title,
    commit,
    before: before.trim(),
    base,
    issue,
    identity: toIdentityEnvironment(await identity()),
  };
  await clone.moveBranch(branch, undefined, await createRevertCommit(repository, input));
}

/**
 * Returns the number of commits that the merge added to the base. A rebase merge adds every commit
 * with its own message; a squash merge or a merge commit adds only one.
 */
function countLandedCommits({ mergeCommit, commits }: RevertedPullRequest): number {
  const isRebased =
    mergeCommit?.parents.totalCount === 1 && mergeCommit.message === commits.nodes?.[0]?.commit.message;
  return isRebased ? commits.totalCount : 1;
}
