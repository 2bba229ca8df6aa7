/**
 * Describes the changes since the last test or review, so that a tester or reviewer does not start
 * from scratch.
 */
import type { Command } from '../../core/model/command.ts';
import type { ChangeSince } from '../../core/model/evidence.ts';
import { LegionError } from '../../core/model/fault.ts';
import { formatCount, formatNames, quoteShellWord } from '../../core/model/format.ts';
import { toWorkerId } from '../../core/model/ids.ts';
import type { CheckedAt, ForgePullRequest } from '../../ports/forge.ts';
import type { BaseComparison } from '../../ports/workspace.ts';
import type { PortContext, StateContext } from '../context/daemon-context.ts';

type SpawnCommand = Extract<Command, { kind: 'spawn' }>;

/**
 * Returns undefined if there was no earlier test or review, or if the two commits cannot be
 * compared. The worker then examines everything.
 */
export async function describeChangesSinceLastCheck(
  context: StateContext & PortContext,
  { issue, mode }: Pick<SpawnCommand, 'issue' | 'mode'>,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (mode !== 'test' && mode !== 'review') return undefined;
  const { forge } = context.repositories.require(issue);
  try {
    const found = (await forge.pullRequests([issue], signal)).get(issue);
    if (typeof found !== 'object' || found.state !== 'open') return undefined;
    const sha =
      mode === 'test'
        ? findLastPassedSha(context, issue)
        : findLastReviewedSha(found, toWorkerId(issue, mode));
    if (sha === undefined || sha === found.headSha) return undefined;
    const change = (await forge.changesSince([sha], found, signal)).get(sha);
    if (change === undefined || change === 'unknown') return undefined;
    return mode === 'test' ? describeSinceTests(sha, change) : describeSinceReview(sha, change, found);
  } catch (error) {
    // This context is optional: without it, the worker examines everything.
    if (error instanceof LegionError && !signal.aborted) return undefined;
    throw error;
  }
}

function findLastPassedSha({ ledger }: StateContext, issue: string): string | undefined {
  const test = ledger.state.issues.get(issue)?.evidence.test;
  return test?.verdict === 'passed' ? test.sha : undefined;
}

function findLastReviewedSha({ reviews }: ForgePullRequest, reviewer: string): string | undefined {
  if (reviews === 'unknown') return undefined;
  return reviews.findLast((review) => review.reviewer === reviewer)?.sha;
}

function describeSinceTests(sha: string, change: ChangeSince): string {
  return `The tests passed at ${sha}. ${describeDifference(change)} Give your verdict on the current head of the pull request.`;
}

function describeSinceReview(
  sha: string,
  change: ChangeSince,
  { headSha, baseSha }: ForgePullRequest,
): string {
  const command = buildDiffCommand(sha, change, { headSha, baseSha });
  return `You reviewed this pull request at ${sha}. ${describeDifference(change)} Read only this diff: \`${command}\`.`;
}

/** Maximum number of files in the diff command. More would make it unreadable. */
const MAX_NAMED_FILES = 20;

/**
 * Limits the diff to the files that the branch itself changes. After a rebase, the rest of the diff
 * is other people's merged work.
 */
function buildDiffCommand(sha: string, change: ChangeSince, { headSha, baseSha }: CheckedAt): string {
  const files = [...change.own, ...change.overlap];
  if (files.length <= MAX_NAMED_FILES)
    return ['git diff', sha, headSha, '--', ...files.map((file) => quoteShellWord(file))].join(' ');
  return change.rebased ? `git range-diff ${baseSha} ${sha} ${headSha}` : `git diff ${sha} ${headSha}`;
}

function describeDifference({ own, overlap, rebased }: ChangeSince): string {
  const parts = [
    ...(rebased ? ['the branch was rebased onto a newer base'] : []),
    ...(own.length > 0 ? [`the branch changed ${formatNames(own)}`] : []),
    ...(overlap.length > 0
      ? [`the base changed ${formatNames(overlap)}, which the branch also changes`]
      : []),
  ];
  return parts.length === 0 ? 'Nothing has changed since then.' : `Since then, ${parts.join(', ')}.`;
}

/** Describes how a branch relates to its base, in sentences for a worker's prompt. */
export function describeBaseComparison(baseComparison: BaseComparison | undefined): string | undefined {
  if (baseComparison === undefined) return undefined;
  return [describeBranch(baseComparison), ...describeUncommitted(baseComparison)].join(' ');
}

function describeBranch({ base, ahead, behind, conflicts }: BaseComparison): string {
  const newer = formatCount(behind, 'commit');
  if (behind === 0)
    return ahead === 0
      ? `Your branch has no commits of its own and is up to date with ${base}.`
      : `Your branch contains all commits of ${base}.`;
  if (ahead === 0) return `Your branch has no commits of its own and is ${newer} behind ${base}.`;
  if (conflicts === 'unknown')
    return `Your branch is ${newer} behind ${base}. Legion could not determine whether the two conflict.`;
  return conflicts.length === 0
    ? `Your branch is ${newer} behind ${base} and merges cleanly: do not rebase it, and do not merge ${base} into it.`
    : `Your branch is ${newer} behind ${base} and conflicts with it in ${formatNames(conflicts)}.`;
}

function describeUncommitted({ uncommitted, ahead, behind }: BaseComparison): readonly string[] {
  if (uncommitted.length === 0) return [];
  const isHeld = ahead === 0 && behind > 0 ? ', so Legion did not move it to the newest base' : '';
  return [`Your workspace has uncommitted changes (${formatNames(uncommitted)})${isHeld}.`];
}
