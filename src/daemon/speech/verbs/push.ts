/** `push`: the workspace's commits to this issue's branch, and to no other. */
import { neededWorkspace } from '../needed.ts';
import type { Saying } from '../saying.ts';

export const push: Saying<'push'> = async (world, { issue }) => {
  const { path } = await neededWorkspace(world, issue);
  const sha = await world.repositories.of(issue).forge.push(issue, path);
  world.wake(issue);
  return { sha, branch: issue, says: `Branch ${issue} is at ${sha}.` };
};
