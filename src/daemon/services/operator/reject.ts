/**
 * Sends a result back to the worker that produced it, with a person's reason. The rejection takes
 * effect once it is in the journal. The loop then moves the issue, clears its labels and continues
 * the worker.
 */
import type { EventBody } from '../../../core/model/event.ts';
import { LegionError } from '../../../core/model/fault.ts';
import { type IssueId, toWorkerId } from '../../../core/model/ids.ts';
import { type RejectionSubject, resolveApprovalSubject } from '../../../core/model/issue.ts';
import { hasEnded, toLifecycleState } from '../../../core/model/lifecycle.ts';
import { REJECTED_WORK } from '../../../core/pipeline/rejection.ts';
import type { IssueEvaluation } from '../../../core/state/evaluate.ts';
import { createIssueRecord, type LegionState } from '../../../core/state/state.ts';
import { listIssueWorkers } from '../../../core/state/workers.ts';
import type { RejectAnswer, RejectRequest } from '../../../protocol/operator.ts';
import { toFault } from '../../context/active-problems.ts';
import type { PortContext, StateContext } from '../../context/daemon-context.ts';
import { evaluateNow } from '../../context/evaluator.ts';
import type { LoopControl } from '../../loop/control.ts';
import { readWithLimit } from '../read-outside.ts';
import { describeLegionHold } from './hold.ts';
import { postIssueComment } from './relabel.ts';

export async function rejectIssue(
  context: StateContext & PortContext,
  control: Pick<LoopControl, 'stop'>,
  issue: IssueId,
  { by, through, why }: RejectRequest,
): Promise<RejectAnswer> {
  const evaluation = await evaluateNow(context, issue, readWithLimit);
  const of = await resolveSubject(context, evaluation);
  const overruled = evaluation.signals.labels.has('human-approved');
  const build = (state: LegionState): EventBody[] => {
    const record = state.issues.get(issue) ?? createIssueRecord(issue);
    if (record.mergeBegun !== undefined) throw refuse(`The merge of ${issue} has begun.`);
    return [{ type: 'work.rejected', issue, rejection: record.lastRejection + 1, of, by, through, why }];
  };
  await appendAndStop(context, control, issue, by, build);
  context.wake(issue);
  const key = `${issue}:rejected:${context.ledger.state.issues.get(issue)?.lastRejection}`;
  const text = `The ${of} is rejected: ${why}`;
  // The rejection is already in the journal. The comment is for people who read the issue.
  const shown = await postIssueComment(context, issue, by, key, text).then(
    () => '',
    (error: unknown) => ` It could not be posted on the issue (${toFault(error).message}).`,
  );
  const earlier = overruled ? ' The earlier approval no longer counts.' : '';
  const says = `The ${of} of ${issue} is rejected.${earlier} ${describeNext(context, evaluation, of)}${shown}`;
  return { says, rejected: of };
}

/**
 * Records the rejection in the same append as the end of the first running worker, so that no other
 * worker can start in between.
 */
async function appendAndStop(
  { ledger }: StateContext,
  control: Pick<LoopControl, 'stop'>,
  issue: IssueId,
  by: string,
  build: (state: LegionState) => EventBody[],
): Promise<void> {
  const running = listIssueWorkers(ledger.state, issue).filter(
    ({ facts }) => !hasEnded(toLifecycleState(facts)),
  );
  const [first, ...others] = running.map(({ mode }) => toWorkerId(issue, mode));
  if (first === undefined) {
    await ledger.append(build);
    return;
  }
  const why = `stopped because ${by} rejected the work`;
  await control.stop(first, why, build);
  for (const worker of others) await control.stop(worker, why);
}

/** Rejects with `rejection.not_due` if there is nothing to reject. */
async function resolveSubject(
  context: StateContext & PortContext,
  { seen, signals }: IssueEvaluation,
): Promise<RejectionSubject> {
  const { issue, status, labels, pullRequest } = signals;
  const isDue = labels.has('needs-approval') || labels.has('human-approved');
  switch (status) {
    case 'Retro':
      if (typeof pullRequest === 'object' && pullRequest.state === 'merged')
        throw refuse(`${issue} is already merged. \`legion rollback ${issue}\` reverts it.`);
      if (isDue || labels.has('auto-merged')) return 'merge';
      throw refuse(`The merge of ${issue} does not wait for approval yet.`);
    case 'Backlog':
    case 'Todo': {
      if (isDue && resolveApprovalSubject(status, [...labels]) === 'specification') return 'specification';
      if (isDue) throw refuse(`${issue} waits for a new start. Without an approval, no work starts.`);
      if (status === 'Todo' && hasPlan(context, issue)) return 'plan';
      throw refuse(`${issue} is in ${status} and has neither a specification to approve nor a plan.`);
    }
    case 'In Progress':
      if (!hasPlan(context, issue)) throw refuse(`${issue} has no plan.`);
      if (await hasCommits(context, seen))
        throw refuse(`The plan of ${issue} is being carried out: its branch has commits.`);
      return 'plan';
    default:
      throw refuse(`${issue} is in ${seen.issue.column}.`);
  }
}

function hasPlan({ ledger }: StateContext, issue: IssueId): boolean {
  return ledger.state.issues.get(issue)?.handoffs.plan !== undefined;
}

async function hasCommits(
  { repositories, workspaces }: PortContext,
  { issue, pullRequest }: IssueEvaluation['seen'],
): Promise<boolean> {
  if (pullRequest === 'unknown')
    throw new LegionError('forge.unavailable', `The pull request of ${issue.id} cannot be read now.`);
  if (pullRequest !== 'none') return true;
  const status = await workspaces.readStatus(issue.id);
  if (status === undefined) return false;
  const diff = await repositories.require(issue.id).readDiff({ head: status.head });
  return diff === undefined || diff.base !== status.head;
}

function describeNext(
  { ledger, settings }: StateContext,
  { signals: { issue, labels } }: IssueEvaluation,
  of: RejectionSubject,
): string {
  const { mode, moveTo } = REJECTED_WORK[of];
  if (labels.has('legion-paused')) return `It is still paused: \`legion resume ${issue}\` lets it continue.`;
  const hold = describeLegionHold(ledger.state);
  if (hold !== undefined) return hold;
  return settings().autoAdvance
    ? `It goes back to ${moveTo}, and the ${mode} worker continues with your reason.`
    : `auto_advance is off: run \`legion advance ${issue}\` to let the ${mode} worker continue with your reason.`;
}

function refuse(message: string): LegionError {
  return new LegionError('rejection.not_due', message);
}
