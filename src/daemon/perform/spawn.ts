/** Starts the worker of an attempt that is already claimed: its workspace, its prompt, its process. */
import type { Command } from '../../core/model/command.ts';
import { LegionError } from '../../core/model/fault.ts';
import { type WorkerId, workerId } from '../../core/model/ids.ts';
import { lifecycleOf } from '../../domain/lifecycle.ts';
import type { FoundProcess, ProcessIdentity } from '../../hosts/host.ts';
import { messagesFor } from '../prompt/told.ts';
import { endProcess } from '../supervise/end-process.ts';
import type { World } from '../world.ts';
import { launchOf } from './launch.ts';
import { done, type Outcome, superseded } from './outcome.ts';
import { type PreparedWorkspace, preparedWorkspace } from './prepared-workspace.ts';
import { makeScratchFolder } from './scratch-folder.ts';

export type Spawn = Extract<Command, { kind: 'spawn' }>;

/** Idempotent: the host finds the process of an attempt it has started before. */
export async function spawn(
  world: World,
  command: Spawn,
  signal: AbortSignal,
  prepared?: Promise<PreparedWorkspace>,
): Promise<Outcome> {
  if (!isWanted(world, command)) return superseded('the attempt is over or already runs');
  try {
    return await begin(world, command, signal, prepared);
  } catch (error) {
    // An earlier call may have started it and then failed to write that down: what runs has not failed to start.
    const running = await runningAlready(world, command);
    if (running === undefined) throw error;
    return spawned(command, running, 'it ran already', []);
  }
}

/**
 * Makes everything ready that does not depend on the board, so that it can begin while the issue is still being written there:
 * its intent is durable by then. Undefined where the attempt is over or already runs.
 */
export function prepareAhead(
  world: World,
  command: Spawn,
  signal: AbortSignal,
): Promise<PreparedWorkspace> | undefined {
  if (!isWanted(world, command)) return undefined;
  const prepared = prepare(world, command, signal);
  // Whoever starts the worker hears of a failure; nobody does where the start is called off.
  prepared.catch(() => undefined);
  return prepared;
}

async function prepare(world: World, command: Spawn, signal: AbortSignal): Promise<PreparedWorkspace> {
  const { issue, mode, attempt } = command;
  const worker = workerId(issue, mode);
  await Promise.all([refuseWithoutRoom(world), endEarlierLives(world, worker, attempt, signal)]);
  return preparedWorkspace(world, issue, signal);
}

async function begin(
  world: World,
  command: Spawn,
  signal: AbortSignal,
  prepared?: Promise<PreparedWorkspace>,
): Promise<Outcome> {
  const { issue, mode, attempt } = command;
  const worker = workerId(issue, mode);
  const { workspace, standing } = await (prepared ?? prepare(world, command, signal));
  makeScratchFolder(workspace.path);
  const messages = messagesFor(world.ledger.swarm, command).map(([message]) => message);
  const launch = await launchOf(world, command, { workspace, standing }, signal);
  // Preparing takes time, a setup minutes of it: whoever was stopped meanwhile must not be started.
  if (!isWanted(world, command)) return superseded('it was stopped before it was started');
  const process = await world.host.start({ worker, attempt, cwd: workspace.path, ...launch });
  if (wasStopped(world, command)) await endAtOnce(world, process, signal);
  return spawned(command, process, `in ${workspace.path}`, messages);
}

function spawned(
  { issue, mode, attempt }: Spawn,
  { pid, startTime, marker }: ProcessIdentity,
  where: string,
  messages: readonly number[],
): Outcome {
  return done(`pid ${pid} ${where}`, () => [
    { type: 'attempt.spawned', issue, mode, attempt, pid, startTime, marker },
    ...messages.map((message) => ({ type: 'message.delivered', message }) as const),
  ]);
}

/** Rejects with `host.unavailable` where that cannot be known: then nothing may be concluded about the attempt. */
async function runningAlready(
  { host }: World,
  { issue, mode, attempt }: Spawn,
): Promise<ProcessIdentity | undefined> {
  const worker = workerId(issue, mode);
  const found = await host.adopt(worker).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    throw new LegionError('host.unavailable', `whether ${worker} runs cannot be seen: ${why}`, {
      cause: error,
    });
  });
  return found.find((process) => process.attempt === attempt && process.role === 'agent');
}

/** A person may have stopped it, or its issue may have gone, between the claim and now. */
function isWanted({ ledger }: World, { issue, mode, attempt }: Spawn): boolean {
  const worker = ledger.swarm.workers.get(workerId(issue, mode));
  return (
    worker?.attempt === attempt && worker.process === undefined && lifecycleOf(worker.facts) === 'spawned'
  );
}

function wasStopped({ ledger }: World, { issue, mode, attempt }: Spawn): boolean {
  const worker = ledger.swarm.workers.get(workerId(issue, mode));
  return worker?.attempt !== attempt || lifecycleOf(worker.facts) === 'stopped';
}

/** A stop that came while it was being started has found no process to end. It has done nothing yet, so no grace is needed. */
async function endAtOnce(world: World, process: ProcessIdentity, signal: AbortSignal): Promise<void> {
  // Before the ladder, which a daemon that is told to end itself does not begin any more.
  await world.host.signal(process, 'TERM');
  await endProcess(world, process, 'pointless', signal);
}

/** Disk and memory are conditions of a dispatch; what cannot be read forbids nothing. */
async function refuseWithoutRoom({ host, settings }: World): Promise<void> {
  const { diskBytes, memoryBytes } = settings().room;
  const room = await host.room();
  if (room === 'unavailable') return;
  if (room.freeDiskBytes < diskBytes)
    throw new LegionError(
      'worker.no_capacity',
      `only ${room.freeDiskBytes} bytes of disk are free, ${diskBytes} are asked for`,
    );
  if (room.freeMemoryBytes < memoryBytes)
    throw new LegionError(
      'worker.no_capacity',
      `only ${room.freeMemoryBytes} bytes of memory are free, ${memoryBytes} are asked for`,
    );
}

/**
 * Two lives of one worker must not work at once: what an earlier one has left is asked to leave, and then made to.
 * Its attempt is over, so nobody healthy is stopped here: it has reported, asked, or was found dead. Rejects with
 * `host.unavailable` where one could not be ended: no signal may have reached it, and it may still be at work.
 */
async function endEarlierLives(
  world: World,
  worker: WorkerId,
  attempt: number,
  signal: AbortSignal,
): Promise<void> {
  if (attempt === 1) return;
  const earlier = await livesBefore(world, worker, attempt);
  if (earlier.length === 0) return;
  const asked = { at: world.clock.now() };
  for (const process of earlier) await endProcess(world, process, asked, signal);
  const [left] = await livesBefore(world, worker, attempt);
  if (left !== undefined)
    throw new LegionError('host.unavailable', `attempt ${left.attempt} of ${worker} could not be ended`);
}

async function livesBefore({ host }: World, worker: WorkerId, attempt: number): Promise<FoundProcess[]> {
  const found = await host.adopt(worker);
  return found.filter((each) => each.attempt < attempt && each.role !== 'escaped');
}
