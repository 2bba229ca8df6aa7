/** Says what a rolled-back issue and its revert wait for, in the same words in the inbox, `explain` and on its page. */

import type { IssueId } from '../../../core/model/ids.ts';
import type { SeenStatus } from '../../../core/model/status.ts';
import { approvalSubject } from '../../../domain/approval-subject.ts';
import type { World } from '../../world.ts';
import type { RevertState } from './revert-states.ts';

export interface RolledBack {
  readonly text: string;
  /** What a person types, or opens, next. */
  readonly next: string;
}

/**
 * Undefined for an issue that does not wait for a new start after a rollback. `read` is what the forge says of the
 * revert, where it was asked; else the journal decides.
 */
export function explainRolledBack(
  { ledger, repositories }: World,
  issue: IssueId,
  status: SeenStatus,
  labels: readonly string[],
  read?: RevertState,
): RolledBack | undefined {
  if (approvalSubject(status, labels) !== 'restart') return undefined;
  const undone = ledger.swarm.issues.get(issue)?.merged?.undone;
  const repository = repositories.find(issue);
  if (undone === undefined || repository === undefined) return undefined;
  const { revert, landed } = undone;
  const { base, addressOf } = repository;
  const approve = `legion approve ${issue}`;
  switch (read ?? (landed === undefined ? 'open' : 'merged')) {
    case 'merged':
      return {
        text: `The change was rolled back: ${base} no longer contains it. Say on the issue what was wrong, and approve a new start.`,
        next: approve,
      };
    case 'closed':
      return {
        text: `A rollback was requested, but pull request ${revert}, the revert, was closed: ${base} still contains the change. Say on the issue what was wrong, and approve a new start.`,
        next: approve,
      };
    case 'open':
      return {
        text: `The change was rolled back: pull request ${revert} reverts it, and ${base} contains the change until that is merged. Then say on the issue what was wrong, and approve a new start.`,
        next: `${addressOf?.(revert) ?? `legion pr merge ${revert}`}; then ${approve}`,
      };
  }
}

/** For an issue that waits for something else, or for nothing: its revert is easily forgotten. */
export function explainOpenRevert({ ledger, repositories }: World, issue: IssueId): RolledBack | undefined {
  const undone = ledger.swarm.issues.get(issue)?.merged?.undone;
  const repository = repositories.find(issue);
  if (undone === undefined || repository === undefined) return undefined;
  const { revert } = undone;
  const { base, addressOf } = repository;
  return {
    text: `Pull request ${revert} reverts the change and is open: ${base} contains the change until that is merged.`,
    next: addressOf?.(revert) ?? `legion pr merge ${revert}`,
  };
}
