/** Reads pull requests by branch: what was recorded, and what git and CI say about the commits. */
import { LegionError } from '../../../core/model/fault.ts';
import type { CiStatus } from '../../../core/model/pull-request.ts';
import { isBranchName } from '../../../forges/branch-name.ts';
import type { Desk } from '../../../forges/local/desk.ts';
import type { MergeAttempt, PullRequestRecord } from '../../../forges/local/record.ts';
import { settled } from '../../../forges/local/settle.ts';
import type { ForgePullRequest, NumberedPullRequest, Remark } from '../../../ports/forge.ts';
import { ciStatus } from './ci.ts';

/** Each takes up to three short processes; more at once only compete for the cores. */
const READS_AT_ONCE = 4;

export async function readPullRequests(
  desk: Desk,
  branches: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, ForgePullRequest | 'unknown'>> {
  const found = new Map<string, ForgePullRequest | 'unknown'>();
  const names = await desk.records.names();
  const wanted = branches.filter(isBranchName);
  const heads = await desk.repository.heads(wanted);
  const left = new Set(wanted).values();
  const work = async () => {
    for (const branch of left) {
      const pullRequest = await readOne(desk, branch, names, heads, signal);
      if (pullRequest !== undefined) found.set(branch, pullRequest);
    }
  };
  await Promise.all(Array.from({ length: READS_AT_ONCE }, work));
  return found;
}

/** What cannot be read is unknown for its own branch, and disturbs no other. */
async function readOne(
  desk: Desk,
  branch: string,
  names: readonly string[],
  heads: ReadonlyMap<string, string>,
  signal: AbortSignal,
): Promise<ForgePullRequest | 'unknown' | undefined> {
  try {
    const record = await recordOf(desk, branch, names, signal);
    if (record?.merged !== undefined) return await asMerged(desk, record, record.merged, heads, signal);
    const head = heads.get(branch);
    return record === undefined || head === undefined
      ? undefined
      : await asOpen(desk, record, head, heads, signal);
  } catch (error) {
    if (!(error instanceof LegionError) || error.code === 'git.interrupted') throw error;
    desk.complain(error);
    return 'unknown';
  }
}

/** The open one, else the last that was merged. */
export async function recordOf(
  { repository, records, clock }: Desk,
  branch: string,
  names: readonly string[],
  signal?: AbortSignal,
): Promise<PullRequestRecord | undefined> {
  const mine: PullRequestRecord[] = [];
  for (const record of await records.ofBranch(branch, names)) {
    mine.push(await settled(repository, record, clock.now(), signal));
  }
  return mine.find(({ state }) => state === 'open') ?? mine.find(({ state }) => state === 'merged');
}

export async function findPullRequest(
  { repository, records, clock }: Desk,
  number: number,
  signal: AbortSignal,
): Promise<NumberedPullRequest | undefined> {
  const kept = await records.byNumber(number).catch((error: unknown) => {
    if (error instanceof LegionError && error.code === 'forge.pull_request_missing') return undefined;
    throw error;
  });
  if (kept === undefined) return undefined;
  const { branch, issue, state, merged, reverts } = await settled(repository, kept, clock.now(), signal);
  return { number, branch, issue, state, mergedSha: merged?.commit, reverts };
}

export function remarksOf({ reviews, comments }: PullRequestRecord): Remark[] {
  const remarks: Remark[] = [
    ...reviews.map(({ verdict, reviewer, at, text }) => ({ kind: verdict, by: reviewer, at, text })),
    ...comments.map(({ at, text }) => ({ kind: 'comment' as const, by: 'legion', at, text })),
  ];
  return remarks.sort((one, other) => one.at - other.at);
}

async function asOpen(
  { repository, comparison, ci }: Desk,
  record: PullRequestRecord,
  headSha: string,
  heads: ReadonlyMap<string, string>,
  signal: AbortSignal,
): Promise<ForgePullRequest> {
  const baseSha = baseIn(heads, repository.base);
  const common = await comparison.mergeBase(baseSha, headSha, signal);
  // Each may be a short process of its own; a worker's report waits for all of them.
  const [size, mergeable, status] = await Promise.all([
    // Without common history there is nothing to compare with but everything: all of the base counts as removed.
    comparison.size(common ?? baseSha, headSha, signal),
    comparison.mergeable(baseSha, headSha, signal),
    ci.status(record.branch, headSha),
  ]);
  return { ...asRecorded(record), ...size, state: 'open', headSha, baseSha, mergeable, ci: status };
}

async function asMerged(
  { repository, comparison, ci }: Desk,
  record: PullRequestRecord,
  { commit: mergedSha, headSha, baseSha }: MergeAttempt,
  heads: ReadonlyMap<string, string>,
  signal: AbortSignal,
): Promise<ForgePullRequest> {
  const size = await comparison.size(baseSha, mergedSha, signal);
  const result = await ci.known(headSha);
  const status: CiStatus = result === undefined ? 'unknown' : ciStatus(result);
  return {
    ...asRecorded(record),
    ...size,
    state: 'merged',
    headSha,
    baseSha: baseIn(heads, repository.base),
    mergedSha,
    mergeable: 'mergeable',
    ci: status,
  };
}

function baseIn(heads: ReadonlyMap<string, string>, base: string): string {
  const sha = heads.get(base);
  if (sha === undefined) throw new LegionError('forge.base_missing', `the branch ${base} is gone`);
  return sha;
}

function asRecorded({ number, branch, title, body, author, draft, labels, reviews }: PullRequestRecord) {
  const seen = reviews.map(({ reviewer, verdict, sha, at }) => ({ reviewer, verdict, sha, at }));
  return { number, branch, title, body, author, draft, labels, reviews: seen };
}
