/** Reads where the revert of an issue's merge stands: people also merge or close it on the forge's own pages. */
import type { IssueId } from '../../../core/model/ids.ts';
import type { ForgePullRequest } from '../../../ports/forge.ts';
import type { Repository } from '../../repository.ts';
import type { World } from '../../world.ts';
import { reading } from '../read-outside.ts';

/** Undefined without a rollback, and where the revert is closed or its branch is gone. */
export async function readRevert(
  { ledger, repositories }: World,
  issue: IssueId,
): Promise<ForgePullRequest | 'unknown' | undefined> {
  const undone = ledger.swarm.issues.get(issue)?.merged?.undone;
  if (undone === undefined) return undefined;
  const { forge } = repositories.of(issue);
  return (await reading((signal) => forge.pullRequests([undone.branch], signal))).get(undone.branch);
}

/** A command where Legion merges it, a link where the forge has pages of its own. */
export function howToMerge({ addressOf }: Repository, number: number): string {
  return addressOf?.(number) ?? `\`legion pr merge ${number}\``;
}

/** The local forge has no command for it: a pull request without its branch is closed. */
export function howToClose({ addressOf }: Repository, branch: string): string {
  return addressOf === undefined ? `delete its branch (\`git branch -D ${branch}\`)` : 'close it there';
}

/** On the local forge, a pull request that lost its branch does not come back. */
export function howToReopen({ addressOf }: Repository, number: number): string {
  return addressOf === undefined
    ? 'revert the merge by hand (`git revert`)'
    : `reopen it there: ${addressOf(number)}`;
}
