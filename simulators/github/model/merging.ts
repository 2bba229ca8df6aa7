/**
 * Merges and reverts with real git. Rejects the same operations as GitHub, with GitHub's messages.
 */
import type { GitFacts } from '../git/facts.ts';
import { runGit, tryGit } from '../git/run-git.ts';
import { findClosingIssues } from './closing-keywords.ts';
import { GithubRefusal, toUnprocessable } from './fault.ts';
import { closeIssue, recordStateEvent } from './issues.ts';
import { findProtectionBlock } from './merge-state.ts';
import type { Account, PullRequest } from './nodes.ts';
import { createPullRequest } from './pull-requests.ts';
import { updateRefs } from './refs.ts';
import type { GithubWorld } from './world.ts';

export interface MergeRequest {
  readonly method: 'MERGE' | 'SQUASH' | 'REBASE';
  readonly expectedHead?: string | null | undefined;
  readonly headline?: string | null | undefined;
  readonly body?: string | null | undefined;
}

export async function mergePullRequest(
  world: GithubWorld,
  facts: GitFacts,
  by: Account,
  pullRequest: PullRequest,
  request: MergeRequest,
): Promise<string> {
  if (pullRequest.state === 'MERGED') throw toUnprocessable('Pull Request is already merged');
  if (pullRequest.state === 'CLOSED') throw toUnprocessable('Pull Request is closed');
  if (pullRequest.draft) throw toUnprocessable('Pull Request is still a draft');
  if (request.expectedHead != null && request.expectedHead !== pullRequest.headOid) {
    throw toUnprocessable('Head branch was modified. Review and try the merge again.');
  }
  if (request.method === 'REBASE') throw new GithubRefusal('NOT_SIMULATED', 'The simulator does not rebase.');
  const { repository, base, baseOid, headOid } = pullRequest;
  const tree = await facts.merge(repository.folder, baseOid, headOid);
  if (tree === undefined) throw toUnprocessable('Pull Request is not mergeable');
  const wanting = await findProtectionBlock(pullRequest, facts);
  if (wanting !== undefined) throw toUnprocessable(`Repository rule violations found\n\n${wanting.message}`);

  const headline = request.headline ?? `${pullRequest.title} (#${pullRequest.number})`;
  const message = `${headline}\n\n${request.body ?? pullRequest.body}`.trimEnd();
  const parents = request.method === 'SQUASH' ? [baseOid] : [baseOid, headOid];
  const oid = await runGit(
    repository.folder,
    ['commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent]), '-F', '-'],
    message,
  );
  const moved = await tryGit(repository.folder, ['update-ref', `refs/heads/${base}`, oid, baseOid]);
  if (moved.code !== 0) throw toUnprocessable('Base branch was modified. Review and try the merge again.');

  pullRequest.state = 'MERGED';
  pullRequest.merged = { oid, at: world.now(), by };
  pullRequest.closedAt = world.now();
  recordStateEvent(world, by, pullRequest, 'ClosedEvent');
  updateRefs(world, repository, by);
  world.changed({ event: 'pull_request', action: 'closed', by, pullRequest });
  for (const issue of findClosingIssues(pullRequest)) closeIssue(world, by, issue, { closer: pullRequest });
  return oid;
}

const CANNOT_REVERT =
  'Sorry, this pull request couldn’t be reverted automatically. It may have already been reverted, or the content may have changed since it was merged.';

export async function revertPullRequest(
  world: GithubWorld,
  facts: GitFacts,
  by: Account,
  pullRequest: PullRequest,
  wanted: { readonly title?: string | null; readonly body?: string | null; readonly draft: boolean },
): Promise<PullRequest> {
  const { repository, base, head, merged, number, title } = pullRequest;
  if (merged === undefined) throw toUnprocessable('Pull request must be merged before it can be reverted.');
  const baseOid = repository.refs.get(`refs/heads/${base}`);
  if (baseOid === undefined) throw toUnprocessable(CANNOT_REVERT);
  const { folder } = repository;
  const message = `Revert "${title}"`;
  // Creates a commit on top of the merge that undoes the merge. Merging this commit into the base
  // branch completes the revert.
  const before = (await facts.commit(folder, (await facts.commit(folder, merged.oid)).parents[0] ?? '')).tree;
  const undone = await runGit(folder, ['commit-tree', before, '-p', merged.oid, '-m', message]);
  const tree = await facts.merge(folder, baseOid, undone);
  if (tree === undefined || tree === (await facts.commit(folder, baseOid)).tree)
    throw toUnprocessable(CANNOT_REVERT);
  const branch = `revert-${number}-${head}`;
  const oid = await runGit(folder, ['commit-tree', tree, '-p', baseOid, '-m', message]);
  const made = await tryGit(folder, ['update-ref', `refs/heads/${branch}`, oid, '0'.repeat(40)]);
  if (made.code !== 0) throw toUnprocessable(CANNOT_REVERT);
  updateRefs(world, repository, by);
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
