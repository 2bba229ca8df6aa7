/** Says what a rolled-back issue waits for, in the same words in the inbox, in `explain` and on its page. */
import { approvalSubject } from '../../../domain/approval-subject.ts';
import type { IssueId } from '../../../domain/ids.ts';
import type { SeenStatus } from '../../../domain/status.ts';
import type { World } from '../../world.ts';

export interface RolledBack {
  readonly text: string;
  /** What a person types, or opens, next. */
  readonly next: string;
}

/** Undefined for an issue that does not wait for a new start after a rollback. */
export function explainRolledBack(
  { ledger, repositories }: World,
  issue: IssueId,
  status: SeenStatus,
  labels: readonly string[],
): RolledBack | undefined {
  if (approvalSubject(status, labels) !== 'restart') return undefined;
  const undone = ledger.swarm.issues.get(issue)?.merged?.undone;
  const repository = repositories.find(issue);
  if (undone === undefined || repository === undefined) return undefined;
  const { revert, landed } = undone;
  const { base, addressOf } = repository;
  if (landed !== undefined)
    return {
      text: `The change was rolled back: ${base} no longer contains it. Say on the issue what was wrong, and approve a new start.`,
      next: `legion approve ${issue}`,
    };
  // A new start before the revert is merged would begin on a base that still contains the change.
  return {
    text: `The change was rolled back: pull request ${revert} reverts it, and ${base} contains the change until that is merged. Then say on the issue what was wrong, and approve a new start.`,
    next: `${addressOf?.(revert) ?? `legion pr merge ${revert}`}; then legion approve ${issue}`,
  };
}
