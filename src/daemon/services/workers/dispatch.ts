/**
 * Dispatches a worker on an operator's request: the worker that is due, or any other with
 * `--force`, which the journal records.
 */
import type { Action } from '../../../core/model/action.ts';
import type { Command } from '../../../core/model/command.ts';
import { findVariableProblem, isRefusedVariable } from '../../../core/model/environment.ts';
import type { EventBody } from '../../../core/model/event.ts';
import { LegionError, quoteText } from '../../../core/model/fault.ts';
import { toWorkerId } from '../../../core/model/ids.ts';
import type { Mode } from '../../../core/model/mode.ts';
import { isFinished, readStatus } from '../../../core/model/status.ts';
import type { IssuePlan } from '../../../core/state/issue-plan.ts';
import { computeNextSessionVersion } from '../../../core/state/next-attempt.ts';
import { createIssueRecord, type LegionState } from '../../../core/state/state.ts';
import type { DispatchAnswer, DispatchRequest } from '../../../protocol/workers.ts';
import type { DaemonContext, PortContext, StateContext } from '../../context/daemon-context.ts';
import type { LoopControl, StartOrder } from '../../loop/control.ts';
import { describeReason } from '../../present/reason.ts';
import { toWorkerView } from '../../present/worker.ts';
import { formatOperatorMessage } from '../../prompts/worker-messages.ts';
import { readIssue } from '../read-outside.ts';
import { requireWorker } from './known-worker.ts';
import {
  findActiveWorker,
  refuseOtherRepository,
  refusePausedIssue,
  refuseWhileTaken,
  refuseWithoutRoom,
  startOutOfTurn,
} from './may-start.ts';
import { promptWorker } from './prompt.ts';

export async function dispatchWorker(
  context: DaemonContext,
  control: LoopControl,
  request: DispatchRequest,
): Promise<DispatchAnswer> {
  const { issue, mode } = request;
  const found = await readIssue(context, issue);
  if (isFinished(readStatus(found.column, context.settings().columns)))
    throw new LegionError('issue.over', `${issue} is ${found.column}, so no worker starts on it.`);
  const allowed = context.tracker.mayDispatch(found);
  refuseOtherRepository(context, issue, request.repo);
  refuseUnfitEnvironment(request.env ?? {});
  if (isSameSession(context.ledger.state, request) && isActiveIn(context.ledger.state, request))
    return promptSession(context, control, request);
  refuseWhileTaken(context.ledger.state, issue, mode);
  refusePausedIssue(context.ledger.state, issue, found.labels);
  await refuseWithoutRoom(context, issue, mode);
  const step = await control.preview(issue);
  const due = allowed.allowed ? findSpawnCommand(step) : undefined;
  if (due?.mode === mode) {
    await applyStepBeforeStart(context, step, mode);
    await control.start(buildStartOrder(context, request, due.purpose));
  } else {
    if (!request.force && allowed.allowed && isSameSession(context.ledger.state, request))
      return promptSession(context, control, request);
    if (!request.force) throw createOutOfOrderError(step, mode, allowed);
    await dispatchByForce(context, control, request, step);
  }
  return toWorkerView(context, requireWorker(context.ledger.state, toWorkerId(issue, mode)));
}

/**
 * Returns whether the request has a prompt for an existing session: a worker of this mode was
 * started before, and the request demands neither another session nor another environment.
 */
function isSameSession(state: LegionState, { issue, mode, prompt, version, env }: DispatchRequest): boolean {
  const known = state.workers.get(toWorkerId(issue, mode));
  if (known === undefined || known.pruned === true || prompt === undefined || env !== undefined) return false;
  return version === undefined || version === known.version;
}

function isActiveIn(state: LegionState, { issue, mode }: DispatchRequest): boolean {
  return findActiveWorker(state, issue)?.mode === mode;
}

/** Delivers the prompt to the running worker, or resumes its session with it. */
async function promptSession(
  context: DaemonContext,
  control: LoopControl,
  { issue, mode, prompt = '', by }: DispatchRequest,
): Promise<DispatchAnswer> {
  const id = toWorkerId(issue, mode);
  const { says } = await promptWorker(context, control, id, { text: prompt, by, interrupt: false });
  return { ...toWorkerView(context, requireWorker(context.ledger.state, id)), says };
}

async function dispatchByForce(
  context: StateContext & PortContext,
  control: LoopControl,
  request: DispatchRequest,
  step: IssuePlan,
): Promise<void> {
  const { issue, mode, by } = request;
  const order = buildStartOrder(context, request, 'start');
  const attempt = (context.ledger.state.workers.get(toWorkerId(issue, mode))?.attempt ?? 0) + 1;
  const text = `The ${mode} worker was dispatched by ${by} with --force. ${describeDue(step)}`;
  await context.tracker.comment(issue, `${issue}:forced:${mode}:${attempt}`, text);
  await startOutOfTurn(context, control, order, (state) => [buildForcedDecision(state, request, step)]);
}

/**
 * Builds the decision of a forced dispatch. In the history it looks like any other decision, except
 * that a person made it.
 */
