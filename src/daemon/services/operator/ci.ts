/**
 * Reports CI for an issue: the checks at the head of its pull request, or known problems if there
 * is no pull request yet.
 */
import { LegionError } from '../../../core/model/fault.ts';
import type { IssueId } from '../../../core/model/ids.ts';
import type { Forge, ForgePullRequest } from '../../../ports/forge.ts';
import type { CiQuery, CiView } from '../../../protocol/ci.ts';
import type { PortContext, StateContext } from '../../context/daemon-context.ts';
import { CI_SUMMARIES, readChecks } from '../../repositories/read-checks.ts';
import { findPullRequest } from '../../repositories/read-outside.ts';
import { readIssue } from '../read-outside.ts';
import { explainHowToMerge, readRevert } from './reverts.ts';

export async function readCi(
  context: StateContext & PortContext,
  issue: IssueId,
  query: CiQuery,
): Promise<CiView> {
  await readIssue(context, issue);
  const repository = context.repositories.require(issue);
  const { forge, name } = repository;
  const problems = context.preflight
    .problems()
    .filter(({ repo }) => repo === name)
    .map(({ code, message, next }) => ({ code, message, next }));
  const own = await readPullRequest(context, forge, issue);
  const lastRevert = own === 'none' ? await requireRevert(context, issue) : undefined;
  const revert = lastRevert?.state === 'open' ? lastRevert : undefined;
  const found = revert ?? own;
  if (found === 'none') {
    const isMerged = lastRevert?.state === 'merged';
    return buildEmptyCiView(issue, problems, describeSettledRevert(context, issue, isMerged));
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
        ? `Merge it: ${explainHowToMerge(repository, number)}.`
        : describeNext(issue, status, forge),
    checks,
    problems,
  };
}

async function readPullRequest(
  context: StateContext & PortContext,
  forge: Forge,
  issue: IssueId,
): Promise<ForgePullRequest | 'none'> {
  const found = await findPullRequest(context, issue);
  if (found !== 'unknown') return found;
  const why = forge.whyUnknown?.(issue) ?? 'the forge gave no reason';
  throw new LegionError('forge.unavailable', `The pull request of ${issue} cannot be read: ${why}`);
}

/**
 * Returns the revert of a rolled-back issue. While the revert is open, it is the pull request on
 * which CI has to pass.
 */
async function requireRevert(
  context: StateContext & PortContext,
  issue: IssueId,
): Promise<ForgePullRequest | undefined> {
  const revert = await readRevert(context, issue);
  if (revert === 'unknown')
    throw new LegionError('forge.unavailable', `The revert of ${issue} cannot be read at the moment.`);
  return revert;
}

/** Describes a revert that is merged or closed. Undefined for an issue that was not rolled back. */
function describeSettledRevert(
  { ledger }: StateContext,
  issue: IssueId,
  isMerged: boolean,
): string | undefined {
  const undone = ledger.state.issues.get(issue)?.merged?.undone;
  if (undone === undefined) return undefined;
  return `Pull request ${undone.revert}, which reverts the merge of ${issue}, ${isMerged ? 'is merged' : 'was closed without being merged'}.`;
}

function buildEmptyCiView(
  issue: IssueId,
  problems: CiView['problems'],
  settledRevert: string | undefined,
): CiView {
  const opens = 'CI runs once a worker has opened one.';
  return {
    issue,
    number: null,
    sha: null,
    status: 'none',
    says:
      settledRevert === undefined
        ? `${issue} has no pull request yet: ${opens}`
        : `${settledRevert} There is no new pull request yet: ${opens}`,
    next: `\`legion explain ${issue}\` shows what it is waiting for.`,
    checks: [],
    problems,
  };
}

function describeNext(issue: IssueId, status: CiView['status'], { kind }: Forge): string | undefined {
  switch (status) {
    case 'none':
      return kind === 'local'
        ? 'Set commands.ci in .legion/config.yml; `legion init --commands` proposes a command.'
        : 'Add a workflow on GitHub, or set commands.quality_gate in .legion/config.yml.';
    case 'failing':
    case 'timed_out':
    case 'unknown':
      return `\`legion explain ${issue}\` shows what happens next.`;
    case 'interrupted':
      return 'Run the check again on its page; Legion then continues by itself.';
    case 'action_required':
      return 'Do what the check asks on its page; Legion then continues by itself.';
    default:
      return undefined;
  }
}
