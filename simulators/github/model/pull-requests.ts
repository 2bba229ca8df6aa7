/**
 * Manages pull requests: opens, edits, closes and reopens them, and converts them to and from
 * drafts.
 */
import type { GitFacts } from '../git/facts.ts';
import { toUnprocessable } from './fault.ts';
import { checkText, recordStateEvent } from './issues.ts';
import type { Account, PullRequest, Repository } from './nodes.ts';
import type { GithubWorld } from './world.ts';

export interface NewPullRequest {
  readonly head: string;
  readonly base: string;
  readonly title: string;
  readonly body: string;
  readonly draft: boolean;
}

export async function createPullRequest(
  world: GithubWorld,
  facts: GitFacts,
  by: Account,
  repository: Repository,
  wanted: NewPullRequest,
): Promise<PullRequest> {
  checkText(wanted.title, wanted.body);
  // `owner:branch` could refer to a fork's branch, but the simulator has only the repository's own
  // branches.
  const head = wanted.head.replace(`${repository.owner.login}:`, '').replace(/^refs\/heads\//, '');
  const base = wanted.base.replace(/^refs\/heads\//, '');
  const baseOid = repository.refs.get(`refs/heads/${base}`);
  const headOid = repository.refs.get(`refs/heads/${head}`);
  if (baseOid === undefined) throw toUnprocessable("Base sha can't be blank, Base ref must be a branch");
  if (headOid === undefined) {
    throw toUnprocessable(
      "Head sha can't be blank, Head repository can't be blank, Head ref must be a branch",
    );
  }
  refuseSecond(repository, head, base);
  const commits = await facts.commits(repository.folder, baseOid, headOid);
  if (commits.length === 0) throw toUnprocessable(`No commits between ${base} and ${head}`);
  refuseSecond(repository, head, base); // checked again, because another request may have been handled while this one waited for git
  const identity = world.identity('PR');
  const pullRequest = world.add<PullRequest>({
    ...identity,
    type: 'PullRequest',
    repository,
    number: repository.threads.length + 1,
    author: by,
    title: wanted.title,
    body: wanted.body,
    labels: [],
    comments: [],
    events: [],
    closedAt: undefined,
    updatedAt: identity.createdAt,
    state: 'OPEN',
    base,
    head,
    headOid,
    baseOid,
    draft: wanted.draft,
    reviews: [],
    merged: undefined,
    revertedBy: undefined,
    unknowns: world.unknowns,
  });
  repository.threads.push(pullRequest);
  world.changed({ event: 'pull_request', action: 'opened', by, pullRequest });
  return pullRequest;
}

function refuseSecond(repository: Repository, head: string, base: string): void {
  const open = openPullRequests(repository).find((each) => each.head === head && each.base === base);
  if (open === undefined) return;
  throw toUnprocessable(`A pull request already exists for ${repository.owner.login}:${head}.`);
}

export function openPullRequests(repository: Repository): PullRequest[] {
  return repository.threads.filter(
    (each): each is PullRequest => each.type === 'PullRequest' && each.state === 'OPEN',
  );
}

export function editPullRequest(
  world: GithubWorld,
  by: Account,
  pullRequest: PullRequest,
  text: {
    readonly title?: string | null | undefined;
    readonly body?: string | null | undefined;
    readonly base?: string | null | undefined;
  },
): void {
  checkText(text.title ?? pullRequest.title, text.body ?? pullRequest.body);
  if (text.base != null && text.base !== pullRequest.base) {
    const oid = pullRequest.repository.refs.get(`refs/heads/${text.base}`);
    if (oid === undefined) throw toUnprocessable(`Proposed base branch '${text.base}' was not found`);
    pullRequest.base = text.base;
    pullRequest.baseOid = oid;
    pullRequest.unknowns = world.unknowns;
  }
  pullRequest.title = text.title ?? pullRequest.title;
  pullRequest.body = text.body ?? pullRequest.body;
  pullRequest.updatedAt = world.now();
  world.changed({ event: 'pull_request', action: 'edited', by, pullRequest });
}

export function setDraft(world: GithubWorld, by: Account, pullRequest: PullRequest, draft: boolean): void {
  if (pullRequest.state !== 'OPEN') throw toUnprocessable('Pull request is closed');
  if (pullRequest.draft === draft) return;
  pullRequest.draft = draft;
  pullRequest.updatedAt = world.now();
  const action = draft ? 'converted_to_draft' : 'ready_for_review';
  world.changed({ event: 'pull_request', action, by, pullRequest });
}

export function closePullRequest(world: GithubWorld, by: Account, pullRequest: PullRequest): void {
  if (pullRequest.state === 'MERGED') throw toUnprocessable('Could not close the pull request.');
  if (pullRequest.state === 'CLOSED') return;
  pullRequest.state = 'CLOSED';
  pullRequest.closedAt = world.now();
  recordStateEvent(world, by, pullRequest, 'ClosedEvent');
  world.changed({ event: 'pull_request', action: 'closed', by, pullRequest });
}

export function reopenPullRequest(world: GithubWorld, by: Account, pullRequest: PullRequest): void {
  const { repository, head, base } = pullRequest;
  if (pullRequest.state === 'OPEN') return;
  const headOid = repository.refs.get(`refs/heads/${head}`);
  if (pullRequest.state === 'MERGED' || headOid === undefined)
    throw toUnprocessable('Could not open the pull request.');
  refuseSecond(repository, head, base);
  pullRequest.state = 'OPEN';
  pullRequest.closedAt = undefined;
  pullRequest.headOid = headOid;
  pullRequest.baseOid = repository.refs.get(`refs/heads/${base}`) ?? pullRequest.baseOid;
  pullRequest.unknowns = world.unknowns;
  recordStateEvent(world, by, pullRequest, 'ReopenedEvent');
  world.changed({ event: 'pull_request', action: 'reopened', by, pullRequest });
}
