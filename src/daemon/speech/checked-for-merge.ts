/** The gate before the merge, asked again at the commit that is about to land. */
import { LegionError } from '../../domain/fault.ts';
import type { IssueId } from '../../domain/ids.ts';
import type { Signals } from '../../domain/signals.ts';
import type { ForgePullRequest } from '../../forges/forge.ts';
import { type Condition, condition } from '../../pipeline/gates/condition.ts';
import { preMergeGate } from '../../pipeline/gates/pre-merge.ts';
import type { Policy } from '../../pipeline/policy.ts';
import { signalsOf } from '../../swarm/observation.ts';
import { observeIssue } from '../observe.ts';
import { inTime } from '../reports/read-outside.ts';
import type { World } from '../world.ts';

/** `auto`: no person has approved it, the gate has. Rejects with `merge.refused` and every condition that does not hold. */
export async function checkedForMerge(
  world: World,
  issue: IssueId,
  { headSha }: ForgePullRequest,
): Promise<{ readonly auto: boolean }> {
  const policy = world.policyOf(issue);
  const signals = await signalsNow(world, issue, policy);
  const { pullRequest } = signals;
  if (typeof pullRequest === 'object' && pullRequest.headSha !== headSha) {
    throw new LegionError('forge.head_moved', `${issue} has moved from ${headSha} to ${pullRequest.headSha}`);
  }
  const open = mergeConditions(signals, policy).filter(({ verdict }) => verdict !== 'pass');
  if (open.length > 0) throw refused(issue, headSha, open);
  return { auto: !signals.labels.has('human-approved') };
}

/** The head at which nothing but a run of the quality gate is missing, where there is no CI. */
export async function findHeadWithoutGate(world: World, issue: IssueId): Promise<string | undefined> {
  const policy = world.policyOf(issue);
  if (policy.qualityGate === 'none') return undefined;
  const signals = await signalsNow(world, issue, policy);
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

async function signalsNow(world: World, id: IssueId, policy: Policy): Promise<Signals> {
  const { tracker, repositories, ledger, view, clock, settings } = world;
  const { columns, checkWaitMs } = settings();
  const outside = { tracker, forgeOf: (issue: IssueId) => repositories.find(issue)?.forge, columns };
  const look = (signal: AbortSignal) => observeIssue(outside, ledger.swarm, id, signal);
  const seen = await inTime('tracker.unavailable', look);
  if (seen === undefined) throw new LegionError('tracker.issue_unknown', `${id} is not on the board`);
  const statusOf = (issue: IssueId) => view.of(issue)?.status;
  const around = { icebox: 'unclarified', statusOf, now: clock.now(), checkWaitMs } as const;
  return signalsOf(ledger.swarm, seen, policy, around);
}

/** Beside the gate itself: what would keep a merge worker from being sent now must keep it from merging, too. */
function mergeConditions(signals: Signals, policy: Policy): Condition[] {
  const { status, labels, blockers } = signals;
  return [
    condition('in_retro', status === 'Retro', `status=${status}`),
    ...preMergeGate(signals, policy),
    condition('not_paused', !labels.has('legion-paused'), `legion-paused=${labels.has('legion-paused')}`),
    condition('not_blocked', blockers.length === 0, `blockers=${blockers.join(' ') || 'none'}`),
    approved(signals),
  ];
}

/** The gate's earlier "pass" was for the commit of that time, so the label it left is not enough. */
function approved({ labels, autoMerge }: Signals): Condition {
  const isHuman = labels.has('human-approved');
  const verdict = isHuman || autoMerge === 'pass' ? 'pass' : autoMerge === 'unknown' ? 'unknown' : 'fail';
  return condition('approved', verdict, `human-approved=${isHuman}, autoMerge=${autoMerge}`);
}

function refused(issue: IssueId, headSha: string, open: readonly Condition[]): LegionError {
  const listed = open.map(({ name, verdict, evidence }) => `${name} is ${verdict} (${evidence})`);
  return new LegionError('merge.refused', `${issue} at ${headSha}: ${listed.join('; ')}`);
}
