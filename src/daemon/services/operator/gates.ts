/**
 * Reports the gates of an issue with their evidence: at the current head of its pull request, or as
 * they were at its merge.
 */
import type { IssueId } from '../../../core/model/ids.ts';
import { isFinished } from '../../../core/model/status.ts';
import { checkPreMergeGate, createGateCondition, judgeGate } from '../../../core/pipeline/pre-merge.ts';
import type { IssueRecord } from '../../../core/state/state.ts';
import type { GatesView } from '../../../protocol/operator.ts';
import type { DaemonContext } from '../../context/daemon-context.ts';
import { isAutoMergeAllowed, listAutoMergeConditions } from '../../merging/check-merge.ts';
import { evaluateIssue, type ShownEvaluation } from '../evaluate-issues.ts';

export async function readGates(context: DaemonContext, issue: IssueId): Promise<GatesView> {
  const { state } = context.ledger;
  const evaluation = await evaluateIssue(context, issue);
  const { seen, signals, policy } = evaluation;
  const merged = state.issues.get(issue)?.merged;
  if (merged !== undefined && (merged.undone === undefined || isBeforeNewStart(evaluation)))
    return buildGatesAtMerge(issue, merged);
  const preMerge = checkPreMergeGate(signals, policy);
  return {
    issue,
    headSha: typeof seen.pullRequest === 'object' ? seen.pullRequest.headSha : null,
    preMerge,
    autoMerge: {
      allowed: isAutoMergeAllowed(policy),
      conditions: listAutoMergeConditions(state, seen, signals, policy),
    },
    verdict: judgeGate(preMerge),
  };
}

/**
 * Returns whether a rolled-back issue is still waiting for its new start. Until that start, the
 * gates of the rolled-back merge are shown.
 */
function isBeforeNewStart({ seen, decision }: ShownEvaluation): boolean {
  const isWaiting = decision.reason === 'waits_for_approval' || isFinished(seen.status);
  return seen.pullRequest === 'none' && isWaiting;
}

type RecordedMerge = NonNullable<IssueRecord['merged']>;

/**
 * Takes the gates from the journal. Evidence that is computed now would be void, because the branch
 * is gone and the labels have changed.
 */
function buildGatesAtMerge(
  issue: IssueId,
  { pullRequest, headSha, mergedSha, at, gate }: RecordedMerge,
): GatesView {
  const evidence = `pull request ${pullRequest} was merged as ${mergedSha}`;
  return {
    issue,
    headSha,
    preMerge: gate === undefined ? [createGateCondition('merged', 'pass', evidence)] : [...gate.preMerge],
    autoMerge: {
      allowed: gate?.autoMerge?.allowed ?? false,
      conditions: [...(gate?.autoMerge?.conditions ?? [])],
    },
    verdict: 'pass',
    merged: { pullRequest, mergedSha, at, ...(gate && { by: gate.by }) },
  };
}
