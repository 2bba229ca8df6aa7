/** What CI says about an issue, for a person: the checks at the head of its pull request, and what is wrong before there is one. */
import { LegionError } from '../../../core/model/fault.ts';
import type { IssueId } from '../../../core/model/ids.ts';
import type { Forge, ForgePullRequest } from '../../../ports/forge.ts';
import type { CiView } from '../../../protocol/ci.ts';
import type { CiQuery } from '../../../protocol/params.ts';
import { readChecks } from '../../ci/read-checks.ts';
import { CI_SUMMARIES } from '../../ci/summaries.ts';
import { howToMerge, readRevert } from '../../desks/operator/read-revert.ts';
import { readIssue } from '../../desks/read-outside.ts';
import { findPullRequest } from '../../reports/read-outside.ts';
import type { World } from '../../world.ts';

export async function ci(world: World, issue: IssueId, query: CiQuery): Promise<CiView> {
  await readIssue(world, issue);
  const repository = world.repositories.of(issue);
  const { forge, name } = repository;
  const problems = world.preflight
    .problems()
    .filter(({ repo }) => repo === name)
    .map(({ code, message, next }) => ({ code, message, next }));
  const own = await readPullRequest(world, forge, issue);
  const lastRevert = own === 'none' ? await requireRevert(world, issue) : undefined;
  const revert = lastRevert?.state === 'open' ? lastRevert : undefined;
  const found = revert ?? own;
  if (found === 'none') {
    const isMerged = lastRevert?.state === 'merged';
    return withoutPullRequest(issue, problems, describeSettledRevert(world, issue, isMerged));
  }
  const { number, headSha, ci: status } = found;
  const checks = await readChecks(forge, headSha, query);
  return {
    issue,
    number,
    sha: headSha,
    status,
    says: revert === undefined ? CI_SUMMARIES[status] : `Revert: ${CI_SUMMARIES[status]}`,
    next:
      revert !== undefined && status === 'passing'
        ? `Merge it: ${howToMerge(repository, number)}.`
        : describeNext(issue, status, forge),
    checks,
    problems,
  };
}

async function readPullRequest(
  world: World,
  forge: Forge,
  issue: IssueId,
): Promise<ForgePullRequest | 'none'> {
  const found = await findPullRequest(world, issue);
  if (found !== 'unknown') return found;
  const why = forge.whyUnknown?.(issue) ?? 'the forge gave no reason';
  throw new LegionError('forge.unavailable', `The pull request of ${issue} cannot be read: ${why}`);
}

/** After a rollback: while the revert is open, it is what CI has to pass. */
async function requireRevert(world: World, issue: IssueId): Promise<ForgePullRequest | undefined> {
  const revert = await readRevert(world, issue);
  if (revert === 'unknown')
    throw new LegionError('forge.unavailable', `The revert of ${issue} cannot be read now.`);
  return revert;
}

/** Undefined for an issue that was not rolled back. */
function describeSettledRevert({ ledger }: World, issue: IssueId, isMerged: boolean): string | undefined {
  const undone = ledger.swarm.issues.get(issue)?.merged?.undone;
  if (undone === undefined) return undefined;
  return `Pull request ${undone.revert}, which reverts the merge of ${issue}, ${isMerged ? 'is merged' : 'was closed without being merged'}.`;
}

function withoutPullRequest(
  issue: IssueId,
  problems: CiView['problems'],
  settledRevert: string | undefined,
): CiView {
  const opens = 'CI runs when a worker has opened one.';
  return {
    issue,
    number: null,
    sha: null,
    status: 'none',
    says:
      settledRevert === undefined
        ? `${issue} has no pull request yet: ${opens}`
        : `${settledRevert} There is no new pull request yet: ${opens}`,
    next: `\`legion explain ${issue}\` says what it waits for.`,
    checks: [],
    problems,
  };
}

function describeNext(issue: IssueId, status: CiView['status'], { kind }: Forge): string | undefined {
  switch (status) {
    case 'none':
      return kind === 'local'
        ? 'Name a command under commands.ci in .legion/config.yml: `legion init --commands` proposes one.'
        : 'Add a workflow on GitHub, or name a command under commands.quality_gate in .legion/config.yml.';
    case 'failing':
    case 'unknown':
      return `\`legion explain ${issue}\` says what happens next.`;
    default:
      return undefined;
  }
}
