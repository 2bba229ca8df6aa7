/** The gates of an issue with their evidence: at the head of its pull request now, or as they were at its merge. */
import type { IssueId } from '../../../core/model/ids.ts';
import { isFinished } from '../../../core/model/status.ts';
import type { IssueRecord } from '../../../core/state/state.ts';
import { condition, gateVerdict } from '../../../pipeline/gates/condition.ts';
import { preMergeGate } from '../../../pipeline/gates/pre-merge.ts';
import type { GatesView } from '../../../protocol/operator.ts';
import { evaluateIssue, type ShownEvaluation } from '../../desks/evaluate-issues.ts';
import { autoMergeConditions, isAutoMergeAllowed } from '../../merging/auto-merge-conditions.ts';
import type { World } from '../../world.ts';

export async function gates(world: World, issue: IssueId): Promise<GatesView> {
  const { swarm } = world.ledger;
  const evaluation = await evaluateIssue(world, issue);
  const { seen, signals, policy } = evaluation;
  const merged = swarm.issues.get(issue)?.merged;
  if (merged !== undefined && (merged.undone === undefined || isBeforeNewStart(evaluation)))
    return gatesAtMerge(issue, merged);
  const preMerge = preMergeGate(signals, policy);
  return {
    issue,
    headSha: typeof seen.pullRequest === 'object' ? seen.pullRequest.headSha : null,
    preMerge,
    autoMerge: {
      allowed: isAutoMergeAllowed(policy),
      conditions: autoMergeConditions(swarm, seen, signals),
    },
    verdict: gateVerdict(preMerge),
  };
}

/** Until work starts again after a rollback, the merge that was rolled back is the one to look at. */
function isBeforeNewStart({ seen, decision }: ShownEvaluation): boolean {
  const isWaiting = decision.reason === 'waits_for_approval' || isFinished(seen.status);
  return seen.pullRequest === 'none' && isWaiting;
}

type Merged = NonNullable<IssueRecord['merged']>;

/** From the journal: computed now, evidence would be void, because the branch is gone and labels have changed. */
function gatesAtMerge(issue: IssueId, { pullRequest, headSha, mergedSha, at, gate }: Merged): GatesView {
  const evidence = `pull request ${pullRequest} was merged as ${mergedSha}`;
  return {
    issue,
    headSha,
    preMerge: gate === undefined ? [condition('merged', 'pass', evidence)] : [...gate.preMerge],
    autoMerge: {
      allowed: gate?.autoMerge?.allowed ?? false,
      conditions: [...(gate?.autoMerge?.conditions ?? [])],
    },
    verdict: 'pass',
    merged: { pullRequest, mergedSha, at, ...(gate && { by: gate.by }) },
  };
}
