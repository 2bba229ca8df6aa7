/** The conditions of an auto-merge at the commit that was seen, for people and for the journal. */
import type { Signals } from '../../core/model/signals.ts';
import { autoMergeGate } from '../../core/pipeline/auto-merge.ts';
import type { Policy } from '../../core/pipeline/policy.ts';
import { mergeCandidateOf, type SeenIssue } from '../../core/state/observation.ts';
import type { Swarm } from '../../core/state/state.ts';
import { type Condition, condition } from '../../pipeline/gates/condition.ts';

export function isAutoMergeAllowed({ autoMergeAllowed, approvals }: Policy): boolean {
  return autoMergeAllowed && approvals.merge === 'auto';
}

/** Shown also where it is not allowed: a person decides by the same conditions. */
export function autoMergeConditions(swarm: Swarm, seen: SeenIssue, { labels }: Signals): Condition[] {
  const candidate = mergeCandidateOf(seen, swarm.issues.get(seen.issue.id), labels);
  if (candidate !== undefined) return autoMergeGate(candidate);
  const verdict = seen.pullRequest === 'none' ? 'fail' : 'unknown';
  return [condition('pull_request', verdict, `pullRequest=${String(seen.pullRequest)}`)];
}
