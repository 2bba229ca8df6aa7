/**
 * Starts the worker of a claimed attempt: prepares its workspace, builds its prompt and starts its
 * process.
 */
import type { Command } from '../../core/model/command.ts';
import { LegionError } from '../../core/model/fault.ts';
import { toWorkerId, type WorkerId } from '../../core/model/ids.ts';
import { toLifecycleState } from '../../core/model/lifecycle.ts';
import type { Phase } from '../../core/model/mode.ts';
import { resolvePhase } from '../../core/model/status.ts';
import type { FoundProcess, NewProcess, ProcessIdentity } from '../../ports/host.ts';
import type { Workspace } from '../../ports/workspace.ts';
import { MESSAGES_VARIABLE } from '../../protocol/worker-message.ts';
import type { DaemonContext, PortContext, StateContext, WorkerContext } from '../context/daemon-context.ts';
import { describeBaseComparison, describeChangesSinceLastCheck } from '../prompts/describe-changes.ts';
import { describeWorkspaceKind, toBaseName } from '../prompts/jj-workspace.ts';
import { buildPrompt } from '../prompts/prompt.ts';
import { collectPromptContext } from '../prompts/prompt-context.ts';
import { listQueuedMessages } from '../prompts/worker-messages.ts';
import {
  makeScratchFolder,
  type PreparedWorkspace,
  prepareWorkspace,
} from '../repositories/prepared-workspace.ts';
import { stopProcess } from '../supervisor/stop-process.ts';
import { createDoneOutcome, createSupersededOutcome, type IntentOutcome } from './outcome.ts';

export type SpawnCommand = Extract<Command, { kind: 'spawn' }>;

/**
 * Starts the process of a claimed attempt. Idempotent: if the process was already started, the host
 * finds it and does not start another.
 */
export async function spawnAttempt(
  context: DaemonContext,
  command: SpawnCommand,
  signal: AbortSignal,
  prepared?: Promise<PreparedWorkspace>,
): Promise<IntentOutcome> {
  if (!isStartWanted(context, command))
    return createSupersededOutcome('the attempt is over or already running');
  try {
    return await startProcess(context, command, signal, prepared);
  } catch (error) {
    // An earlier call may have started the process but failed to journal the start. An attempt
    // whose process is running must not be recorded as failed to start.
    const running = await findRunningProcess(context, command);
    if (running === undefined) throw error;
    return createSpawnedOutcome(command, running, 'was already running', []);
  }
}

/**
 * Prepares the workspace while earlier commands are still writing the issue to the tracker. This is
 * safe, because the spawn intent is already durable. Returns undefined if the attempt is over or
 * already running.
 */
export function prepareAhead(
  context: DaemonContext,
  command: SpawnCommand,
  signal: AbortSignal,
): Promise<PreparedWorkspace> | undefined {
  if (!isStartWanted(context, command)) return undefined;
  const prepared = prepareStart(context, command, signal);
  // The start awaits this promise and handles a failure. If the start is cancelled, nothing awaits
  // the promise, so the rejection is caught here.
  prepared.catch(() => undefined);
  return prepared;
}

async function prepareStart(
  context: DaemonContext,
  command: SpawnCommand,
  signal: AbortSignal,
): Promise<PreparedWorkspace> {
  const { issue, mode, attempt } = command;
  const worker = toWorkerId(issue, mode);
  await Promise.all([refuseWithoutRoom(context), stopPreviousAttempts(context, worker, attempt, signal)]);
  return prepareWorkspace(context, issue, signal);
}

async function startProcess(
  context: DaemonContext,
  command: SpawnCommand,
  signal: AbortSignal,
  prepared?: Promise<PreparedWorkspace>,
): Promise<IntentOutcome> {
  const { issue, mode, attempt } = command;
  const worker = toWorkerId(issue, mode);
  const { workspace, baseComparison } = await (prepared ?? prepareStart(context, command, signal));
  makeScratchFolder(workspace.path);
  const messages = listQueuedMessages(context.ledger.state, command).map(([message]) => message);
  const launch = await prepareLaunch(context, command, { workspace, baseComparison }, signal);
  // Preparing takes time, even minutes if there is a setup command. A worker that was stopped in
  // the meantime must not start.
  if (!isStartWanted(context, command)) return createSupersededOutcome('it was stopped before it started');
  const process = await context.host.start({ worker, attempt, cwd: workspace.path, ...launch });
  if (isAttemptStopped(context, command)) await stopAtOnce(context, process, signal);
  return createSpawnedOutcome(command, process, `in ${workspace.path}`, messages);
}

