/** Reads an issue and its pull request from the tracker and the forge while a caller is waiting. */

import type { ChangesSince } from '../../core/model/evidence.ts';
import { isStillValid } from '../../core/model/evidence.ts';
import { LegionError } from '../../core/model/fault.ts';
import type { IssueId } from '../../core/model/ids.ts';
import type { Issue } from '../../core/model/issue.ts';
import { judgeReviews } from '../../core/model/pull-request.ts';
import type { LegionState } from '../../core/state/state.ts';
import type { ForgePullRequest } from '../../ports/forge.ts';
import type { PullRequestView } from '../../protocol/board.ts';
import type { PortContext, StateContext } from '../context/daemon-context.ts';

/**
 * Shorter than the 30 s for which a worker waits for an answer. The worker thus learns that its
 * report will be judged later, instead of running into a timeout.
 */
const READ_LIMIT_MS = 20_000;

/**
 * Limits the duration of a read that a caller is waiting for. After a timeout, rejects as if the
 * service were unreachable.
 */
export async function readInTime<T>(
  code: 'tracker.unavailable' | 'forge.unavailable',
  read: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = AbortSignal.timeout(READ_LIMIT_MS);
  try {
    return await read(limit);
  } catch (error) {
    if (!limit.aborted) throw error;
    throw new LegionError(code, `No response within ${READ_LIMIT_MS} ms.`, { cause: error });
  }
}

/** Rejects if the issue does not exist. */
export async function requireIssue({ tracker }: PortContext, id: IssueId): Promise<Issue> {
  const issue = await readInTime('tracker.unavailable', (signal) => tracker.read(id, signal));
  if (issue === undefined) throw new LegionError('tracker.issue_unknown', `${id} is not on the board`);
  return issue;
}

/** Like `findPullRequest`, but also returns `unknown` if the forge does not respond. */
export async function findPullRequestOrUnknown(
  context: StateContext & PortContext,
  issue: IssueId,
): Promise<ForgePullRequest | 'none' | 'unknown'> {
  try {
    return await findPullRequest(context, issue);
  } catch (error) {
    if (error instanceof LegionError) return 'unknown';
    throw error;
  }
}

/**
 * Returns the pull request of the issue's branch. Returns `unknown` if it could not be read, and
 * `none` if its merge was reverted.
 */
export async function findPullRequest(
  { repositories, ledger }: StateContext & PortContext,
  issue: IssueId,
): Promise<ForgePullRequest | 'none' | 'unknown'> {
  const { forge } = repositories.require(issue);
  const found = await readInTime('forge.unavailable', (signal) => forge.pullRequests([issue], signal));
  const mine = found.get(issue) ?? 'none';
  return typeof mine === 'object' && isPullRequestUndone(ledger.state, issue, mine) ? 'none' : mine;
}

function isPullRequestUndone(
  { issues }: LegionState,
  issue: IssueId,
  { state, number }: ForgePullRequest,
): boolean {
  const merged = issues.get(issue)?.merged;
  return state === 'merged' && merged?.undone !== undefined && merged.pullRequest === number;
}

/** Builds the view of a pull request. `review` is the verdict that applies to its head commit. */
export async function buildPullRequestView(
  context: StateContext & PortContext,
  issue: IssueId,
  found: ForgePullRequest,
): Promise<PullRequestView> {
  const { number, state, draft, title, branch, headSha, reviews, ci, mergeable, mergedSha } = found;
  const changes = await readChangesSinceReviews(context, issue, found);
  const { retroPaths } = context.policyOf(issue);
  const review = judgeReviews(reviews, (sha) => isStillValid(sha, headSha, changes, retroPaths));
  return {
    number,
    state,
    draft,
    title,
    branch,
    headSha,
    review,
    ci,
    mergeable,
    ...(mergedSha === undefined ? {} : { mergedSha }),
  };
}

async function readChangesSinceReviews(
  context: PortContext,
  issue: IssueId,
  { reviews, headSha, baseSha }: ForgePullRequest,
): Promise<ChangesSince> {
  const shas = new Set(reviews === 'unknown' ? [] : reviews.map(({ sha }) => sha));
  shas.delete(headSha);
  if (shas.size === 0) return new Map();
  const { forge } = context.repositories.require(issue);
  try {
    return await readInTime('forge.unavailable', (signal) =>
      forge.changesSince([...shas], { headSha, baseSha }, signal),
    );
  } catch (error) {
    // If the changes cannot be read, the review is shown as unknown.
    if (error instanceof LegionError) return new Map();
    throw error;
  }
}
