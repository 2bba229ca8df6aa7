/** The gates of an issue with their evidence, at the head of its pull request now. */
import type { IssueId } from '../../../domain/ids.ts';
import { autoMergeGate } from '../../../pipeline/gates/auto-merge.ts';
import { type Condition, condition, gateVerdict } from '../../../pipeline/gates/condition.ts';
import { preMergeGate } from '../../../pipeline/gates/pre-merge.ts';
import type { GatesView } from '../../../protocol/operator.ts';
import type { IssueRecord } from '../../../swarm/state.ts';
import type { World } from '../../world.ts';
import { type Look, lookAtIssue } from '../look.ts';

export async function gates(world: World, issue: IssueId): Promise<GatesView> {
  const look = await lookAtIssue(world, issue);
  const merged = world.ledger.swarm.issues.get(issue)?.merged;
  if (merged !== undefined && merged.undone === undefined) return afterMerge(issue, merged);
  const { seen, signals, policy } = look;
  const preMerge = preMergeGate(signals, policy);
  return {
    issue,
    headSha: typeof seen.pullRequest === 'object' ? seen.pullRequest.headSha : null,
    preMerge,
    autoMerge: {
      allowed: policy.autoMergeAllowed && policy.approvals.merge === 'auto',
      conditions: autoMerge(world, look),
    },
    verdict: gateVerdict(preMerge),
  };
}

/** What was checked before the merge holds no more and need not: its pull request is not even read any longer. */
function afterMerge(issue: IssueId, { pullRequest, headSha, mergedSha }: Merged): GatesView {
  const evidence = `pull request ${pullRequest} was merged as ${mergedSha}`;
  return {
    issue,
    headSha,
    preMerge: [condition('merged', 'pass', evidence)],
    autoMerge: { allowed: false, conditions: [] },
    verdict: 'pass',
  };
}

type Merged = NonNullable<IssueRecord['merged']>;

/** Shown also where it is not allowed: a person decides by the same conditions. */
function autoMerge({ ledger }: World, { seen, signals }: Look): Condition[] {
  const { pullRequest, addedDependencies, issue } = seen;
  if (typeof pullRequest !== 'object') {
    const verdict = pullRequest === 'none' ? 'fail' : 'unknown';
    return [condition('pull_request', verdict, `pullRequest=${pullRequest}`)];
  }
  const { draft, additions, deletions, changedFiles } = pullRequest;
  const testSuites = ledger.swarm.issues.get(issue.id)?.evidence.test?.suites ?? [];
  const { labels } = signals;
  return autoMergeGate({ draft, additions, deletions, changedFiles, addedDependencies, testSuites, labels });
}
