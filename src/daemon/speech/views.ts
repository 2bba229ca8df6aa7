/** The issue and its pull request as a worker is shown them. */

import { LegionError } from '../../core/model/fault.ts';
import type { IssueId } from '../../core/model/ids.ts';
import { reviewVerdict } from '../../core/model/pull-request.ts';
import { readStatus } from '../../core/model/status.ts';
import type { ChangesSince } from '../../domain/evidence.ts';
import type { Issue } from '../../domain/issue.ts';
import { stillHolds } from '../../pipeline/binding.ts';
import type { ForgePullRequest } from '../../ports/forge.ts';
import type { IssueView, PullRequestView } from '../../protocol/board.ts';
import { effectiveLabels } from '../../swarm/effective-labels.ts';
import { problemTexts } from '../present/problem-texts.ts';
import { inTime } from '../reports/read-outside.ts';
import type { World } from '../world.ts';

/** The labels include those that the tracker does not show yet, in the order in which it will show them. */
export function issueView({ ledger, settings }: World, issue: Issue): IssueView {
  const { id, title, body, column, labels, priority, createdAt, openBlockers, parent, writtenBy } = issue;
  const { assignee } = issue;
  return {
    id,
    title,
    body,
    status: readStatus(column, settings().columns),
    column,
    labels: [...effectiveLabels(labels, ledger.swarm, id)].sort(),
    priority,
    createdAt,
    blockedBy: [...openBlockers],
    problems: problemTexts(issue),
    ...(parent === undefined ? {} : { parent }),
    ...(assignee === undefined ? {} : { assignee }),
    ...(writtenBy === undefined ? {} : { writtenBy: { ...writtenBy } }),
  };
}

/** The review is the one that counts at this head. */
export async function pullRequestView(
  world: World,
  issue: IssueId,
  found: ForgePullRequest,
): Promise<PullRequestView> {
  const { number, state, draft, title, branch, headSha, reviews, ci, mergeable, mergedSha } = found;
  const changes = await changesSinceReviews(world, issue, found);
  const { retroPaths } = world.policyOf(issue);
  const review = reviewVerdict(reviews, (sha) => stillHolds(sha, headSha, changes, retroPaths));
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

async function changesSinceReviews(
  world: World,
  issue: IssueId,
  { reviews, headSha, baseSha }: ForgePullRequest,
): Promise<ChangesSince> {
  const shas = new Set(reviews === 'unknown' ? [] : reviews.map(({ sha }) => sha));
  shas.delete(headSha);
  if (shas.size === 0) return new Map();
  const { forge } = world.repositories.of(issue);
  try {
    return await inTime('forge.unavailable', (signal) =>
      forge.changesSince([...shas], { headSha, baseSha }, signal),
    );
  } catch (error) {
    // Without them the review is unknown, which is shown as just that.
    if (error instanceof LegionError) return new Map();
    throw error;
  }
}
