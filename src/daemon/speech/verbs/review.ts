/** `review`: an approval or objections, bound to the pull request's head; never by whoever opened it. */
import { workerId } from '../../../core/model/ids.ts';
import { short } from '../../reports/work-handed-in.ts';
import { neededOpenPullRequest } from '../needed.ts';
import type { Saying } from '../saying.ts';

export const review: Saying<'review'> = async (world, { issue, mode }, { verdict: given, text }) => {
  const { number, headSha: sha } = await neededOpenPullRequest(world, issue);
  const verdict = given === 'approve' ? 'approved' : 'changes_requested';
  await world.repositories
    .of(issue)
    .forge.review(number, { reviewer: workerId(issue, mode), verdict, sha, text });
  world.wake(issue);
  return {
    sha,
    says: `Your review of pull request ${number} counts at ${short(sha)}. Report with \`legion worker done\`.`,
  };
};
