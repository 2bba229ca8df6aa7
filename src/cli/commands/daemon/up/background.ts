/**
 * Starts the daemon as a separate process and waits until it answers, or reports why it does not.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, fstatSync, mkdirSync, openSync, readSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { LegionError } from '../../../../core/model/fault.ts';
import { parseJson } from '../../../../lib/json.ts';
import type { DaemonFile } from '../../../../protocol/state-files.ts';
import { readDaemonFile } from '../../../daemon-address.ts';
import { findDaemonHealth } from '../../../explain-not-running.ts';
import { getLauncher } from '../../../installation.ts';
import type { LegionLocation } from '../../../legion-location.ts';
import type { CommandContext } from '../../../program/define-command.ts';
import { waitFor } from '../../../wait-for.ts';

/**
 * Time limit for the start. A start with a large journal takes half a second, but the first read of
 * a remote board may take much longer.
 */
const MAX_READY_MS = 60_000;
const READY_POLL_MS = 50;

export async function startInBackground(
  location: LegionLocation,
  context: CommandContext,
): Promise<DaemonFile> {
  context.signal.throwIfAborted();
  const log = openDaemonLog(location.state);
  const child = spawnDaemon(location, log, context);
  try {
    return await waitUntilReady(child, location, log, context);
  } catch (error) {
    if (context.signal.aborted) await stopInterrupted(child, location.resolved.config.legion, context);
    throw error;
  } finally {
    // From here on the daemon runs independently of this process.
    child.unref();
  }
}

function spawnDaemon(location: LegionLocation, log: DaemonLog, { cwd, env }: CommandContext): ChildProcess {
  const [program, ...args] = buildForegroundCommand(location);
  try {
    return spawn(program, args, {
      cwd,
      env,
      detached: true, // own session, so that closing the terminal or pressing Ctrl-C does not end the daemon
      stdio: ['ignore', log.descriptor, log.descriptor],
    });
  } finally {
    closeSync(log.descriptor);
  }
}

async function waitUntilReady(
  child: ChildProcess,
  location: LegionLocation,
  log: DaemonLog,
  { signal }: CommandContext,
): Promise<DaemonFile> {
  const { legion } = location.resolved.config;
  let ended: string | undefined;
  const exited = once(child, 'exit').then(
    ([code, name]) => {
      ended = code === null ? `was killed by ${name}` : `exited with code ${code}`;
    },
    (error: unknown) => {
      ended = `did not start: ${(error as Error).message}`;
    },
  );
  const outcome = await waitFor(
    async () => (ended === undefined ? findAnsweringDaemon(location, child.pid, signal) : 'ended'),
    { everyMs: READY_POLL_MS, boundMs: MAX_READY_MS, signal },
  );
  if (outcome === 'ended') {
    await exited;
    throw new LegionError('daemon.start_failed', `The daemon of ${legion} ${ended}.\n${log.end()}`);
  }
  if (outcome !== undefined) return outcome;
  const message = `The daemon of ${legion} (pid ${child.pid}) is not ready after ${MAX_READY_MS / 1_000} s. It keeps trying in the background.`;
  throw new LegionError('daemon.start_failed', `${message}\n${log.end()}`);
}

/** Returns the address file of the new daemon. Ignores the file of a previous daemon. */
async function findAnsweringDaemon(
  { state }: LegionLocation,
  pid: number | undefined,
  signal: AbortSignal,
): Promise<DaemonFile | undefined> {
  try {
    const file = readDaemonFile(state);
    if (file === undefined || file.pid !== pid) return undefined;
    return (await findDaemonHealth(state, signal)) === undefined ? undefined : file;
  } catch (error) {
    // The file is still being written or belongs to a previous daemon, so the caller polls again.
    if (error instanceof LegionError) return undefined;
    throw error;
  }
}

const LOG_FILE = 'daemon.log';
/**
 * Maximum size of the log, which a busy legion reaches after a few weeks. A larger log is moved
 * aside at the next start, and only one old log is kept.
 */
const ROTATE_BYTES = 32 * 1_024 * 1_024;
/** Enough for an error with its stack. */
const END_BYTES = 4_096;
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

interface DaemonLog {
  readonly path: string;
  readonly descriptor: number;
  /** Returns the end of the text that was written since the log was opened, in readable form. */
  end(): string;
}

