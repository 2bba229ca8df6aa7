/** Says where a revert stands: opening it changes nothing on the base until it is merged. */
import type { IssueId } from '../../../domain/ids.ts';
import type { RollbackAnswer } from '../../../protocol/merging.ts';
import type { Repository } from '../../repository.ts';
import type { World } from '../../world.ts';
import { reading } from '../read-outside.ts';

export interface Revert {
  readonly number: number;
  readonly branch: string;
}

export async function describeRevert(
  world: World,
  issue: IssueId,
  { number, branch }: Revert,
): Promise<RollbackAnswer> {
  const repository = world.repositories.of(issue);
  const { base, forge } = repository;
  const found = (await reading((signal) => forge.pullRequests([branch], signal))).get(branch);
  const isMerged = typeof found === 'object' && found.state === 'merged';
  const state = isMerged
    ? `is merged: ${base} no longer contains the change.`
    : `is open, and ${base} still contains the change. To take it out, merge the revert: ${howToMerge(repository, number)}.`;
  const says = [
    `Pull request ${number} (branch ${branch}), which reverts the merge of ${issue}, ${state}`,
    `${issue} is open again: say on it what was wrong, and \`legion approve ${issue}\` starts the work again.`,
  ].join(' ');
  const url = repository.addressOf?.(number);
  return { says, pullRequest: number, branch, base, isMerged, ...(url !== undefined && { url }) };
}

/** A command where Legion merges it, a link where the forge has pages of its own. */
export function howToMerge({ addressOf }: Repository, number: number): string {
  return addressOf?.(number) ?? `\`legion pr merge ${number}\``;
}
