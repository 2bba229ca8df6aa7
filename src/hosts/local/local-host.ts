/** The local host: this machine, with a directory of files per attempt. */
import { randomUUID } from 'node:crypto';
import { type FSWatcher, readFileSync, watch } from 'node:fs';
import { chmod, mkdir, readdir, realpath, rename, rm, rmdir, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { EnvironmentVariables } from '../../core/model/environment.ts';
import { readLegionId, type WorkerId } from '../../core/model/ids.ts';
import { unwrap } from '../../lib/result.ts';
import type { Host, ProcessIdentity } from '../../ports/host.ts';
import { type AdoptContext, adoptProcesses } from './adopt.ts';
import {
  deliverMessage,
  FOLDER_MODE,
  isPathPresent,
  readProcess,
  removeAbandoned,
  resolveAttemptFolder,
} from './attempt-folder.ts';
import { getErrno, withHostFaults } from './faults.ts';
import { observeProcess } from './observe.ts';
import { enforceOutputLimit, findLineNearEnd, OUTPUT_LIMIT_BYTES, readOutput } from './output.ts';
import {
  createProcessSurvey,
  createProcessTable,
  matchIdentity,
  type ProcessTable,
  parseMarker,
  toProcessIdentity,
} from './process-table.ts';
import { findSetsid } from './runner.ts';
import { signalProcess } from './signal.ts';
import { startProcess } from './start.ts';

export interface LocalHostOptions {
  /** Directory of the attempts, accessible to this user only. */
  readonly folder: string;
  readonly legion: string;
  /** The daemon's environment. A worker gets only the variables on an allow-list. */
  readonly environment: EnvironmentVariables;
  readonly outputLimitBytes?: number;
  /** Mount point of the proc file system. */
  readonly proc?: string;
}

/** Rejects with `host.unsupported` if workers could not be distinguished from other processes. */
export async function openLocalHost(options: LocalHostOptions): Promise<Host> {
  const { environment, outputLimitBytes = OUTPUT_LIMIT_BYTES, proc = '/proc' } = options;
  const legion = unwrap(readLegionId(options.legion));
  const table = createProcessTable(proc);
  const survey = createProcessSurvey(table);
  const state = await withHostFaults(options.folder, () => openFolder(options.folder));
  const context = {
    state,
    legion,
    environment,
    table,
    survey,
    outputLimitBytes,
    setsid: findSetsid(),
    ended: new Set<string>(),
  };

  /**
   * The marker contains worker and attempt. A marker of another form has no directory, and
   * therefore no record.
   */
  function getAttemptFolder({ marker }: ProcessIdentity): string {
    const { worker, attempt } = parseMarker(marker) ?? { worker: marker, attempt: 0 };
    return resolveAttemptFolder(state, worker, attempt);
  }

  return {
    name: 'local',
    start: (process) => withHostFaults(process.worker, () => startProcess(context, process)),
    adopt: (worker) => withHostFaults(state, () => adoptProcesses(context, worker)),
    observe: (process) => observeProcess(context, getAttemptFolder(process), process),
    output: (worker, attempt, offset, stream = 'out') =>
      readOutput(resolveAttemptFolder(state, worker, attempt), offset, stream, outputLimitBytes),
    findLineNearEnd: (worker, attempt, bytes, stream = 'out') =>
      findLineNearEnd(resolveAttemptFolder(state, worker, attempt), bytes, stream, outputLimitBytes),
    watch: (worker, attempt, changed) =>
      watchAttempt(table, resolveAttemptFolder(state, worker, attempt), outputLimitBytes, changed),
    deliver: (worker, attempt, name, text) =>
      withHostFaults(worker, () => deliverMessage(state, worker, attempt, name, text)),
    signal: (process, signal) => signalProcess(context, getAttemptFolder(process), process, signal),
    forget: (worker, upTo) => withHostFaults(worker, () => forgetAttempts(context, worker, upTo)),
    readCapacity: () => readHostCapacity(state, proc),
  };
}

async function openFolder(path: string): Promise<string> {
  await mkdir(path, { recursive: true, mode: FOLDER_MODE });
  await chmod(path, FOLDER_MODE);
  await removeAbandoned(path);
  return realpath(path);
}

/** Returns the disk and memory left for one more worker. */
async function readHostCapacity(state: string, proc: string): ReturnType<Host['readCapacity']> {
  try {
    const { bavail, bsize } = await statfs(state);
    // The kernel responds immediately; the thread pool would only add latency.
    const [, kilobytes] =
      /^MemAvailable:\s+(\d+) kB$/m.exec(readFileSync(join(proc, 'meminfo'), 'utf8')) ?? [];
    if (kilobytes === undefined) return 'unavailable';
    return { freeDiskBytes: bavail * bsize, freeMemoryBytes: Number(kilobytes) * 1024 };
  } catch {
    return 'unavailable';
  }
}

/** Removes attempts that ended long ago, so that the disk does not fill up and scans stay short. */
async function forgetAttempts(context: AdoptContext, worker: WorkerId, upTo: number): Promise<void> {
  const folder = dirname(resolveAttemptFolder(context.state, worker, 1));
  if (!(await isPathPresent(folder))) return;
  const running = new Set((await adoptProcesses(context, worker)).map(({ attempt }) => attempt));
  for (const name of await readdir(folder)) {
    const attempt = Number(name);
    // Skips entries that are not attempts.
    if (!Number.isInteger(attempt) || attempt > upTo || running.has(attempt)) continue;
    await discardAttemptFolder(context.state, join(folder, name));
    context.ended.delete(join(folder, name));
  }
  await rmdir(folder).catch((error: unknown) => {
    if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(getErrno(error))) throw error;
  });
}

