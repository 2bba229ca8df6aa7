/** Computes whether a pull request can be merged, and what blocks it. */
import type { GitFacts } from '../git/facts.ts';
import { computeRollupState, getCheckState, listLatestChecks, nameOfCheck } from './checks.ts';
import type { PullRequest } from './nodes.ts';
import { computeReviewDecision } from './reviews.ts';

export interface MergeState {
  readonly mergeable: 'MERGEABLE' | 'CONFLICTING' | 'UNKNOWN';
  readonly status: 'BEHIND' | 'BLOCKED' | 'CLEAN' | 'DIRTY' | 'DRAFT' | 'UNKNOWN' | 'UNSTABLE';
}

/** Returns the state shown to a client. After each push to head or base, it is unknown at first. */
export async function resolveMergeState(pullRequest: PullRequest, facts: GitFacts): Promise<MergeState> {
  if (pullRequest.state !== 'OPEN') return { mergeable: 'UNKNOWN', status: 'UNKNOWN' };
  if (pullRequest.unknowns > 0) {
    pullRequest.unknowns -= 1;
    return { mergeable: 'UNKNOWN', status: 'UNKNOWN' };
  }
  return mergeState(pullRequest, facts);
}

async function mergeState(pullRequest: PullRequest, facts: GitFacts): Promise<MergeState> {
  const { repository, baseOid, headOid, draft } = pullRequest;
  if (!(await facts.mergeable(repository.folder, baseOid, headOid)))
    return { mergeable: 'CONFLICTING', status: 'DIRTY' };
  if (draft) return { mergeable: 'MERGEABLE', status: 'DRAFT' };
  const wanting = await findProtectionBlock(pullRequest, facts);
  if (wanting !== undefined) return { mergeable: 'MERGEABLE', status: wanting.status };
  const rollup = computeRollupState(repository, headOid);
  const stable = rollup === undefined || rollup === 'SUCCESS';
  return { mergeable: 'MERGEABLE', status: stable ? 'CLEAN' : 'UNSTABLE' };
}

/** Returns GitHub's message for the first unmet protection rule, or undefined if all are met. */
export async function findProtectionBlock(
  pullRequest: PullRequest,
  facts: GitFacts,
): Promise<{ readonly status: 'BLOCKED' | 'BEHIND'; readonly message: string } | undefined> {
  const { repository, base, baseOid, headOid } = pullRequest;
  const protection = repository.protections.get(base);
  if (protection === undefined) return undefined;
  const decision = computeReviewDecision(pullRequest);
  if ((protection.requiredApprovals ?? 0) > 0 && decision !== 'APPROVED') {
    const count = protection.requiredApprovals ?? 0;
    const message =
      decision === 'CHANGES_REQUESTED'
        ? 'Changes have been requested.'
        : `At least ${count} approving review${count === 1 ? ' is' : 's are'} required by reviewers with write access.`;
    return { status: 'BLOCKED', message };
  }
  const passed = listLatestChecks(repository, headOid).filter((check) => getCheckState(check) === 'SUCCESS');
  const missing = (protection.requiredChecks ?? []).filter(
    (name) => !passed.some((check) => nameOfCheck(check) === name),
  );
  if (missing.length > 0) {
    const failed = listLatestChecks(repository, headOid).some(
      (check) => missing.includes(nameOfCheck(check)) && getCheckState(check) !== 'PENDING',
    );
    const state = failed ? 'failing' : 'expected';
    return { status: 'BLOCKED', message: `Required status check "${missing[0]}" is ${state}.` };
  }
  if (protection.strict !== true) return undefined;
  const behind = await facts.commits(repository.folder, headOid, baseOid);
  return behind.length === 0
    ? undefined
    : { status: 'BEHIND', message: 'The head branch is not up to date with the base branch.' };
}
