/** Detects issues that the forge closed, or that its board moved to Done, because of a merge. */
import type { Issue } from '../../core/model/issue.ts';
import type { ObservedIssue } from '../../core/model/observed-issue.ts';
import { isFinished, type ObservedStatus } from '../../core/model/status.ts';
import type { LegionState } from '../../core/state/state.ts';

/** Decision reasons for which Legion already treated the issue as finished. */
const FINISHED_REASONS: ReadonlySet<string> = new Set(['terminal', 'done']);

/**
 * Returns whether to read the pull request of an issue that a merge may have finished. This is the
 * case if an external tracker shows the issue as finished, but Legion's last decision does not
 * treat it as finished yet. After a recorded merge, the pull request of a closed issue is read
 * until Legion has decided that the issue is Done. If a person closes an issue without a merge,
 * this costs one read.
 */
export function isPossiblyClosedByMerge(
  state: LegionState,
  { id, source }: Issue,
  status: ObservedStatus,
): boolean {
  if (!isFinished(status) || source.kind === 'local') return false;
  const record = state.issues.get(id);
  const reason = record?.decision?.reason;
  if (record?.merged !== undefined && record.merged.undone === undefined)
    return status === 'terminal' && reason !== 'done';
  return reason !== undefined && !FINISHED_REASONS.has(reason);
}

/**
 * Returns Retro, the last status before Done, if the issue is terminal and its pull request is
 * merged. Otherwise returns the status unchanged.
 */
export function resolveStatusAfterMerge(
  status: ObservedStatus,
  pullRequest: ObservedIssue['pullRequest'],
): ObservedStatus {
  const isMerged = typeof pullRequest === 'object' && pullRequest.state === 'merged';
  return status === 'terminal' && isMerged ? 'Retro' : status;
}