function createSpawnedOutcome(
  { issue, mode, attempt }: SpawnCommand,
  { pid, startTime, marker }: ProcessIdentity,
  where: string,
  messages: readonly number[],
): IntentOutcome {
  return createDoneOutcome(`pid ${pid} ${where}`, () => [
    { type: 'attempt.spawned', issue, mode, attempt, pid, startTime, marker },
    ...messages.map((message) => ({ type: 'message.delivered', message }) as const),
  ]);
}

/**
 * Returns the process of the attempt if it is running. Rejects with `host.unavailable` if the host
 * cannot tell; the caller must then assume nothing about the attempt.
 */
async function findRunningProcess(
  { host }: PortContext,
  { issue, mode, attempt }: SpawnCommand,
): Promise<ProcessIdentity | undefined> {
  const worker = toWorkerId(issue, mode);
  const found = await host.adopt(worker).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    throw new LegionError('host.unavailable', `Cannot determine whether ${worker} is running: ${why}`, {
      cause: error,
    });
  });
  return found.find((process) => process.attempt === attempt && process.role === 'agent');
}

/** Since the claim, a person may have stopped the worker, or its issue may have left the board. */
function isStartWanted({ ledger }: StateContext, { issue, mode, attempt }: SpawnCommand): boolean {
  const worker = ledger.state.workers.get(toWorkerId(issue, mode));
  return (
    worker?.attempt === attempt &&
    worker.process === undefined &&
    toLifecycleState(worker.facts) === 'spawned'
  );
}

function isAttemptStopped({ ledger }: StateContext, { issue, mode, attempt }: SpawnCommand): boolean {
  const worker = ledger.state.workers.get(toWorkerId(issue, mode));
  return worker?.attempt !== attempt || toLifecycleState(worker.facts) === 'stopped';
}

/**
 * Ends a process whose worker was stopped while the process was starting, too early for the stop to
 * find it. The worker has done nothing yet, so it needs no grace period.
 */
async function stopAtOnce(
  context: StateContext & PortContext,
  process: ProcessIdentity,
  signal: AbortSignal,
): Promise<void> {
  // SIGTERM is sent before the stop ladder begins, because a daemon that is shutting down does not
  // begin any more ladders.
  await context.host.signal(process, 'TERM');
  await stopProcess(context, process, 'pointless', signal);
}

/**
 * Throws if too little disk or memory is free for a worker. Unreadable values do not block the
 * start.
 */
async function refuseWithoutRoom({ host, settings }: StateContext & PortContext): Promise<void> {
  const { diskBytes, memoryBytes } = settings().requiredResources;
  const capacity = await host.readCapacity();
  if (capacity === 'unavailable') return;
  if (capacity.freeDiskBytes < diskBytes)
    throw new LegionError(
      'worker.no_capacity',
      `Only ${capacity.freeDiskBytes} bytes of disk space are free. A worker needs ${diskBytes}.`,
    );
  if (capacity.freeMemoryBytes < memoryBytes)
    throw new LegionError(
      'worker.no_capacity',
      `Only ${capacity.freeMemoryBytes} bytes of memory are free. A worker needs ${memoryBytes}.`,
    );
}

/**
 * Stops the remaining processes of previous attempts, because two attempts of one worker must not
 * run at once. These attempts are over (reported, waiting or found dead), so no healthy worker is
 * stopped. Rejects with `host.unavailable` if a process could not be ended: the signal may not have
 * reached it, and it may still be running.
 */
async function stopPreviousAttempts(
  context: StateContext & PortContext,
  worker: WorkerId,
  attempt: number,
  signal: AbortSignal,
): Promise<void> {
  if (attempt === 1) return;
  const earlier = await findPreviousProcesses(context, worker, attempt);
  if (earlier.length === 0) return;
  const asked = { at: context.clock.now() };
  for (const process of earlier) await stopProcess(context, process, asked, signal);
  const [left] = await findPreviousProcesses(context, worker, attempt);
  if (left !== undefined)
    throw new LegionError(
      'host.unavailable',
      `The process of attempt ${left.attempt} of ${worker} could not be ended.`,
    );
}

