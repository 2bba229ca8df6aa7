/** The conditions of an auto-merge at the commit that was seen, for people and for the journal. */
import type { Signals } from '../../domain/signals.ts';
import { autoMergeGate } from '../../pipeline/gates/auto-merge.ts';
import { type Condition, condition } from '../../pipeline/gates/condition.ts';
import type { Policy } from '../../pipeline/policy.ts';
import type { SeenIssue } from '../../swarm/observation.ts';
import type { Swarm } from '../../swarm/state.ts';

export function isAutoMergeAllowed({ autoMergeAllowed, approvals }: Policy): boolean {
  return autoMergeAllowed && approvals.merge === 'auto';
}

/** Shown also where it is not allowed: a person decides by the same conditions. */
export function autoMergeConditions(swarm: Swarm, seen: SeenIssue, { labels }: Signals): Condition[] {
  const { pullRequest, addedDependencies, issue } = seen;
  if (typeof pullRequest !== 'object') {
    const verdict = pullRequest === 'none' ? 'fail' : 'unknown';
    return [condition('pull_request', verdict, `pullRequest=${pullRequest}`)];
  }
  const { draft, additions, deletions, changedFiles } = pullRequest;
  const testSuites = swarm.issues.get(issue.id)?.evidence.test?.suites ?? [];
  return autoMergeGate({ draft, additions, deletions, changedFiles, addedDependencies, testSuites, labels });
}
