/** `pr_ready`: no longer a draft. */
import { neededOpenPullRequest } from '../needed.ts';
import type { Saying } from '../saying.ts';

export const prReady: Saying<'pr_ready'> = async (world, { issue }) => {
  const { number } = await neededOpenPullRequest(world, issue);
  await world.repositories.of(issue).forge.markReady(number);
  world.wake(issue);
  return { says: `Pull request ${number} is ready for review.` };
};
