/** Verbs for the issue's branch and its pull request. */

import { LegionError } from '../../../core/model/fault.ts';
import { toWorkerId } from '../../../core/model/ids.ts';
import { buildPullRequestView } from '../../repositories/read-outside.ts';
import {
  createNotReadyError,
  requireIssuePullRequest,
  requireOpenPullRequest,
  requireWorkspace,
  type VerbHandler,
} from '../verb-handler.ts';

/** `push`: pushes the workspace's commits to this issue's branch, and to no other. */
export const handlePush: VerbHandler<'push'> = async (context, { issue }) => {
  const { path } = await requireWorkspace(context, issue);
  const folder = await context.workspaces.exportBranch(issue);
  const sha = await context.repositories.require(issue).forge.push(issue, folder ?? path);
  context.wake(issue);
  return { sha, branch: issue, says: `Branch ${issue} is at ${sha}.` };
};

/**
 * `pr_open`: opens the pull request of this issue's branch, or returns the one that is already
 * open.
 */
export const handlePrOpen: VerbHandler<'pr_open'> = async (context, { issue, mode }, text) => {
  const { forge } = context.repositories.require(issue);
  const number = await forge.open(issue, { issue, author: toWorkerId(issue, mode), ...text });
  const merged = context.ledger.state.issues.get(issue)?.merged;
  if (merged?.undone !== undefined && merged.pullRequest === number) {
    throw createNotReadyError(
      `Pull request ${number} was merged and reverted. Commit the work again, then push.`,
    );
  }
  context.wake(issue);
  return { number, says: `Pull request ${number} is open.` };
};

/** `pr_edit`: changes the title or body. */
export const handlePrEdit: VerbHandler<'pr_edit'> = async (context, { issue }, { title, body }) => {
  if (title === undefined && body === undefined) {
    throw new LegionError('input.invalid', 'pr_edit: title or body is required');
  }
  const { number } = await requireOpenPullRequest(context, issue);
  await context.repositories.require(issue).forge.edit(number, {
    ...(title === undefined ? {} : { title }),
    ...(body === undefined ? {} : { body }),
  });
  context.wake(issue);
  return { says: `Pull request ${number} was updated.` };
};

/** `pr_ready`: marks the pull request as ready for review. */
export const handlePrReady: VerbHandler<'pr_ready'> = async (context, { issue }) => {
  const { number } = await requireOpenPullRequest(context, issue);
  await context.repositories.require(issue).forge.markReady(number);
  context.wake(issue);
  return { says: `Pull request ${number} is ready for review.` };
};

/** `pr_show`: returns the pull request with its body as it currently is on the forge. */
export const handlePrShow: VerbHandler<'pr_show'> = async (context, { issue }) => {
  const found = await requireIssuePullRequest(context, issue);
  const { body, labels, author, additions, deletions, changedFiles } = found;
  return {
    ...(await buildPullRequestView(context, issue, found)),
    base: context.repositories.require(issue).base,
    author,
    labels: [...labels],
    additions,
    deletions,
    files: [...changedFiles],
    body,
  };
};
