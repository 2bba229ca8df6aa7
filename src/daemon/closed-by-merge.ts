/** Issues that a forge closed, or its board moved to Done, because the pull request that names them was merged. */

import { isFinished, type SeenStatus } from '../core/model/status.ts';
import type { SeenIssue } from '../core/state/observation.ts';
import type { Swarm } from '../core/state/state.ts';
import type { Issue } from '../domain/issue.ts';

/** What was decided on an issue that was over, and needed nothing more. */
const OVER: ReadonlySet<string> = new Set(['terminal', 'done']);

/**
 * Whether to read its pull request: it is over on a board that is not ours, and was not seen as over before. One that is
 * known to be merged is read until it is Done. So an issue that a person closes costs one read.
 */
export function mayBeClosedByMerge(swarm: Swarm, { id, source }: Issue, status: SeenStatus): boolean {
  if (!isFinished(status) || source.kind === 'local') return false;
  const record = swarm.issues.get(id);
  const reason = record?.decision?.reason;
  if (record?.merged !== undefined && record.merged.undone === undefined)
    return status === 'terminal' && reason !== 'done';
  return reason !== undefined && !OVER.has(reason);
}

/** The last status before Done, from which a merged pull request leads there. */
export function statusAfterMerge(status: SeenStatus, pullRequest: SeenIssue['pullRequest']): SeenStatus {
  const isMerged = typeof pullRequest === 'object' && pullRequest.state === 'merged';
  return status === 'terminal' && isMerged ? 'Retro' : status;
}
