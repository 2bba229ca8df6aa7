/** `pr_open`: the pull request of this issue's branch; the one that is open already is the same. */
import { workerId } from '../../../core/model/ids.ts';
import { notReady } from '../needed.ts';
import type { Saying } from '../saying.ts';

export const prOpen: Saying<'pr_open'> = async (world, { issue, mode }, text) => {
  const { forge } = world.repositories.of(issue);
  const number = await forge.open(issue, { issue, author: workerId(issue, mode), ...text });
  const merged = world.ledger.swarm.issues.get(issue)?.merged;
  if (merged?.undone !== undefined && merged.pullRequest === number) {
    throw notReady(`pull request ${number} was merged and undone: commit the work anew, then push`);
  }
  world.wake(issue);
  return { number, says: `Pull request ${number} is open.` };
};
