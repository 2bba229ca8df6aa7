/** Carries out the due step of one issue, forces another stage, or only describes the step. */
import type { Decision } from '../../../core/model/action.ts';
import { LegionError } from '../../../core/model/fault.ts';
import type { IssueId } from '../../../core/model/ids.ts';
import { getPhaseMode, PHASES, type Phase } from '../../../core/model/mode.ts';
import { isFinished, readStatus, STATUSES, type Status } from '../../../core/model/status.ts';
import type { IssuePlan } from '../../../core/state/issue-plan.ts';
import type { AdvanceAnswer, AdvanceRequest, Stage } from '../../../protocol/operator.ts';
import type { DaemonContext, StateContext } from '../../context/daemon-context.ts';
import type { LoopControl } from '../../loop/control.ts';
import { describeCommand } from '../../present/event.ts';
import { describeReason, toDecisionView } from '../../present/reason.ts';
import { readIssue } from '../read-outside.ts';
import { forceStage } from './force-stage.ts';

export async function advanceIssue(
  context: DaemonContext,
  control: LoopControl,
  request: AdvanceRequest,
): Promise<AdvanceAnswer> {
  const { issue, stage, dryRun } = request;
  const { column } = await readIssue(context, issue);
  if (stage !== undefined) {
    if (isFinished(readStatus(column, context.settings().columns)))
      throw new LegionError('issue.over', `${issue} is ${column}, so it cannot be forced to a stage.`);
    const next = await control.preview(issue);
    if (!leadsTo(next, stage))
      return forceStage(context, control, request, stage, next.decisions.map(toDecisionView));
  }
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

function leadsTo(step: IssuePlan, stage: Stage): boolean {
  const phase = PHASES.find((each) => each === stage);
  return phase === undefined
    ? listStages(step).some((status) => status === stage)
    : step.decisions.some((decision) => isStepOfPhase(decision, phase));
}

/**
 * The implement worker also does the retro, so only the action's name distinguishes those two
 * phases.
 */
function isStepOfPhase({ action, mode }: Decision, phase: Phase): boolean {
  if (action === 'skip' || mode !== getPhaseMode(phase)) return false;
  return mode !== 'implement' || /retro/.test(action) === (phase === 'retro');
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
