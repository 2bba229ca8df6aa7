/** Squashes a pull request onto its base: written down first, then one atomic move of the base, then recorded. */
import { LegionError } from '../../core/model/fault.ts';
import { branchRef } from '../../integrations/forge-support/repository.ts';
import { refuseUnsafeWorkTrees, takeAlong } from '../../integrations/local/forge/work-tree.ts';
import type { CheckedAt, Merged } from '../../ports/forge.ts';
import { squashMessage } from '../squash-message.ts';
import type { Desk } from './desk.ts';
import type { PullRequestRecord } from './record.ts';
import { finish, settleAll } from './settle.ts';

/**
 * Killed before the base moves, nothing has happened; killed after, the attempt in the record tells that it has. A git that
 * outlives its killed caller may move the base a moment later: every attempt stays in the record, so that is seen too.
 */
export async function merge(desk: Desk, number: number, at: CheckedAt): Promise<Merged> {
  const { repository, records, clock } = desk;
  await settleAll(desk);
  const record = await records.byNumber(number);
  if (record.merged !== undefined) return { mergedSha: record.merged.commit };
  refuseUnmergeable(record);
  await refuseMoved(desk, record, at);

  const tree = await mergedTree(desk, record, at);
  // A commit that is refused after all is referred to by nothing, and git clears it away.
  const [commit, safe] = await Promise.all([
    squash(desk, record, at, tree),
    refuseUnsafeWorkTrees(desk, at.baseSha, tree),
  ]);
  const attempt = { commit, ...pick(at) };
  const attempted = { ...record, attempts: [...record.attempts, attempt] };
  await records.write(attempted);
  const isMoved = await repository.transact([
    { ref: branchRef(record.branch), mustBe: at.headSha },
    { ref: branchRef(repository.base), to: commit, from: at.baseSha },
  ]);
  if (isMoved) {
    // The work tree first: what is written down as merged is never looked at again.
    const behind = await takeAlong(desk, safe, at.baseSha, commit);
    await records.write({ ...attempted, state: 'merged', merged: { ...attempt, at: clock.now() } });
    return mergedAs(commit, behind);
  }
  const { record: truth, note } = await finish(desk, attempted);
  if (truth.merged === undefined) {
    await refuseMoved(desk, record, at);
    throw new LegionError('git.failed', `git did not move ${repository.base}; nothing was merged`);
  }
  return mergedAs(truth.merged.commit, note);
}

function mergedAs(mergedSha: string, note: string | undefined): Merged {
  return note === undefined ? { mergedSha } : { mergedSha, note };
}

function refuseUnmergeable({ number, state, draft }: PullRequestRecord): void {
  if (state !== 'open') throw new LegionError('forge.not_open', `pull request ${number} is ${state}`);
  if (draft) throw new LegionError('forge.draft', `pull request ${number} is a draft`);
}

async function refuseMoved({ repository }: Desk, record: PullRequestRecord, at: CheckedAt): Promise<void> {
  const heads = await repository.heads([record.branch]);
  const head = heads.get(record.branch);
  const base = heads.get(repository.base);
  if (head === undefined)
    throw new LegionError('forge.branch_missing', `there is no branch ${record.branch}`);
  if (head !== at.headSha) {
    throw new LegionError('forge.head_moved', `${record.branch} is at ${head}, checked was ${at.headSha}`);
  }
  if (base !== at.baseSha) {
    throw new LegionError('forge.base_moved', `${repository.base} is at ${base}, checked was ${at.baseSha}`);
  }
}

async function mergedTree({ comparison }: Desk, record: PullRequestRecord, at: CheckedAt): Promise<string> {
  const merged = await comparison.merge(at.baseSha, at.headSha);
  if ('conflicts' in merged) {
    throw new LegionError('forge.conflict', `${record.branch}: conflicts in ${merged.conflicts.join(', ')}`);
  }
  return merged.tree;
}

async function squash(
  { repository, identity }: Desk,
  record: PullRequestRecord,
  at: CheckedAt,
  tree: string,
): Promise<string> {
  const { out } = await repository.run(['commit-tree', tree, '-p', at.baseSha], {
    input: squashMessage({ ...record, headSha: at.headSha }),
    env: identity,
  });
  return out.trim();
}

/** Whatever else the caller's object holds does not belong into the record. */
function pick({ headSha, baseSha }: CheckedAt): CheckedAt {
  return { headSha, baseSha };
}
