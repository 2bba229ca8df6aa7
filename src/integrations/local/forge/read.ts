/** Reads pull requests by branch from the records, git and CI. */

import { LegionError } from '../../../core/model/fault.ts';
import type { CiStatus } from '../../../core/model/pull-request.ts';
import type { ForgePullRequest, NumberedPullRequest, PullRequestRemark } from '../../../ports/forge.ts';
import { isBranchName } from '../../forge-support/clean-text.ts';
import { toCiStatus } from './ci.ts';
import type { LocalForgeContext } from './context.ts';
import { findRecord, settleMerge } from './merge.ts';
import type { MergeAttempt, PullRequestRecord } from './records.ts';

/**
 * Each read starts up to three short processes. More reads at once would only compete for the
 * cores.
 */
const READS_AT_ONCE = 4;

export async function readPullRequests(
  context: LocalForgeContext,
  branches: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, ForgePullRequest | 'unknown'>> {
  const pullRequests = new Map<string, ForgePullRequest | 'unknown'>();
  const names = await context.records.names();
  const wanted = branches.filter(isBranchName);
  const heads = await context.repository.heads(wanted);
  const queue = new Set(wanted).values();
  const readQueued = async () => {
    for (const branch of queue) {
      const pullRequest = await readOne(context, branch, names, heads, signal);
      if (pullRequest !== undefined) pullRequests.set(branch, pullRequest);
    }
  };
  await Promise.all(Array.from({ length: READS_AT_ONCE }, readQueued));
  return pullRequests;
}

/** Returns `unknown` for an unreadable pull request, so that other branches are not affected. */
async function readOne(
  context: LocalForgeContext,
  branch: string,
  names: readonly string[],
  heads: ReadonlyMap<string, string>,
  signal: AbortSignal,
): Promise<ForgePullRequest | 'unknown' | undefined> {
  try {
    const record = await findRecord(context, branch, names, signal);
    if (record?.merged !== undefined)
      return await toMergedPullRequest(context, record, record.merged, heads, signal);
    const head = heads.get(branch);
    return record === undefined || head === undefined
      ? undefined
      : await toOpenPullRequest(context, record, head, heads, signal);
  } catch (error) {
    if (!(error instanceof LegionError) || error.code === 'git.interrupted') throw error;
    context.reportProblem(error);
    return 'unknown';
  }
}

export async function findPullRequest(
  { repository, records, clock }: LocalForgeContext,
  number: number,
  signal: AbortSignal,
): Promise<NumberedPullRequest | undefined> {
  const record = await records.byNumber(number).catch((error: unknown) => {
    if (error instanceof LegionError && error.code === 'forge.pull_request_missing') return undefined;
    throw error;
  });
  if (record === undefined) return undefined;
  const { branch, issue, state, merged, reverts } = await settleMerge(
    repository,
    record,
    clock.now(),
    signal,
  );
  return { number, branch, issue, state, mergedSha: merged?.commit, reverts };
}

export function toRemarks({ reviews, comments }: PullRequestRecord): PullRequestRemark[] {
  const remarks: PullRequestRemark[] = [
    ...reviews.map(({ verdict, reviewer, at, text }) => ({ kind: verdict, by: reviewer, at, text })),
    ...comments.map(({ at, text }) => ({ kind: 'comment' as const, by: 'legion', at, text })),
  ];
  return remarks.sort((one, other) => one.at - other.at);
}

async function toOpenPullRequest(
  { repository, comparison, ci }: LocalForgeContext,
  record: PullRequestRecord,
  headSha: string,
  heads: ReadonlyMap<string, string>,
  signal: AbortSignal,
): Promise<ForgePullRequest> {
  const baseSha = requireBaseSha(heads, repository.base);
  const common = await comparison.mergeBase(baseSha, headSha, signal);
  // The calls run in parallel: each may start a short process, and a worker's report waits for all
  // of them.
  const [size, mergeable, status] = await Promise.all([
    // If there is no common history, all of the base is reported as removed.
    comparison.size(common ?? baseSha, headSha, signal),
    comparison.mergeable(baseSha, headSha, signal),
    ci.status(record.branch, headSha),
  ]);
  return { ...toRecordedFields(record), ...size, state: 'open', headSha, baseSha, mergeable, ci: status };
}

async function toMergedPullRequest(
  { repository, comparison, ci }: LocalForgeContext,
  record: PullRequestRecord,
  { commit: mergedSha, headSha, baseSha }: MergeAttempt,
  heads: ReadonlyMap<string, string>,
  signal: AbortSignal,
): Promise<ForgePullRequest> {
  const size = await comparison.size(baseSha, mergedSha, signal);
  const result = await ci.known(headSha);
  const status: CiStatus = result === undefined ? 'unknown' : toCiStatus(result);
  return {
    ...toRecordedFields(record),
    ...size,
    state: 'merged',
    headSha,
    baseSha: requireBaseSha(heads, repository.base),
    mergedSha,
    mergeable: 'mergeable',
    ci: status,
  };
}

function requireBaseSha(heads: ReadonlyMap<string, string>, base: string): string {
  const sha = heads.get(base);
  if (sha === undefined) throw new LegionError('forge.base_missing', `The branch ${base} no longer exists`);
  return sha;
}

function toRecordedFields({
  number,
  branch,
  title,
  body,
  author,
  draft,
  labels,
  reviews,
}: PullRequestRecord) {
  const reviewFields = reviews.map(({ reviewer, verdict, sha, at }) => ({ reviewer, verdict, sha, at }));
  return { number, branch, title, body, author, draft, labels, reviews: reviewFields };
}
