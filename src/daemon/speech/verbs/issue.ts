/** `issue`: the issue, everything said about it, and its pull request. */
import { inTime, issueOf, pullRequestOf } from '../../reports/read-outside.ts';
import { unreadable } from '../needed.ts';
import type { Saying } from '../saying.ts';
import { issueView, pullRequestView } from '../views.ts';

export const issue: Saying<'issue'> = async (world, { issue: id }) => {
  const { tracker, repositories } = world;
  const found = await issueOf(world, id);
  const comments = await inTime('tracker.unavailable', (signal) => tracker.commentsSince(id, 0, signal));
  const shown = {
    issue: issueView(world, found),
    comments: comments.map(({ id: number, author, by, at, text }) => ({ id: number, author, by, at, text })),
  };
  const pullRequest = await pullRequestOf(world, id);
  // To say there is none would be a lie, and a worker would open a second one.
  if (pullRequest === 'unknown') throw unreadable();
  if (pullRequest === 'none') return { ...shown, pullRequest: null, remarks: [] };
  const remarks = await inTime('forge.unavailable', (signal) =>
    repositories.of(id).forge.remarks(pullRequest.number, signal),
  );
  return { ...shown, pullRequest: await pullRequestView(world, id, pullRequest), remarks: [...remarks] };
};
