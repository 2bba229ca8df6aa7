/** Reads the pull request of an issue for people, whatever status the issue is in. */
import type { IssueId } from '../../core/model/ids.ts';
import type { PullRequestView } from '../../protocol/board.ts';
import { pullRequestView } from '../speech/views.ts';
import type { World } from '../world.ts';
import { reading } from './read-outside.ts';

/** Null also where the forge cannot be read: what is known of the issue should be seen all the same. */
export async function readPullRequest(world: World, issue: IssueId): Promise<PullRequestView | null> {
  try {
    const { forge } = world.repositories.of(issue);
    const found = (await reading((signal) => forge.pullRequests([issue], signal))).get(issue);
    return typeof found === 'object' ? await pullRequestView(world, issue, found) : null;
  } catch {
    return null;
  }
}
