/** Says what waits for a person's approval, and how to read it before approving. */

import { REASONS } from '../core/pipeline/reasons.ts';
import type { IssueRecord, Swarm } from '../core/state/state.ts';
import { cutText, plainLine } from '../domain/plain-text.ts';

export interface ApprovalExplanation {
  readonly cause: string;
  /** What a person types to read what is approved. */
  readonly read?: string | undefined;
}

/** Enough for one sentence; the specification itself is one command away. */
const MAX_SUMMARY_LENGTH = 200;

/** `evidence`: of the decision to wait; its status tells a merge from a specification. */
export function explainApproval(
  swarm: Swarm,
  issue: string,
  evidence: readonly string[],
): ApprovalExplanation {
  const record = swarm.issues.get(issue);
  if (evidence.includes('status=Retro'))
    return {
      cause: 'The merge waits for your approval: the pull request is finished.',
      read: `legion diff ${issue}`,
    };
  const undone = record?.merged?.undone;
  if (undone !== undefined) {
    const { revert, landed } = undone;
    return {
      cause: landed
        ? 'The change was rolled back: approve to start the work again.'
        : `A rollback was requested: pull request ${revert} reverts the change. Approve a new start when it is merged.`,
    };
  }
  const summary = readSpecificationSummary(record);
  if (summary === undefined) return { cause: REASONS.waits_for_approval.says };
  return {
    cause: `The specification waits for your approval: ${summary}`,
    read: `legion issue show ${issue}`,
  };
}

function readSpecificationSummary(record: IssueRecord | undefined): string | undefined {
  const handoff = record?.handoffs.architect;
  if (typeof handoff !== 'object' || handoff === null || !('summary' in handoff)) return undefined;
  const summary = cutText(plainLine(String(handoff.summary)), MAX_SUMMARY_LENGTH);
  return /[.!?…]$/.test(summary) ? summary : `${summary}.`;
}