/**
 * Renames the directory before deleting it, because a half-deleted directory would look like an
 * attempt with damaged records.
 */
async function discardAttemptFolder(state: string, path: string): Promise<void> {
  const trash = join(state, 'preparing', randomUUID());
  await mkdir(dirname(trash), { recursive: true, mode: FOLDER_MODE });
  await rename(path, trash);
  await rm(trash, { recursive: true, force: true });
}

/**
 * Two polls per second, so that the end of an attempt is seen within one second even if a poll is
 * late.
 */
const POLL_MS = 500;

/**
 * Minimum interval between checks. Limits the number of checks if a worker writes without pause.
 */
const HINT_MS = 20;

/**
 * Detects new output or the end of an attempt: immediately with file system events, otherwise
 * within a second.
 */
function watchAttempt(
  table: ProcessTable,
  folder: string,
  limitBytes: number,
  changed: () => void,
): () => void {
  let isStopped = false;
  let isChecking = false;
  let last: string | undefined;
  let hintTimer: NodeJS.Timeout | undefined;

  async function check(): Promise<void> {
    if (isChecking) return scheduleCheck(); // the change may have happened after the current check read the data
    isChecking = true;
    const fingerprint = await readAttemptFingerprint(table, folder, limitBytes);
    isChecking = false;
    if (isStopped || fingerprint === last) return;
    const isFirst = last === undefined;
    last = fingerprint;
    if (!isFirst) changed();
  }

  function scheduleCheck(): void {
    if (isStopped || hintTimer !== undefined) return;
    hintTimer = setTimeout(() => {
      hintTimer = undefined;
      void check();
    }, HINT_MS);
  }

  const poll = setInterval(() => void check(), POLL_MS);
  const watcher = watchFolder(folder, scheduleCheck);
  void check();

  return () => {
    isStopped = true;
    clearInterval(poll);
    clearTimeout(hintTimer);
    watcher?.close();
  };
}

/**
 * Returns undefined if the directory cannot be watched (it does not exist yet, or there are too
 * many watches); polling then suffices.
 */
function watchFolder(folder: string, hint: () => void): FSWatcher | undefined {
  try {
    const watcher = watch(folder, hint);
    watcher.on('error', () => watcher.close());
    return watcher;
  } catch {
    return undefined;
  }
}

/**
 * Summarises everything about an attempt that can change. An unreadable source is treated as
 * unchanged.
 */
async function readAttemptFingerprint(
  table: ProcessTable,
  folder: string,
  limitBytes: number,
): Promise<string> {
  try {
    const { bytes, overflowed } = await enforceOutputLimit(folder, limitBytes);
    const exit = await stat(join(folder, 'exit.json')).catch(() => undefined);
    const record = await readProcess(folder);
    // If the runner was killed, a worker's exit leaves no trace in any file, so the process itself
    // is checked.
    const match = record === undefined ? 'none' : matchIdentity(table, toProcessIdentity(record), record).is;
    return `${bytes} ${overflowed} ${exit?.mtimeMs} ${match}`;
  } catch {
    return 'unreadable';
  }
}
