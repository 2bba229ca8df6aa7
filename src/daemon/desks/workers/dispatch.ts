/** Dispatches a worker at an operator's word: in order, or past the order by force, and then written down. */
import type { Action } from '../../../core/model/action.ts';
import type { Command } from '../../../core/model/command.ts';
import type { EventBody } from '../../../core/model/event.ts';
import { LegionError } from '../../../core/model/fault.ts';
import { type IssueId, workerId } from '../../../core/model/ids.ts';
import { newIssueRecord, type Swarm } from '../../../core/state/state.ts';
import type { Mode } from '../../../domain/mode.ts';
import type { DispatchRequest, WorkerView } from '../../../protocol/operator.ts';
import { nextVersion } from '../../../swarm/restart.ts';
import type { IssueStep } from '../../../swarm/step.ts';
import type { Control, StartOrder } from '../../control.ts';
import { fromOperator } from '../../from-operator.ts';
import { reasonInWords } from '../../present/reason.ts';
import { workerView } from '../../present/worker.ts';
import type { World } from '../../world.ts';
import { readIssue } from '../read-outside.ts';
import { carryOutBefore } from './carry-out-before.ts';
import { refuseUnfitEnvironment } from './given-environment.ts';
import { knownWorker } from './known-worker.ts';
import { refusePausedIssue, refuseWhileTaken, refuseWithoutRoom } from './may-start.ts';
import { startOutOfTurn } from './start-out-of-turn.ts';

export async function dispatch(
  world: World,
  control: Control,
  request: DispatchRequest,
): Promise<WorkerView> {
  const { issue, mode } = request;
  const found = await readIssue(world, issue);
  const allowed = world.tracker.mayDispatch(found);
  refuseOtherRepository(world, issue, request.repo);
  refuseUnfitEnvironment(request.env ?? {});
  refuseWhileTaken(world.ledger.swarm, issue, mode);
  refusePausedIssue(world.ledger.swarm, issue, found.labels);
  await refuseWithoutRoom(world, issue, mode);
  const step = await control.preview(issue);
  const due = allowed.allowed ? spawnIn(step) : undefined;
  if (due?.mode === mode) {
    await carryOutBefore(world, step, mode);
    await control.start(orderOf(world, request, due.purpose));
  } else {
    if (!request.force) throw outOfOrder(step, mode, allowed);
    await force(world, control, request, step);
  }
  return workerView(world, knownWorker(world.ledger.swarm, workerId(issue, mode)));
}

async function force(
  world: World,
  control: Control,
  request: DispatchRequest,
  step: IssueStep,
): Promise<void> {
  const { issue, mode, by } = request;
  const order = orderOf(world, request, 'start');
  const attempt = (world.ledger.swarm.workers.get(workerId(issue, mode))?.attempt ?? 0) + 1;
  const text = `The ${mode} worker was dispatched by ${by} with --force. ${dueOf(step)}`;
  await world.tracker.comment(issue, `${issue}:forced:${mode}:${attempt}`, text);
  await startOutOfTurn(world, control, order, (swarm) => [forced(swarm, request, step)]);
}

/** A decision like any other in the history, only that a person made it. */
function forced(swarm: Swarm, { issue, mode, by }: DispatchRequest, step: IssueStep): EventBody {
  const { lastDecision } = swarm.issues.get(issue) ?? newIssueRecord(issue);
  const due = step.decisions.at(-1);
  return {
    type: 'decision.made',
    issue,
    decision: lastDecision + 1,
    action: DISPATCHES[mode],
    mode,
    reason: 'forced',
    evidence: [`by=${by}`, `due=${due?.action ?? 'nothing'}`, `due_reason=${due?.reason ?? 'none'}`],
  };
}

type Allowed = ReturnType<World['tracker']['mayDispatch']>;

const DISPATCHES: Readonly<Record<Mode, Action>> = {
  architect: 'dispatch_architect',
  plan: 'dispatch_planner',
  implement: 'dispatch_implementer',
  test: 'dispatch_tester',
  review: 'dispatch_reviewer',
  merge: 'dispatch_merger',
};

function orderOf(world: World, request: DispatchRequest, purpose: StartOrder['purpose']): StartOrder {
  const { issue, mode, prompt, env, by } = request;
  const known = world.ledger.swarm.workers.get(workerId(issue, mode));
  return {
    issue,
    mode,
    purpose,
    version: request.version ?? nextVersion(known),
    ...(prompt === undefined ? {} : { note: fromOperator(by, prompt) }),
    ...(env === undefined ? {} : { env }),
  };
}

function spawnIn({ commands }: IssueStep): Extract<Command, { kind: 'spawn' }> | undefined {
  return commands.map(({ command }) => command).find((command) => command.kind === 'spawn');
}

function outOfOrder(step: IssueStep, mode: Mode, { allowed, why }: Allowed): LegionError {
  if (!allowed)
    return new LegionError('worker.out_of_order', `${step.issue} starts no worker by itself: ${why}`);
  return new LegionError('worker.out_of_order', `${step.issue}: ${mode} is not due. ${dueOf(step)}`);
}

function dueOf({ decisions }: IssueStep): string {
  const last = decisions.at(-1);
  if (last === undefined) return 'Something is being carried out for the issue at this moment.';
  const actions = decisions.map(({ action }) => action).join(', then ');
  return `Due is ${actions}: ${reasonInWords(last.reason)}`;
}

function refuseOtherRepository({ repositories }: World, issue: IssueId, wanted: string | undefined): void {
  const { name, path } = repositories.of(issue);
  if (wanted === undefined || wanted === name || wanted === path) return;
  throw new LegionError('input.invalid', `repo: ${issue} belongs to ${name}`);
}
