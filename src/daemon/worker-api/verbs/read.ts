/** Verbs that read the issue and the CI of its pull request. */

import { MAX_LOG_LINES } from '../../../protocol/ci.ts';
import { toIssueView } from '../../present/issue-state.ts';
import { CI_SUMMARIES, readChecks } from '../../repositories/read-checks.ts';
import {
  buildPullRequestView,
  findPullRequestOrUnknown,
  readInTime,
  requireIssue,
} from '../../repositories/read-outside.ts';
import { createUnreadableError, requireIssuePullRequest, type VerbHandler } from '../verb-handler.ts';

/** `issue`: returns the issue, its comments and its pull request. */
export const handleIssue: VerbHandler<'issue'> = async (context, { issue: id }) => {
  const { tracker, repositories } = context;
  const found = await requireIssue(context, id);
  const comments = await readInTime('tracker.unavailable', (signal) => tracker.commentsSince(id, 0, signal));
  const shown = {
    issue: toIssueView(context, found),
    comments: comments.map(({ id: number, author, by, at, text }) => ({ id: number, author, by, at, text })),
  };
  const pullRequest = await findPullRequestOrUnknown(context, id);
  // Claiming that no pull request exists would make the worker open a second one.
  if (pullRequest === 'unknown') throw createUnreadableError();
  if (pullRequest === 'none') return { ...shown, pullRequest: null, remarks: [] };
  const remarks = await readInTime('forge.unavailable', (signal) =>
    repositories.require(id).forge.remarks(pullRequest.number, signal),
  );
  return {
    ...shown,
    pullRequest: await buildPullRequestView(context, id, pullRequest),
    remarks: [...remarks],
  };
};

/**
 * `ci`: lists every check at the head of the pull request, with the end of the log for those that
 * do not pass.
 */
export const handleCi: VerbHandler<'ci'> = async (context, { issue }) => {
  const { number, headSha: sha, ci: status } = await requireIssuePullRequest(context, issue);
  const { forge } = context.repositories.require(issue);
  // Logs of passing checks would only fill up the worker's context.
  const checks = await readChecks(forge, sha, { lines: MAX_LOG_LINES, logsOf: 'not_passing' });
  return { number, sha, status, checks, says: `${CI_SUMMARIES[status]}${ADVICE[status] ?? ''}` };
};

const ADVICE: Readonly<Partial<Record<string, string>>> = {
  pending: ' Do not wait in a loop: Legion calls the implementer back if it fails.',
};
