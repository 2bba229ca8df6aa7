/** Opens a pull request for a branch, or finds the one that is there. */

import { LegionError } from '../../core/model/fault.ts';
import { readIssueId } from '../../core/model/ids.ts';
import { accountName } from '../../github/actor.ts';
import { branchRef } from '../../integrations/forge-support/repository.ts';
import {
  markPullRequest,
  type PullRequestMark,
  pullRequestMarkIn,
} from '../../integrations/github/forge/legion-marks.ts';
import type {
  BeforeOpeningQuery,
  OpenPullRequestMutation,
} from '../../integrations/github/generated/forge.ts';
import { unwrap } from '../../lib/result.ts';
import type { NewPullRequest } from '../../ports/forge.ts';
import { refuseBranch } from '../branch-name.ts';
import { cleanBody, cleanName, cleanTitle } from '../clean-text.ts';
import { askRepository, type FoundRepository } from './ask-one.ts';
import type { Desk } from './desk.ts';
import { once } from './once.ts';
import { BEFORE_OPENING, OPEN } from './write-documents.ts';

/** The open one of this branch, or the merged one if nothing was committed since; else a new one. */
export async function open(
  desk: Desk,
  branch: string,
  asked: NewPullRequest,
  reverts?: number,
): Promise<number> {
  refuseBranch(branch, desk.base);
  const issue = unwrap(readIssueId(asked.issue));
  const title = cleanTitle(asked.title);
  const mark: PullRequestMark = {
    issue: issue,
    author: cleanName(asked.author),
    ...(reverts === undefined ? {} : { reverts }),
  };
  const body = markPullRequest(cleanBody(asked.body), mark);
  let repositoryId = '';

  async function look(): Promise<number | undefined> {
    const { id, base, head, pullRequests } = await lookAtBranch(desk, branch);
    if (base === null)
      throw new LegionError('forge.base_missing', `the branch ${desk.base} is not on GitHub`);
    if (head === null) throw new LegionError('forge.branch_missing', `there is no branch ${branch}`);
    repositoryId = id;
    const [own] = pullRequests;
    return own?.state === 'OPEN' || own?.headRefOid === head.target?.oid ? own?.number : undefined;
  }

  async function act(): Promise<number> {
    const names = { baseRefName: desk.base, headRefName: branch };
    const input = { repositoryId, ...names, title, body, draft: asked.draft };
    const answer = await desk.client
      .mutate<OpenPullRequestMutation>(OPEN, { input }, { as: 'impl' })
      .catch(refusal);
    const number = answer.createPullRequest?.pullRequest?.number;
    if (number !== undefined) return number;
    throw new LegionError(
      'github.unavailable',
      'GitHub does not show the pull request that it was asked to open',
    );
  }

  const number = await once(look, act);
  desk.changed(branch);
  return number;
}

/** The pull request that undoes another, however it ended up; one that was closed undoes nothing. */
export async function findRevert(desk: Desk, branch: string, number: number): Promise<number | undefined> {
  const { pullRequests } = await lookAtBranch(desk, branch);
  return pullRequests.find(
    ({ author, body }) => desk.isLegion(accountName(author)) && pullRequestMarkIn(body)?.reverts === number,
  )?.number;
}

type BranchAnswer = FoundRepository<BeforeOpeningQuery>;
type Candidate = NonNullable<NonNullable<BranchAnswer['pullRequests']['nodes']>[number]>;

interface OfBranch extends Pick<BranchAnswer, 'id' | 'base' | 'head'> {
  readonly pullRequests: readonly Candidate[];
}

/** The branch's own, not those of forks; the open one first, then the newest. */
async function lookAtBranch(desk: Desk, branch: string): Promise<OfBranch> {
  const refs = { baseRef: branchRef(desk.base), headRef: branchRef(branch), head: branch, into: desk.base };
  const all: Candidate[] = [];
  for (let after: string | null = null; ; ) {
    const answer: BranchAnswer = await askRepository<BeforeOpeningQuery>(desk, BEFORE_OPENING, {
      ...refs,
      after,
    });
    const nodes = (answer.pullRequests.nodes ?? []).filter((each) => each !== null);
    all.push(...nodes.filter(({ isCrossRepository }) => !isCrossRepository));
    const { hasNextPage, endCursor } = answer.pullRequests.pageInfo;
    const open = all.filter(({ state }) => state === 'OPEN');
    const others = all.filter(({ state }) => state !== 'OPEN');
    if (!hasNextPage || open.length > 0) return { ...answer, pullRequests: [...open, ...others] };
    after = endCursor;
  }
}

/** GitHub says in words only that a branch adds nothing. */
function refusal(error: unknown): never {
  if (error instanceof LegionError && /No commits between|no history in common/i.test(error.message)) {
    throw new LegionError('forge.nothing_to_merge', error.message, { cause: error });
  }
  throw error;
}
