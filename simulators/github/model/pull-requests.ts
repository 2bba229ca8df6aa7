/** Pull requests: opened, edited, made ready or a draft, closed and opened again. */
import type { GitFacts } from '../git/facts.ts';
import { unprocessable } from './fault.ts';
import { checkText, stateEvent } from './issues.ts';
import type { Account, PullRequest, Repository } from './nodes.ts';
import type { World } from './world.ts';

export interface NewPullRequest {
  readonly head: string;
  readonly base: string;
  readonly title: string;
  readonly body: string;
  readonly draft: boolean;
}

export async function createPullRequest(
  world: World,
  facts: GitFacts,
  by: Account,
  repository: Repository,
  wanted: NewPullRequest,
): Promise<PullRequest> {
  checkText(wanted.title, wanted.body);
  // `owner:branch` names a branch of a fork; here only the repository's own is known.
  const head = wanted.head.replace(`${repository.owner.login}:`, '').replace(/^refs\/heads\//, '');
  const base = wanted.base.replace(/^refs\/heads\//, '');
  const baseOid = repository.refs.get(`refs/heads/${base}`);
  const headOid = repository.refs.get(`refs/heads/${head}`);
  if (baseOid === undefined) throw unprocessable("Base sha can't be blank, Base ref must be a branch");
  if (headOid === undefined) {
    throw unprocessable("Head sha can't be blank, Head repository can't be blank, Head ref must be a branch");
  }
  refuseSecond(repository, head, base);
  const commits = await facts.commits(repository.folder, baseOid, headOid);
  if (commits.length === 0) throw unprocessable(`No commits between ${base} and ${head}`);
  refuseSecond(repository, head, base); // git was asked in between
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
  throw unprocessable(`A pull request already exists for ${repository.owner.login}:${head}.`);
}

export function openPullRequests(repository: Repository): PullRequest[] {
  return repository.threads.filter(
    (each): each is PullRequest => each.type === 'PullRequest' && each.state === 'OPEN',
  );
}

export function editPullRequest(
  world: World,
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
    if (oid === undefined) throw unprocessable(`Proposed base branch '${text.base}' was not found`);
    pullRequest.base = text.base;
    pullRequest.baseOid = oid;
    pullRequest.unknowns = world.unknowns;
  }
  pullRequest.title = text.title ?? pullRequest.title;
  pullRequest.body = text.body ?? pullRequest.body;
  pullRequest.updatedAt = world.now();
  world.changed({ event: 'pull_request', action: 'edited', by, pullRequest });
}

export function setDraft(world: World, by: Account, pullRequest: PullRequest, draft: boolean): void {
  if (pullRequest.state !== 'OPEN') throw unprocessable('Pull request is closed');
  if (pullRequest.draft === draft) return;
  pullRequest.draft = draft;
  pullRequest.updatedAt = world.now();
  const action = draft ? 'converted_to_draft' : 'ready_for_review';
  world.changed({ event: 'pull_request', action, by, pullRequest });
}

export function closePullRequest(world: World, by: Account, pullRequest: PullRequest): void {
  if (pullRequest.state === 'MERGED') throw unprocessable('Could not close the pull request.');
  if (pullRequest.state === 'CLOSED') return;
  pullRequest.state = 'CLOSED';
  pullRequest.closedAt = world.now();
  stateEvent(world, by, pullRequest, 'ClosedEvent');
  world.changed({ event: 'pull_request', action: 'closed', by, pullRequest });
}

export function reopenPullRequest(world: World, by: Account, pullRequest: PullRequest): void {
  const { repository, head, base } = pullRequest;
  if (pullRequest.state === 'OPEN') return;
  const headOid = repository.refs.get(`refs/heads/${head}`);
  if (pullRequest.state === 'MERGED' || headOid === undefined)
    throw unprocessable('Could not open the pull request.');
  refuseSecond(repository, head, base);
  pullRequest.state = 'OPEN';
  pullRequest.closedAt = undefined;
  pullRequest.headOid = headOid;
  pullRequest.baseOid = repository.refs.get(`refs/heads/${base}`) ?? pullRequest.baseOid;
  pullRequest.unknowns = world.unknowns;
  stateEvent(world, by, pullRequest, 'ReopenedEvent');
  world.changed({ event: 'pull_request', action: 'reopened', by, pullRequest });
}
