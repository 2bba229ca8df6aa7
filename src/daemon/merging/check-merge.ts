/** Checks every condition of a merge once more, at the commit that is about to land. */
import { LegionError } from '../../core/model/fault.ts';
import type { IssueId } from '../../core/model/ids.ts';
import type { Signals } from '../../core/model/signals.ts';
import type { Policy } from '../../core/pipeline/policy.ts';
import type { SeenGate } from '../../core/state/fleet-state.ts';
import { type Condition, condition } from '../../pipeline/gates/condition.ts';
import { preMergeGate } from '../../pipeline/gates/pre-merge.ts';
import type { ForgePullRequest } from '../../ports/forge.ts';
import type { IssueEvaluation } from '../../swarm/evaluate.ts';
import { evaluateNow } from '../evaluator.ts';
import { inTime } from '../reports/read-outside.ts';
import type { World } from '../world.ts';
import { autoMergeConditions, isAutoMergeAllowed } from './auto-merge-conditions.ts';

export interface CheckedMerge {
  /** No person has approved it, the auto-merge gate has. */
  readonly auto: boolean;
  readonly gate: SeenGate;
  /** Conditions that do not pass; nothing may be merged while there is one. */
  readonly open: readonly Condition[];
}

/** `approver`: an operator who merges approves the merge by doing so; a worker needs an approval. */
export async function checkMerge(
  world: World,
  issue: IssueId,
  { headSha }: ForgePullRequest,
  approver?: string,
): Promise<CheckedMerge> {
  const { seen, signals, policy } = await evaluateInTime(world, issue);
  const { pullRequest } = signals;
  if (typeof pullRequest === 'object' && pullRequest.headSha !== headSha) {
    throw new LegionError('forge.head_moved', `${issue} has moved from ${headSha} to ${pullRequest.headSha}`);
  }
  const preMerge = mergeConditions(signals, policy, approver);
  const conditions = autoMergeConditions(world.ledger.swarm, seen, signals);
  return {
    auto: approver === undefined && !signals.labels.has('human-approved'),
    gate: { preMerge, autoMerge: { allowed: isAutoMergeAllowed(policy), conditions } },
    open: preMerge.filter(({ verdict }) => verdict !== 'pass'),
  };
}

/** The head at which nothing but a run of the quality gate is missing, where there is no CI. */
export async function findHeadWithoutGate(world: World, issue: IssueId): Promise<string | undefined> {
  if (world.policyOf(issue).qualityGate === 'none') return undefined;
  const { signals, policy } = await evaluateInTime(world, issue);
  const { pullRequest, evidence } = signals;
  if (typeof pullRequest !== 'object' || pullRequest.state !== 'open' || pullRequest.ci !== 'none') {
    return undefined;
  }
  const hasRun = evidence.qualityGate !== 'void' && evidence.qualityGate !== 'none';
  const isOtherwiseReady = mergeConditions(signals, policy).every(
    ({ name, verdict }) => name === 'ci_green' || verdict === 'pass',
  );
  return !hasRun && isOtherwiseReady ? pullRequest.headSha : undefined;
}

export function listConditions(open: readonly Condition[]): string {
  return open.map(({ name, verdict, evidence }) => `${name} is ${verdict} (${evidence})`).join('; ');
}

function evaluateInTime(world: World, issue: IssueId): Promise<IssueEvaluation> {
  return evaluateNow(world, issue, (read) => inTime('tracker.unavailable', read));
}

/** Beside the gate itself: what would keep a merge worker from being sent now must keep it from merging, too. */
function mergeConditions(signals: Signals, policy: Policy, approver?: string): Condition[] {
  const { status, labels, blockers } = signals;
  return [
    condition('in_retro', status === 'Retro', `status=${status}`),
    ...preMergeGate(signals, policy),
    condition('not_paused', !labels.has('legion-paused'), `legion-paused=${labels.has('legion-paused')}`),
    condition('not_blocked', blockers.length === 0, `blockers=${blockers.join(' ') || 'none'}`),
    approver === undefined ? approvedOnBoard(signals) : approvedBy(approver),
  ];
}

/** The gate's earlier "pass" was for the commit of that time, so the label it left is not enough. */
function approvedOnBoard({ labels, autoMerge }: Signals): Condition {
  const isHuman = labels.has('human-approved');
  const verdict = isHuman || autoMerge === 'pass' ? 'pass' : autoMerge === 'unknown' ? 'unknown' : 'fail';
  return condition('approved', verdict, `human-approved=${isHuman}, autoMerge=${autoMerge}`);
}

function approvedBy(operator: string): Condition {
  return condition('approved', 'pass', `merged by ${operator}`);
}
