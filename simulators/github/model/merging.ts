/** Merging and reverting on the real git, with what GitHub refuses refused in its words. */
import type { GitFacts } from '../git/facts.ts';
import { attempt, git } from '../git/run-git.ts';
import { closingIssues } from './closing-keywords.ts';
import { GithubRefusal, unprocessable } from './fault.ts';
import { closeIssue, stateEvent } from './issues.ts';
import { protectionWants } from './merge-state.ts';
import type { Account, PullRequest } from './nodes.ts';
import { createPullRequest } from './pull-requests.ts';
import { noticeRefs } from './refs.ts';
import type { World } from './world.ts';

export interface MergeRequest {
  readonly method: 'MERGE' | 'SQUASH' | 'REBASE';
  readonly expectedHead?: string | null | undefined;
  readonly headline?: string | null | undefined;
  readonly body?: string | null | undefined;
}

export async function mergePullRequest(
  world: World,
  facts: GitFacts,
  by: Account,
  pullRequest: PullRequest,
  request: MergeRequest,
): Promise<string> {
  if (pullRequest.state === 'MERGED') throw unprocessable('Pull Request is already merged');
  if (pullRequest.state === 'CLOSED') throw unprocessable('Pull Request is closed');
  if (pullRequest.draft) throw unprocessable('Pull Request is still a draft');
  if (request.expectedHead != null && request.expectedHead !== pullRequest.headOid) {
    throw unprocessable('Head branch was modified. Review and try the merge again.');
  }
  if (request.method === 'REBASE') throw new GithubRefusal('NOT_SIMULATED', 'The simulator does not rebase.');
  const { repository, base, baseOid, headOid } = pullRequest;
  const tree = await facts.merge(repository.folder, baseOid, headOid);
  if (tree === undefined) throw unprocessable('Pull Request is not mergeable');
  const wanting = await protectionWants(pullRequest, facts);
  if (wanting !== undefined) throw unprocessable(`Repository rule violations found\n\n${wanting.message}`);

  const headline = request.headline ?? `${pullRequest.title} (#${pullRequest.number})`;
  const message = `${headline}\n\n${request.body ?? pullRequest.body}`.trimEnd();
  const parents = request.method === 'SQUASH' ? [baseOid] : [baseOid, headOid];
  const oid = await git(
    repository.folder,
    ['commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent]), '-F', '-'],
    message,
  );
  const moved = await attempt(repository.folder, ['update-ref', `refs/heads/${base}`, oid, baseOid]);
  if (moved.code !== 0) throw unprocessable('Base branch was modified. Review and try the merge again.');

  pullRequest.state = 'MERGED';
  pullRequest.merged = { oid, at: world.now(), by };
  pullRequest.closedAt = world.now();
  stateEvent(world, by, pullRequest, 'ClosedEvent');
  noticeRefs(world, repository, by);
  world.changed({ event: 'pull_request', action: 'closed', by, pullRequest });
  for (const issue of closingIssues(pullRequest)) closeIssue(world, by, issue, { closer: pullRequest });
  return oid;
}

const CANNOT_REVERT =
  'Sorry, this pull request couldn’t be reverted automatically. It may have already been reverted, or the content may have changed since it was merged.';

export async function revertPullRequest(
  world: World,
  facts: GitFacts,
  by: Account,
  pullRequest: PullRequest,
  wanted: { readonly title?: string | null; readonly body?: string | null; readonly draft: boolean },
): Promise<PullRequest> {
  const { repository, base, head, merged, number, title } = pullRequest;
  if (merged === undefined) throw unprocessable('Pull request must be merged before it can be reverted.');
  const baseOid = repository.refs.get(`refs/heads/${base}`);
  if (baseOid === undefined) throw unprocessable(CANNOT_REVERT);
  const { folder } = repository;
  const message = `Revert "${title}"`;
  // A commit that undoes the merge on top of itself: what it merges into the base is the revert.
  const before = (await facts.commit(folder, (await facts.commit(folder, merged.oid)).parents[0] ?? '')).tree;
  const undone = await git(folder, ['commit-tree', before, '-p', merged.oid, '-m', message]);
  const tree = await facts.merge(folder, baseOid, undone);
  if (tree === undefined || tree === (await facts.commit(folder, baseOid)).tree)
    throw unprocessable(CANNOT_REVERT);
  const branch = `revert-${number}-${head}`;
  const oid = await git(folder, ['commit-tree', tree, '-p', baseOid, '-m', message]);
  const made = await attempt(folder, ['update-ref', `refs/heads/${branch}`, oid, '0'.repeat(40)]);
  if (made.code !== 0) throw unprocessable(CANNOT_REVERT);
  noticeRefs(world, repository, by);
  const revert = await createPullRequest(world, facts, by, repository, {
    head: branch,
    base,
    title: wanted.title ?? message,
    body: wanted.body ?? `Reverts ${repository.owner.login}/${repository.name}#${number}`,
    draft: wanted.draft,
  });
  pullRequest.revertedBy = revert;
  return revert;
}