async function findPreviousProcesses(
  { host }: PortContext,
  worker: WorkerId,
  attempt: number,
): Promise<FoundProcess[]> {
  const found = await host.adopt(worker);
  return found.filter((each) => each.attempt < attempt && each.role !== 'escaped');
}

/** Describes an attempt's process: a new or resumed session, its prompt and its environment. */
async function prepareLaunch(
  context: DaemonContext,
  command: SpawnCommand,
  { workspace, baseComparison }: PreparedWorkspace,
  signal: AbortSignal,
): Promise<Pick<NewProcess, 'argv' | 'env' | 'stdin' | 'messagesVariable'>> {
  const { issue: id, mode } = command;
  const issue = await context.tracker.read(id, signal);
  if (issue === undefined) throw new LegionError('tracker.issue_unknown', `${id} is no longer on the board.`);
  const phase = resolvePhase(mode, issue.column, context.settings().columns);
  const repository = context.repositories.require(id);
  const { name, base } = repository;
  const { kind } = context.workspaces;
  const baseRef = toBaseName(kind, base, repository.baseRef);
  const [commands, instructions, templates, changesSinceLastCheck, promptContext] = await Promise.all([
    repository.promptCommands(),
    repository.instructions(phase),
    repository.prompts(),
    describeChangesSinceLastCheck(context, command, signal),
    collectPromptContext(context, command, signal),
  ]);
  const prompt = buildPrompt({
    ...command,
    calledFor: context.ledger.state.workers.get(toWorkerId(id, mode))?.purpose ?? command.purpose,
    issue,
    phase,
    tracker: context.tracker.kind,
    repository: name,
    base,
    baseRef,
    commands,
    workspace: workspace.path,
    notes: [
      describeWorkspaceKind(kind, baseRef),
      describeBaseComparison(baseComparison),
      changesSinceLastCheck,
    ],
    ...promptContext,
    retroPaths: context.policyOf(id).retroPaths,
    instructions,
    templates,
  });
  const [launch, own] = await Promise.all([
    buildAgentLaunch(context, command, workspace, prompt),
    buildAttemptEnvironment(context, command, phase),
  ]);
  const env = { ...launch.env, ...context.workspaces.buildWorkerEnvironment(own), ...own, ...command.env };
  return { ...launch, env, messagesVariable: MESSAGES_VARIABLE };
}

/** Resumes the session if it exists. Otherwise starts a new session with the same prompt. */
async function buildAgentLaunch(
  context: StateContext & WorkerContext,
  command: SpawnCommand,
  workspace: Workspace,
  prompt: string,
) {
  const { agent, use } = context.agentOf(command);
  const record = context.ledger.state.workers.get(toWorkerId(command.issue, command.mode));
  const session = record?.session ?? '';
  const start = { prompt, workspace: workspace.path, ...use };
  const trace = await agent.session(session, record?.native, workspace.path);
  const known = trace === 'unavailable' ? command.attempt > 1 : trace !== 'missing';
  return known ? agent.resume(session, record?.native, start) : agent.launch(session, start);
}

/** Builds the variables described in `protocol/worker-environment.ts`. */
export async function buildAttemptEnvironment(
  context: WorkerContext,
  command: SpawnCommand,
  phase: Phase,
): Promise<Record<string, string>> {
  const { issue, mode, attempt, purpose } = command;
  const worker = toWorkerId(issue, mode);
  return {
    ...(await context.environmentFor(command)),
    LEGION_WORKER: worker,
    LEGION_ISSUE: issue,
    LEGION_MODE: mode,
    LEGION_PHASE: phase,
    LEGION_PURPOSE: purpose,
    LEGION_ATTEMPT: String(attempt),
    LEGION_WORKER_TOKEN: context.tokens.createToken({ issue, mode, attempt }),
    LEGION_STATE: context.folders.state,
    LEGION_SOCKET: context.folders.socket,
    LEGION_OUTBOX: context.folders.outbox(worker, attempt),
  };
}
