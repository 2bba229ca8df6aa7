/** Judges whether the recorded approval still covers the issue's work. */
import { isStillValid } from '../model/evidence.ts';
import { resolveApprovalSubject } from '../model/issue.ts';
import type { ObservedIssue } from '../model/observed-issue.ts';
import type { PipelinePolicy } from '../pipeline/policy.ts';
import type { IssueRecord } from './state.ts';

/**
 * `none`: there is no approval that matters in this status. `void`: what was approved has changed.
 * `unknown`: the changes since the approval could not be read.
 */
export type ApprovalValidity = 'valid' | 'void' | 'unknown' | 'none';

export function judgeApproval(
  record: IssueRecord | undefined,
  { status, pullRequest, changes }: ObservedIssue,
  labels: ReadonlySet<string>,
  { retroPaths }: Pick<PipelinePolicy, 'retroPaths'>,
): ApprovalValidity {
  const { approval, merged, specification } = record ?? {};
  if (approval?.of !== resolveApprovalSubject(status, [...labels])) return 'none';
  switch (approval.of) {
    case 'specification':
      return approval.specification === specification ? 'valid' : 'void';
    case 'restart':
      // A later rollback needs an approval of its own.
      return (merged?.undone?.at ?? 0) <= approval.at ? 'valid' : 'void';
    case 'merge': {
      if (pullRequest === 'none' || approval.sha === undefined) return 'void';
      if (pullRequest === 'unknown') return 'unknown';
      const isValid = isStillValid(approval.sha, pullRequest.headSha, changes, retroPaths);
      if (isValid === 'unknown') return 'unknown';
      return isValid ? 'valid' : 'void';
    }
  }
}

/**
 * Makes the label `human-approved` follow the recorded approval: a void approval loses the label,
 * and a valid approval has the label even if it could not be written to the tracker. Without a
 * recorded approval the label counts as it is, because earlier versions recorded approvals only as
 * labels.
 */
export function applyApproval(
  labels: ReadonlySet<string>,
  validity: ApprovalValidity,
  status: ObservedIssue['status'],
): Set<string> {
  const applied = new Set(labels);
  const isDue = labels.has('needs-approval') || status === 'Retro';
  if (validity === 'void') applied.delete('human-approved');
  if (validity === 'valid' && isDue) applied.add('human-approved');
  return applied;
}