/** Opens `daemon.log` in the state directory for a background daemon. */
function openDaemonLog(state: string): DaemonLog {
  const path = join(state, LOG_FILE);
  try {
    mkdirSync(state, { recursive: true, mode: FOLDER_MODE });
    const before = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    if (before > ROTATE_BYTES) renameSync(path, `${path}.1`);
    const descriptor = openSync(path, 'a', FILE_MODE);
    const begin = fstatSync(descriptor).size;
    return { path, descriptor, end: () => readLogEnd(path, begin) };
  } catch (error) {
    throw new LegionError('daemon.state_unusable', `${path}: ${(error as Error).message}`, { cause: error });
  }
}

function readLogEnd(path: string, begin: number): string {
  const descriptor = openSync(path, 'r');
  try {
    const { size } = fstatSync(descriptor);
    const from = Math.max(begin, size - END_BYTES);
    const buffer = Buffer.alloc(Math.max(0, size - from));
    const length = readSync(descriptor, buffer, 0, buffer.length, from);
    const lines = buffer.toString('utf8', 0, length).split('\n');
    const text = lines.flatMap(toReadableLines).join('\n').trim();
    return text === '' ? `${path} contains no details.` : text;
  } finally {
    closeSync(descriptor);
  }
}

/**
 * The last log entry of every daemon. It is omitted from errors, because they already report that
 * the daemon exited.
 */
const ENDED_MESSAGE = 'ended';

/** Returns the message of a log entry. Returns any other line, such as a stack trace, unchanged. */
function toReadableLines(line: string): readonly string[] {
  const entry = parseJson(line);
  const isEntry = typeof entry === 'object' && entry !== null && 'msg' in entry;
  if (!isEntry) return [line];
  return entry.msg === ENDED_MESSAGE ? [] : [String(entry.msg)];
}

/** Long enough for a daemon that must finish opening its journal or board before it can exit. */
const STOP_MS = 10_000;

/**
 * Handles Ctrl-C during `legion up`: stops the daemon that the command started. If the daemon does
 * not stop in time, explains how to stop it. A person who interrupts the start wants no daemon, and
 * nothing uses the daemon yet.
 */
async function stopInterrupted(
  child: ChildProcess,
  legion: string,
  { stderr }: CommandContext,
): Promise<void> {
  if (child.pid === undefined) return;
  const ended = await stopChild(child);
  stderr.write(
    ended
      ? `Interrupted. The daemon of ${legion} (pid ${child.pid}) has been stopped.\n`
      : `Interrupted. The daemon of ${legion} (pid ${child.pid}) is still stopping. Run \`kill ${child.pid}\` to stop it.\n`,
  );
}

async function stopChild(child: ChildProcess): Promise<boolean> {
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  if (hasEnded()) return true;
  const exited = once(child, 'exit', { signal: AbortSignal.timeout(STOP_MS) });
  child.kill('SIGTERM');
  await exited.catch(() => undefined); // if the wait times out, `hasEnded` returns false
  return hasEnded();
}

/**
 * If the work is interrupted, reports that the daemon is still running. The daemon is not stopped,
 * because it is ready and may already be in use.
 */
export async function reportWhenInterrupted<T>(
  daemon: { readonly legion: string; readonly pid: number },
  { signal, stderr }: CommandContext,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (signal.aborted) stderr.write(`Interrupted. ${describeStillRunning(daemon)}\n`);
    throw error;
  }
}

export function describeStillRunning({
  legion,
  pid,
}: {
  readonly legion: string;
  readonly pid: number;
}): string {
  return `${legion} is still running (pid ${pid}). Run \`legion down --legion ${legion}\` to stop it.`;
}

/**
 * By default, V8 lets the space for new objects grow to 3 × 16 MB before it collects garbage. With
 * 3 × 2 MB, a daemon that has finished 60 issues takes 139 MB instead of 204 MB.
 */
const NODE_FLAGS = ['--max-semi-space-size=2'] as const;

/** Builds the command line that starts the same legion's daemon again, from any directory. */
export function buildForegroundCommand({
  file,
  flags,
}: LegionLocation): readonly [program: string, ...args: string[]] {
  const config = file.named ? [`--config=${file.path}`] : [];
  const [node, ...script] = getLauncher();
  return [
    node,
    ...NODE_FLAGS,
    ...script,
    'up',
    '--foreground',
    ...config,
    ...flags.map(({ name, text }) => `${name}=${text}`),
  ];
}
