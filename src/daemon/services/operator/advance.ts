/** Carries out what is due for one issue, or says what that would be. */

import { LegionError } from '../../../core/model/fault.ts';
import type { IssueId } from '../../../core/model/ids.ts';
import { readStatus, STATUSES, type Status } from '../../../core/model/status.ts';
import type { Decision } from '../../../domain/decision.ts';
import type { AdvanceAnswer, AdvanceRequest } from '../../../protocol/operator.ts';
import type { IssueStep } from '../../../swarm/step.ts';
import type { Control } from '../../control.ts';
import { readIssue } from '../../desks/read-outside.ts';
import { commandInWords } from '../../present/command.ts';
import { decisionView, reasonInWords } from '../../present/reason.ts';
import type { World } from '../../world.ts';

export async function advance(
  world: World,
  control: Control,
  request: AdvanceRequest,
): Promise<AdvanceAnswer> {
  const { issue, stage, dryRun } = request;
  const { column } = await readIssue(world, issue);
  if (stage !== undefined) refuseElsewhere(await control.preview(issue), stage);
  const step = dryRun ? await control.preview(issue) : await advanceWhenReady(world, control, issue);
  const advanced = !dryRun && step.commands.length > 0;
  return {
    issue,
    dryRun,
    advanced,
    says: describe(step, dryRun),
    decisions: step.decisions.map(decisionView),
    commands: step.commands.map(({ command }) => commandInWords(command)),
    status: stagesOf(step).at(-1) ?? readStatus(column, world.settings().columns),
  };
}

/** Waits that usually end within seconds: the gap between two starts, and checks of the agent and the repository. */
const SHORT_WAITS: ReadonlySet<string> = new Set(['stagger', 'agent_asked', 'preflight_running']);
/** Longer than the slowest agent takes to answer; a caller gives up after two minutes. */
const SHORT_WAIT_MS = 60_000;
const RETRY_MS = 200;

async function advanceWhenReady(world: World, control: Control, issue: IssueId): Promise<IssueStep> {
  const deadline = world.clock.monotonic() + SHORT_WAIT_MS;
  for (;;) {
    const step = await control.advance(issue);
    const due = step.decisions.at(-1);
    const isWaiting = step.commands.length === 0 && due !== undefined && SHORT_WAITS.has(due.reason);
    if (!isWaiting || world.clock.monotonic() > deadline) return step;
    await world.clock.sleep(RETRY_MS);
  }
}

function describe({ issue, commands, decisions }: IssueStep, dryRun: boolean): string {
  if (commands.length > 0) return `${issue} ${dryRun ? 'would be' : 'was'} advanced.`;
  const due = decisions.at(-1);
  const reason = due === undefined ? 'A step is being carried out.' : reasonInWords(due.reason);
  return `${issue} ${dryRun ? 'would not be' : 'was not'} advanced: ${reason}`;
}

function refuseElsewhere(step: IssueStep, stage: Status): void {
  if (stagesOf(step).includes(stage)) return;
  const due = step.decisions.at(-1);
  const says =
    due === undefined ? 'a step is being carried out' : `${due.action}: ${reasonInWords(due.reason)}`;
  throw new LegionError('advance.not_next', `${step.issue} does not go to ${stage} now; due is ${says}`);
}

/** Every status the step takes the issue to, the last one last. */
function stagesOf({ decisions, commands }: IssueStep): Status[] {
  const written = commands.flatMap(({ command }) =>
    command.kind === 'write_issue' && command.moveTo !== undefined ? [command.moveTo] : [],
  );
  return [...decisions.flatMap(movedTo), ...written];
}

function movedTo({ action }: Decision): Status[] {
  const name = /^transition_to_(.+)$/.exec(action)?.[1];
  return STATUSES.filter((status) => status.toLowerCase().replaceAll(' ', '_') === name);
}
