/** Starts the daemon as a process of its own session and waits until it answers, or says why it does not. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync } from 'node:fs';
import { LegionError } from '../../../domain/fault.ts';
import type { DaemonFile } from '../../../protocol/daemon-file.ts';
import type { CommandContext } from '../../command.ts';
import { readDaemonFile } from '../../daemon-address.ts';
import { healthOf } from '../../health-of.ts';
import type { Place } from '../../place.ts';
import { waitFor } from '../../wait-for.ts';
import { type DaemonLog, openDaemonLog } from './log.ts';
import { foregroundCommand } from './same-legion.ts';
import { stopInterrupted } from './stop-interrupted.ts';

/** Ready takes half a second with a large journal; a first look at a board far away may take much longer. */
const READY_MS = 60_000;
const LOOK_EVERY_MS = 50;

export async function startInBackground(place: Place, context: CommandContext): Promise<DaemonFile> {
  context.signal.throwIfAborted();
  const log = openDaemonLog(place.state);
  const child = launched(place, log, context);
  try {
    return await ready(child, place, log, context);
  } catch (error) {
    if (context.signal.aborted) await stopInterrupted(child, place.resolved.config.legion, context);
    throw error;
  } finally {
    // From here on it lives by itself, whatever became of the waiting.
    child.unref();
  }
}

function launched(place: Place, log: DaemonLog, { cwd, env }: CommandContext): ChildProcess {
  const [program, ...args] = foregroundCommand(place);
  try {
    return spawn(program, args, {
      cwd,
      env,
      detached: true, // a session of its own: a closed terminal or Ctrl-C here does not reach it
      stdio: ['ignore', log.descriptor, log.descriptor],
    });
  } finally {
    closeSync(log.descriptor);
  }
}

async function ready(
  child: ChildProcess,
  place: Place,
  log: DaemonLog,
  { signal }: CommandContext,
): Promise<DaemonFile> {
  const { legion } = place.resolved.config;
  let ended: string | undefined;
  const exited = once(child, 'exit').then(
    ([code, name]) => {
      ended = code === null ? `was ended by ${name}` : `ended with exit code ${code}`;
    },
    (error: unknown) => {
      ended = `did not start: ${(error as Error).message}`;
    },
  );
  const found = await waitFor(
    async () => (ended === undefined ? answering(place, child.pid, signal) : 'ended'),
    { everyMs: LOOK_EVERY_MS, boundMs: READY_MS, signal },
  );
  if (found === 'ended') {
    await exited;
    throw new LegionError('daemon.start_failed', `the daemon of ${legion} ${ended}\n${log.end()}`);
  }
  if (found !== undefined) return found;
  const says = `the daemon of ${legion} (pid ${child.pid}) is not ready after ${READY_MS / 1_000} s and goes on trying`;
  throw new LegionError('daemon.start_failed', `${says}\n${log.end()}`);
}

/** It, and not one that was there before. */
async function answering(
  { state }: Place,
  pid: number | undefined,
  signal: AbortSignal,
): Promise<DaemonFile | undefined> {
  try {
    const file = readDaemonFile(state);
    if (file === undefined || file.pid !== pid) return undefined;
    return (await healthOf(state, signal)) === undefined ? undefined : file;
  } catch (error) {
    // Being written, or of a daemon before: the next look tells.
    if (error instanceof LegionError) return undefined;
    throw error;
  }
}
