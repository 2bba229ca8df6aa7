/** Tells, after a crash or beside another process, whether a merge that was begun has landed, and finishes it if so. */
import { LegionError } from '../../core/model/fault.ts';
import { branchRef, type Repository } from '../../integrations/forge-support/repository.ts';
import { followMerge } from '../../integrations/local/forge/work-tree.ts';
import type { Desk } from './desk.ts';
import type { PullRequestRecord } from './record.ts';

/** The record as it is in truth: merged, if the base contains a commit this pull request was about to become. */
export async function settled(
  repository: Repository,
  record: PullRequestRecord,
  now: number,
  signal?: AbortSignal,
): Promise<PullRequestRecord> {
  if (record.state !== 'open') return record;
  for (const attempt of record.attempts.toReversed()) {
    // git may have lost a commit that never landed
    if ((await repository.commit(attempt.commit)) === undefined) continue;
    if (await repository.isAncestor(attempt.commit, branchRef(repository.base), signal)) {
      return { ...record, state: 'merged', merged: { ...attempt, at: now } };
    }
  }
  return record;
}

/** Finishes what others left half done; only under the lock of the repository. Broken records are for those who read them. */
export async function settleAll(desk: Desk): Promise<void> {
  const { records, complain } = desk;
  for (const record of (await records.all()).readable) {
    if (record.state !== 'open' || record.attempts.length === 0) continue;
    const { note } = await finish(desk, record);
    if (note !== undefined) complain(new LegionError('forge.work_tree_behind', note));
  }
}

/** Only under the lock of the repository. */
export async function finish(
  desk: Desk,
  record: PullRequestRecord,
): Promise<{ readonly record: PullRequestRecord; readonly note?: string }> {
  const { repository, records, clock } = desk;
  const truth = await settled(repository, record, clock.now());
  if (truth === record || truth.merged === undefined) return { record };
  // The work tree first: what is written down as merged is never looked at again.
  const note = await followMerge(desk, truth.merged.baseSha, truth.merged.commit);
  await records.write(truth);
  return note === undefined ? { record: truth } : { record: truth, note };
}
