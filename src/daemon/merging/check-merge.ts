/** Checks every merge condition once more, at the commit that is about to land. */
import { LegionError } from '../../core/model/fault.ts';
import type { IssueId } from '../../core/model/ids.ts';
import type { ObservedIssue } from '../../core/model/observed-issue.ts';
import type { IssueSignals } from '../../core/model/signals.ts';
import { checkAutoMergeGate } from '../../core/pipeline/auto-merge.ts';
import type { PipelinePolicy } from '../../core/pipeline/policy.ts';
import { checkPreMergeGate, createGateCondition, type GateCondition } from '../../core/pipeline/pre-merge.ts';
import type { IssueEvaluation } from '../../core/state/evaluate.ts';
import type { RecordedGate } from '../../core/state/fleet-state.ts';
import { toMergeCandidate } from '../../core/state/observation.ts';
import type { LegionState } from '../../core/state/state.ts';
import type { ForgePullRequest } from '../../ports/forge.ts';
import type { PortContext, StateContext } from '../context/daemon-context.ts';
import { evaluateNow } from '../context/evaluator.ts';
import { readInTime } from '../repositories/read-outside.ts';

export interface MergeCheckResult {
  /** Whether the auto-merge gate approved the merge instead of a person. */
  readonly auto: boolean;
  readonly gate: RecordedGate;
  /** Conditions that do not pass. Any of them forbids the merge. */
  readonly open: readonly GateCondition[];
}

/**
 * Checks the merge conditions. An operator (`approver`) approves the merge by requesting it. A
 * worker's merge needs a separate approval.
 */
export async function checkMerge(
  context: StateContext & PortContext,
  issue: IssueId,
  { headSha }: ForgePullRequest,
  approver?: string,
): Promise<MergeCheckResult> {
  const { seen: observed, signals, policy } = await evaluateInTime(context, issue);
  const { pullRequest } = signals;
  if (typeof pullRequest === 'object' && pullRequest.headSha !== headSha) {
    throw new LegionError('forge.head_moved', `${issue} moved from ${headSha} to ${pullRequest.headSha}.`);
  }
  const preMerge = listMergeConditions(signals, policy, approver);
  const conditions = listAutoMergeConditions(context.ledger.state, observed, signals, policy);
  return {
    auto: approver === undefined && !signals.labels.has('human-approved'),
    gate: { preMerge, autoMerge: { allowed: isAutoMergeAllowed(policy), conditions } },
    open: preMerge.filter(({ verdict }) => verdict !== 'pass'),
  };
}

/** Returns the head commit if the repository has no CI and the merge needs only a quality gate run. */
export async function findHeadWithoutGate(
  context: StateContext & PortContext,
  issue: IssueId,
): Promise<string | undefined> {
  if (context.policyOf(issue).qualityGate === 'none') return undefined;
  const { signals, policy } = await evaluateInTime(context, issue);
  const { pullRequest, evidence } = signals;
  if (typeof pullRequest !== 'object' || pullRequest.state !== 'open' || pullRequest.ci !== 'none') {
    return undefined;
  }
  const hasRun = evidence.qualityGate !== 'void' && evidence.qualityGate !== 'none';
  const isOtherwiseReady = listMergeConditions(signals, policy).every(
    ({ name, verdict }) => name === 'ci_green' || verdict === 'pass',
  );
  return !hasRun && isOtherwiseReady ? pullRequest.headSha : undefined;
}

export function listConditions(open: readonly GateCondition[]): string {
  return open.map(({ name, verdict, evidence }) => `${name} is ${verdict} (${evidence})`).join('; ');
}

function evaluateInTime(context: StateContext & PortContext, issue: IssueId): Promise<IssueEvaluation> {
  return evaluateNow(context, issue, (read) => readInTime('tracker.unavailable', read));
}

/** Lists the conditions for a merge, including those that block a merge worker's start. */
function listMergeConditions(
  signals: IssueSignals,
  policy: PipelinePolicy,
  approver?: string,
): GateCondition[] {
  const { status, labels, blockers } = signals;
  return [
    createGateCondition('in_retro', status === 'Retro', `status=${status}`),
    ...checkPreMergeGate(signals, policy),
    createGateCondition(
      'not_paused',
      !labels.has('legion-paused'),
      `legion-paused=${labels.has('legion-paused')}`,
    ),
    createGateCondition('not_blocked', blockers.length === 0, `blockers=${blockers.join(' ') || 'none'}`),
    approver === undefined ? checkBoardApproval(signals) : buildOperatorApproval(approver),
  ];
}

/**
 * Checks that a person approved the merge or that the auto-merge conditions pass. The auto-merge
 * label alone is not enough, because it was set for an earlier commit.
 */
function checkBoardApproval({ labels, autoMerge, approval }: IssueSignals): GateCondition {
  const isHuman = labels.has('human-approved');
  const isApproved = (isHuman && approval !== 'unknown') || autoMerge === 'pass';
  const isUnknown = isHuman || autoMerge === 'unknown';
  const verdict = isApproved ? 'pass' : isUnknown ? 'unknown' : 'fail';
  return createGateCondition('approved', verdict, `human-approved=${isHuman}, autoMerge=${autoMerge}`);
}

function buildOperatorApproval(operator: string): GateCondition {
  return createGateCondition('approved', 'pass', `merged by ${operator}`);
}

/** Returns whether the policy allows merging without a person. */
export function isAutoMergeAllowed({ autoMergeAllowed, approvals }: PipelinePolicy): boolean {
  return autoMergeAllowed && approvals.merge === 'auto';
}

/**
 * Lists the auto-merge conditions. They are shown even if auto-merge is not allowed, because a
 * person uses the same conditions to decide.
 */
export function listAutoMergeConditions(
  state: LegionState,
  observed: ObservedIssue,
  { labels }: IssueSignals,
  policy: PipelinePolicy,
): GateCondition[] {
  const candidate = toMergeCandidate(observed, state.issues.get(observed.issue.id), labels);
  if (candidate !== undefined) return checkAutoMergeGate(candidate, policy);
  const verdict = observed.pullRequest === 'none' ? 'fail' : 'unknown';
  return [createGateCondition('pull_request', verdict, `pullRequest=${String(observed.pullRequest)}`)];
}
