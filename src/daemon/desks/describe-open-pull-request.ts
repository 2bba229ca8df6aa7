/** Names the open pull request of an issue that is over: nothing closes or merges it. */
import type { IssueId } from '../../core/model/ids.ts';
import type { World } from '../world.ts';
import { readPullRequest } from './read-pull-request.ts';

/** Empty where there is none, or where the forge cannot be read. */
export async function describeOpenPullRequest(world: World, issue: IssueId): Promise<string[]> {
  const found = await readPullRequest(world, issue);
  if (found?.state !== 'open') return [];
  const { number, branch } = found;
  const address = world.repositories.of(issue).addressOf?.(number);
  const where = address === undefined ? `of the branch ${branch}` : `(${address})`;
  return [`Pull request ${number} ${where} is not merged and stays open.`];
}
