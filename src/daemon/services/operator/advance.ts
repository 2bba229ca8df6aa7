/** Carries out the due step of one issue, or only describes it. */
import type { Decision } from '../../../core/model/action.ts';
import { LegionError } from '../../../core/model/fault.ts';
import type { IssueId } from '../../../core/model/ids.ts';
import { readStatus, STATUSES, type Status } from '../../../core/model/status.ts';
import type { IssuePlan } from '../../../core/state/issue-plan.ts';
import type { AdvanceAnswer, AdvanceRequest } from '../../../protocol/operator.ts';
import type { PortContext, StateContext } from '../../context/daemon-context.ts';
import type { LoopControl } from '../../loop/control.ts';
import { describeCommand } from '../../present/event.ts';
import { describeReason, toDecisionView } from '../../present/reason.ts';
import { readIssue } from '../read-outside.ts';

export async function advanceIssue(
  context: StateContext & PortContext,
  control: LoopControl,
  request: AdvanceRequest,
): Promise<AdvanceAnswer> {
  const { issue, stage, dryRun } = request;
  const { column } = await readIssue(context, issue);
  if (stage !== undefined) refuseOtherStage(await control.preview(issue), stage);
  const step = dryRun ? await control.preview(issue) : await advanceWhenReady(context, control, issue);
  const advanced = !dryRun && step.commands.length > 0;
  return {
    issue,
    dryRun,
    advanced,
    says: describeAdvance(step, dryRun),
    decisions: step.decisions.map(toDecisionView),
    commands: step.commands.map(({ command }) => describeCommand(command)),
    status: listStages(step).at(-1) ?? readStatus(column, context.settings().columns),
  };
}

/**
 * Reasons for waits that usually end within seconds: the gap between two starts, and checks of the
 * agent and the repository.
 */
const SHORT_WAITS: ReadonlySet<string> = new Set(['stagger', 'agent_asked', 'preflight_running']);
/**
 * Longer than the slowest agent takes to answer, and shorter than the two minutes for which callers
 * wait.
 */
const SHORT_WAIT_MS = 60_000;
const RETRY_MS = 200;

async function advanceWhenReady(
  context: StateContext,
  control: LoopControl,
  issue: IssueId,
): Promise<IssuePlan> {
  const deadline = context.clock.monotonic() + SHORT_WAIT_MS;
  for (;;) {
    const step = await control.advance(issue);
    const due = step.decisions.at(-1);
    const isWaiting = step.commands.length === 0 && due !== undefined && SHORT_WAITS.has(due.reason);
    if (!isWaiting || context.clock.monotonic() > deadline) return step;
    await context.clock.sleep(RETRY_MS);
  }
}

function describeAdvance({ issue, commands, decisions }: IssuePlan, dryRun: boolean): string {
  if (commands.length > 0) return `${issue} ${dryRun ? 'would be' : 'was'} advanced.`;
  const due = decisions.at(-1);
  const reason = due === undefined ? 'A step is being carried out.' : describeReason(due.reason);
  return `${issue} ${dryRun ? 'would not be' : 'was not'} advanced: ${reason}`;
}

function refuseOtherStage(step: IssuePlan, stage: Status): void {
  if (listStages(step).includes(stage)) return;
  const due = step.decisions.at(-1);
  const text =
    due === undefined ? 'a step is being carried out' : `${due.action}: ${describeReason(due.reason)}`;
  throw new LegionError(
    'advance.not_next',
    `${step.issue} cannot move to ${stage} at the moment. Its next step is: ${text}`,
  );
}

/** Returns every status that the step moves the issue to, in order. */
function listStages({ decisions, commands }: IssuePlan): Status[] {
  const written = commands.flatMap(({ command }) =>
    command.kind === 'write_issue' && command.moveTo !== undefined ? [command.moveTo] : [],
  );
  return [...decisions.flatMap(listTargetStatuses), ...written];
}

function listTargetStatuses({ action }: Decision): Status[] {
  const name = /^transition_to_(.+)$/.exec(action)?.[1];
  return STATUSES.filter((status) => status.toLowerCase().replaceAll(' ', '_') === name);
}
