/** Starts the daemon as a process of its own session and waits until it answers, or says why it does not. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, fstatSync, mkdirSync, openSync, readSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { LegionError } from '../../../core/model/fault.ts';
import { parseJson } from '../../../lib/json.ts';
import type { DaemonFile } from '../../../protocol/daemon-file.ts';
import type { CommandContext } from '../../command.ts';
import { readDaemonFile } from '../../daemon-address.ts';
import { healthOf } from '../../health-of.ts';
import type { Place } from '../../legion-location.ts';
import { waitFor } from '../../wait-for.ts';
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

const FILE = 'daemon.log';
/** Some weeks of a busy legion; at the next start an older one of this size is put aside, and only one is kept. */
const ROTATE_BYTES = 32 * 1_024 * 1_024;
/** Enough for a reason with its stack. */
const END_BYTES = 4_096;
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

interface DaemonLog {
  readonly path: string;
  readonly descriptor: number;
  /** The end of what was written since it was opened, as text for people. */
  end(): string;
}

/** Opens `daemon.log` in the state folder, which a daemon in the background writes. */
function openDaemonLog(state: string): DaemonLog {
  const path = join(state, FILE);
  try {
    mkdirSync(state, { recursive: true, mode: FOLDER_MODE });
    const before = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    if (before > ROTATE_BYTES) renameSync(path, `${path}.1`);
    const descriptor = openSync(path, 'a', FILE_MODE);
    const begin = fstatSync(descriptor).size;
    return { path, descriptor, end: () => endOf(path, begin) };
  } catch (error) {
    throw new LegionError('daemon.state_unusable', `${path}: ${(error as Error).message}`, { cause: error });
  }
}

function endOf(path: string, begin: number): string {
  const descriptor = openSync(path, 'r');
  try {
    const { size } = fstatSync(descriptor);
    const from = Math.max(begin, size - END_BYTES);
    const buffer = Buffer.alloc(Math.max(0, size - from));
    const length = readSync(descriptor, buffer, 0, buffer.length, from);
    const lines = buffer.toString('utf8', 0, length).split('\n');
    const text = lines.flatMap(toReadableLines).join('\n').trim();
    return text === '' ? `${path} has nothing about it` : text;
  } finally {
    closeSync(descriptor);
  }
}

/** The last entry of every daemon; that it ended is known. */
const ENDED = 'ended';

/** The message of a log entry; any other line, such as an error with its stack, as it is. */
function toReadableLines(line: string): readonly string[] {
  const entry = parseJson(line);
  const isEntry = typeof entry === 'object' && entry !== null && 'msg' in entry;
  if (!isEntry) return [line];
  return entry.msg === ENDED ? [] : [String(entry.msg)];
}