function buildForcedDecision(
  state: LegionState,
  { issue, mode, by }: DispatchRequest,
  step: IssuePlan,
): EventBody {
  const { lastDecision } = state.issues.get(issue) ?? createIssueRecord(issue);
  const due = step.decisions.at(-1);
  return {
    type: 'decision.made',
    issue,
    decision: lastDecision + 1,
    action: DISPATCH_ACTIONS[mode],
    mode,
    reason: 'forced',
    evidence: [`by=${by}`, `due=${due?.action ?? 'nothing'}`, `due_reason=${due?.reason ?? 'none'}`],
  };
}

type DispatchPermission = ReturnType<DaemonContext['tracker']['mayDispatch']>;

const DISPATCH_ACTIONS: Readonly<Record<Mode, Action>> = {
  architect: 'dispatch_architect',
  plan: 'dispatch_planner',
  implement: 'dispatch_implementer',
  test: 'dispatch_tester',
  review: 'dispatch_reviewer',
  merge: 'dispatch_merger',
};

function buildStartOrder(
  context: StateContext,
  request: DispatchRequest,
  purpose: StartOrder['purpose'],
): StartOrder {
  const { issue, mode, prompt, env, by } = request;
  const known = context.ledger.state.workers.get(toWorkerId(issue, mode));
  return {
    issue,
    mode,
    purpose,
    version: request.version ?? computeNextSessionVersion(known),
    ...(prompt === undefined ? {} : { note: formatOperatorMessage(by, prompt) }),
    ...(env === undefined ? {} : { env }),
  };
}

function findSpawnCommand({ commands }: IssuePlan): Extract<Command, { kind: 'spawn' }> | undefined {
  return commands.map(({ command }) => command).find((command) => command.kind === 'spawn');
}

function createOutOfOrderError(
  step: IssuePlan,
  mode: Mode,
  { allowed, why }: DispatchPermission,
): LegionError {
  if (!allowed)
    return new LegionError(
      'worker.out_of_order',
      `Legion does not start workers for ${step.issue} on its own: ${why}`,
    );
  const last = step.decisions.at(-1);
  const due = last && { action: last.action, mode: last.mode, reason: last.reason };
  const message = `${step.issue}: ${mode} is not due. ${describeDue(step)}`;
  return new LegionError('worker.out_of_order', message, { due });
}

function describeDue({ decisions }: IssuePlan): string {
  const last = decisions.at(-1);
  if (last === undefined) return 'A step of the issue is being carried out right now.';
  const actions = decisions.map(({ action }) => action).join(', then ');
  return `Due: ${actions}. ${describeReason(last.reason)}`;
}

/**
 * Writes everything that the due step requires before its worker starts: the decisions, the rounds,
 * the move and the labels. All of these are due anyway, so if the worker does not start afterwards,
 * the loop continues from there.
 */
async function applyStepBeforeStart(
  context: StateContext & PortContext,
  step: IssuePlan,
  mode: Mode,
): Promise<void> {
  await context.ledger.append((state) => {
    // The loop may have begun the same step after it was evaluated here, and a round must not be
    // counted twice.
    refuseWhileTaken(state, step.issue, mode);
    if ((state.issues.get(step.issue)?.openIntents ?? 0) > 0)
      throw new LegionError('worker.out_of_order', `A step of ${step.issue} is being carried out right now.`);
    return assignSerials(state, step);
  });
  for (const { command } of step.commands) {
    if (command.kind !== 'write_issue') continue;
    const { issue, moveTo, add, remove, covers } = command;
    const labels = { add, remove };
    await context.tracker.write(issue, moveTo === undefined ? { labels } : { moveTo, labels });
    if (covers > 0) await context.ledger.append([{ type: 'labels.written', issue, revision: covers }]);
  }
}

/**
 * Numbers the events of the step now, because the state may have changed since the step was
 * computed.
 */
function assignSerials(state: LegionState, { issue, events }: IssuePlan): EventBody[] {
  const record = state.issues.get(issue) ?? createIssueRecord(issue);
  let { lastDecision: decision, generation, rounds } = record;
  return events.flatMap((event): EventBody[] => {
    switch (event.type) {
      case 'decision.made':
        decision += 1;
        return [{ ...event, decision }];
      case 'rounds.reset':
        generation += 1;
        rounds = {};
        return [{ ...event, generation }];
      case 'round.counted': {
        const count = (rounds[event.reason] ?? 0) + 1;
        rounds = { ...rounds, [event.reason]: count };
        return [{ ...event, generation, count }];
      }
      default:
        return [];
    }
  });
}

/**
 * Refuses variables that load code or set an identity. Also refuses secrets, because the journal
 * stores the start command. Called before an attempt is claimed.
 */
function refuseUnfitEnvironment(given: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(given)) {
    refuseLoader(name);
    const problem = findVariableProblem(name, value);
    if (problem !== undefined) throw new LegionError('input.invalid', `env[${quoteText(name)}]: ${problem}`);
  }
}

function refuseLoader(name: string): void {
  if (isRefusedVariable(name))
    throw new LegionError('worker.env_refused', `${name} cannot be set for a worker.`);
}
