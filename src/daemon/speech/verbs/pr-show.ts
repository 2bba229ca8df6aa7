/** `pr_show`: the pull request with its text, as it stands on the forge now. */
import { neededPullRequest } from '../needed.ts';
import type { Saying } from '../saying.ts';
import { pullRequestView } from '../views.ts';

export const prShow: Saying<'pr_show'> = async (world, { issue }) => {
  const found = await neededPullRequest(world, issue);
  const { body, labels, author, additions, deletions, changedFiles } = found;
  return {
    ...(await pullRequestView(world, issue, found)),
    base: world.repositories.of(issue).base,
    author,
    labels: [...labels],
    additions,
    deletions,
    files: [...changedFiles],
    body,
  };
};
