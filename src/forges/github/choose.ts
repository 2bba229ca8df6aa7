/** Which of several pull requests is the one of a branch: the open one, else the last that was merged; never that of a fork. */
import type { LightPullRequest, LinkedPullRequest } from '../../integrations/github/forge/answer-schemas.ts';
import type { RepositoryName } from './desk.ts';

/** `more`: there are others behind these, and none of these settles it. */
export type Choice<T> = T | 'none' | 'unknown' | 'more';

/** Newest first, as they are asked for. A missing one among them may be the one. */
export function choose<T extends LightPullRequest>(
  nodes: readonly (T | null)[],
  hasMore: boolean,
): Choice<T> {
  const own = nodes.filter((each) => each !== null && !each.isCrossRepository) as T[];
  const open = own.find(({ state }) => state === 'OPEN');
  if (open !== undefined) return open;
  if (nodes.includes(null)) return 'unknown';
  if (hasMore) return 'more';
  return own.find(({ state }) => state === 'MERGED') ?? 'none';
}

interface OfBranch<T> {
  readonly pullRequests: {
    readonly pageInfo: { readonly hasNextPage: boolean };
    readonly nodes: readonly (T | null)[] | null;
  };
}

export function chooseOfBranch<T extends LightPullRequest>({ pullRequests }: OfBranch<T>): Choice<T> {
  return choose(pullRequests.nodes ?? [null], pullRequests.pageInfo.hasNextPage);
}

/** Only those of this repository into its base: somebody else's may say that they close an issue, too. */
export function chooseLinked(
  nodes: readonly (LinkedPullRequest | null)[],
  { owner, name }: RepositoryName,
  base: string,
): Choice<LinkedPullRequest> {
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
