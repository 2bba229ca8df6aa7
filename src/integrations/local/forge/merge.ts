/**
 * Squash-merges a pull request: records the attempt, moves the base atomically, then records the
 * merge. After a crash, or if another process merges too, detects that a merge has landed and
 * finishes it.
 */
import { LegionError } from '../../../core/model/fault.ts';
import type { CheckedAt, MergeOutcome } from '../../../ports/forge.ts';
import type { GitRepository } from '../../forge-support/repository.ts';
import { toBranchRef } from '../../forge-support/repository.ts';
import { buildSquashMessage } from '../../forge-support/squash-message.ts';
import type { LocalForgeContext } from './context.ts';
import type { PullRequestRecord } from './records.ts';
import { recoverWorkTrees, refuseUnsafeWorkTrees, updateWorkTrees } from './work-tree.ts';

/**
 * A crash before the base moves has no effect; after a later crash, the recorded attempt shows that
 * the merge landed. A git process that outlives its killed caller may still move the base, so the
 * record keeps every attempt.
 */
export async function merge(
  context: LocalForgeContext,
  number: number,
  at: CheckedAt,
): Promise<MergeOutcome> {
  const { repository, records, clock } = context;
  await recoverMerges(context);
  const record = await records.byNumber(number);
  if (record.merged !== undefined) return { mergedSha: record.merged.commit };
  refuseUnmergeable(record);
  await refuseMoved(context, record, at);

  const tree = await requireMergedTree(context, record, at);
  // If the merge is refused, no reference points to the commit, and git removes it later.
  const [commit, safe] = await Promise.all([
    createSquashCommit(context, record, at, tree),
    refuseUnsafeWorkTrees(context, at.baseSha, tree),
  ]);
  const attempt = { commit, ...pickCheckedShas(at) };
  const attempted = { ...record, attempts: [...record.attempts, attempt] };
  await records.write(attempted);
  const isMoved = await repository.transact([
    { ref: toBranchRef(record.branch), mustBe: at.headSha },
    { ref: toBranchRef(repository.base), to: commit, from: at.baseSha },
  ]);
  if (isMoved) {
    // Updates the work trees before the record, because a record marked as merged is never
    // revisited.
    const treesNote = await updateWorkTrees(context, safe, at.baseSha, commit);
    await records.write({ ...attempted, state: 'merged', merged: { ...attempt, at: clock.now() } });
    return toMergeOutcome(commit, treesNote);
  }
  const { record: recovered, note } = await recoverMerge(context, attempted);
  if (recovered.merged === undefined) {
    await refuseMoved(context, record, at);
    throw new LegionError('git.failed', `git did not move ${repository.base}. Nothing was merged`);
  }
  return toMergeOutcome(recovered.merged.commit, note);
}

function toMergeOutcome(mergedSha: string, note: string | undefined): MergeOutcome {
  return note === undefined ? { mergedSha } : { mergedSha, note };
}

function refuseUnmergeable({ number, state, draft }: PullRequestRecord): void {
  if (state !== 'open') throw new LegionError('forge.not_open', `Pull request ${number} is ${state}`);
  if (draft) throw new LegionError('forge.draft', `Pull request ${number} is a draft`);
}

async function refuseMoved(
  { repository }: LocalForgeContext,
  record: PullRequestRecord,
  at: CheckedAt,
): Promise<void> {
  const heads = await repository.heads([record.branch]);
  const head = heads.get(record.branch);
  const base = heads.get(repository.base);
  if (head === undefined)
    throw new LegionError('forge.branch_missing', `The branch ${record.branch} does not exist`);
  if (head !== at.headSha) {
    throw new LegionError(
      'forge.head_moved',
      `${record.branch} is at ${head}, but ${at.headSha} was checked`,
    );
  }
  if (base !== at.baseSha) {
    throw new LegionError(
      'forge.base_moved',
      `${repository.base} is at ${base}, but ${at.baseSha} was checked`,
    );
  }
}

async function requireMergedTree(
  { comparison }: LocalForgeContext,
  record: PullRequestRecord,
  at: CheckedAt,
): Promise<string> {
  const merged = await comparison.merge(at.baseSha, at.headSha);
  if ('conflicts' in merged) {
    throw new LegionError(
      'forge.conflict',
      `${record.branch} conflicts with the base in ${merged.conflicts.join(', ')}`,
    );
  }
  return merged.tree;
}

async function createSquashCommit(
  { repository, identity }: LocalForgeContext,
  record: PullRequestRecord,
  at: CheckedAt,
  tree: string,
): Promise<string> {
  const { out } = await repository.run(['commit-tree', tree, '-p', at.baseSha], {
    input: buildSquashMessage({ ...record, headSha: at.headSha }),
    env: identity,
  });
  return out.trim();
}

/**
 * Copies only these two properties, so that others of the caller's object do not get into the
 * record.
 */
function pickCheckedShas({ headSha, baseSha }: CheckedAt): CheckedAt {
  return { headSha, baseSha };
}

/**
 * Returns the record in its actual state: merged if the base contains one of the attempted merge
 * commits.
 */
export async function settleMerge(
  repository: GitRepository,
  record: PullRequestRecord,
  now: number,
  signal?: AbortSignal,
): Promise<PullRequestRecord> {
  if (record.state !== 'open') return record;
  for (const attempt of record.attempts.toReversed()) {
    // If a commit never landed, git may have removed it.
    if ((await repository.commit(attempt.commit)) === undefined) continue;
    if (await repository.isAncestor(attempt.commit, toBranchRef(repository.base), signal)) {
      return { ...record, state: 'merged', merged: { ...attempt, at: now } };
    }
  }
  return record;
}

/**
 * Finishes interrupted merges. Call only while holding the repository's lock. Skips broken records,
 * which their readers report.
 */
export async function recoverMerges(context: LocalForgeContext): Promise<void> {
  const { records, reportProblem } = context;
  for (const record of (await records.all()).readable) {
    if (record.state !== 'open' || record.attempts.length === 0) continue;
    const { note } = await recoverMerge(context, record);
    if (note !== undefined) reportProblem(new LegionError('forge.work_tree_behind', note));
  }
}

/** Call only while holding the repository's lock. */
export async function recoverMerge(
  context: LocalForgeContext,
  record: PullRequestRecord,
): Promise<{ readonly record: PullRequestRecord; readonly note?: string }> {
  const { repository, records, clock } = context;
  const settled = await settleMerge(repository, record, clock.now());
  if (settled === record || settled.merged === undefined) return { record };
  // Updates the work trees before the record, because a record marked as merged is never revisited.
  const note = await recoverWorkTrees(context, settled.merged.baseSha, settled.merged.commit);
  await records.write(settled);
  return note === undefined ? { record: settled } : { record: settled, note };
}

/** Returns the branch's open record, or the last merged one if none is open. */
export async function findRecord(
  { repository, records, clock }: LocalForgeContext,
  branch: string,
  names: readonly string[],
  signal?: AbortSignal,
): Promise<PullRequestRecord | undefined> {
  const own: PullRequestRecord[] = [];
  for (const record of await records.ofBranch(branch, names)) {
    own.push(await settleMerge(repository, record, clock.now(), signal));
  }
  return own.find(({ state }) => state === 'open') ?? own.find(({ state }) => state === 'merged');
}
