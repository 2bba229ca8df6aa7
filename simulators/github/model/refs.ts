/** Detects branch changes in git and applies their effects to pull requests. */
import { readBranches } from '../git/read-refs.ts';
import type { Account, Repository } from './nodes.ts';
import { closePullRequest, openPullRequests } from './pull-requests.ts';
import type { GithubWorld } from './world.ts';

const NONE = '0'.repeat(40);

/** Runs before every response and after every push, because git may also be used directly. */
export function updateRefs(world: GithubWorld, repository: Repository, by: Account = repository.owner): void {
  const now = readBranches(repository.folder);
  for (const ref of new Set([...repository.refs.keys(), ...now.keys()])) {
    const before = repository.refs.get(ref) ?? NONE;
    const after = now.get(ref) ?? NONE;
    if (before === after) continue;
    if (after === NONE) repository.refs.delete(ref);
    else repository.refs.set(ref, after);
    repository.pushedAt = world.now();
    world.changed({ event: 'push', by, repository, ref, before, after });
    updatePullRequestsOfBranch(world, repository, by, ref.replace('refs/heads/', ''), after);
  }
}

function updatePullRequestsOfBranch(
  world: GithubWorld,
  repository: Repository,
  by: Account,
  branch: string,
  after: string,
): void {
  for (const pullRequest of openPullRequests(repository)) {
    if (pullRequest.head === branch && after === NONE) closePullRequest(world, by, pullRequest);
    else if (pullRequest.head === branch) {
      const before = pullRequest.headOid;
      pullRequest.headOid = after;
      pullRequest.unknowns = world.unknowns;
      pullRequest.updatedAt = world.now();
      world.changed({ event: 'pull_request', action: 'synchronize', by, pullRequest, before });
    } else if (pullRequest.base === branch && after !== NONE) {
      // A change of the base branch is not an update of the pull request.
      pullRequest.baseOid = after;
      pullRequest.unknowns = world.unknowns;
    }
  }
}
