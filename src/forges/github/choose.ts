/** Which of several pull requests is the one of a branch: the open one, else the last that was merged; never that of a fork. */
import type { LightAnswer, LinkedAnswer, OfBranchAnswer } from './answers.ts';
import type { RepositoryName } from './desk.ts';

/** `more`: there are others behind these, and none of these settles it. */
export type Choice<T> = T | 'none' | 'unknown' | 'more';

/** Newest first, as they are asked for. A missing one among them may be the one. */
export function choose<T extends LightAnswer>(nodes: readonly (T | null)[], hasMore: boolean): Choice<T> {
  const own = nodes.filter((each) => each !== null && !each.isCrossRepository) as T[];
  const open = own.find(({ state }) => state === 'OPEN');
  if (open !== undefined) return open;
  if (nodes.includes(null)) return 'unknown';
  if (hasMore) return 'more';
  return own.find(({ state }) => state === 'MERGED') ?? 'none';
}

export function chooseOfBranch({ pullRequests }: OfBranchAnswer) {
  return choose(pullRequests.nodes ?? [null], pullRequests.pageInfo.hasNextPage);
}

/** Only those of this repository into its base: somebody else's may say that they close an issue, too. */
export function chooseLinked(
  nodes: readonly (LinkedAnswer | null)[],
  { owner, name }: RepositoryName,
  base: string,
): Choice<LinkedAnswer> {
  const here = `${owner}/${name}`.toLowerCase();
  const ours = nodes.filter(
    (each) =>
      each === null || (each.repository.nameWithOwner.toLowerCase() === here && each.baseRefName === base),
  );
  return choose(
    ours.toSorted((one, other) => (other?.number ?? 0) - (one?.number ?? 0)),
    false,
  );
}
