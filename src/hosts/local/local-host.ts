/** The local host: this machine, with a folder of files for each attempt. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { chmod, mkdir, readdir, realpath, rename, rm, rmdir, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { WorkerId } from '../../core/model/ids.ts';
import { readLegionId } from '../../core/model/ids.ts';
import type { Environment } from '../../domain/environment.ts';
import { unwrap } from '../../lib/result.ts';
import type { Host, ProcessIdentity } from '../host.ts';
import { type AdoptContext, adoptProcesses } from './adopt.ts';
import { attemptFolder, exists, FOLDER_MODE, removeAbandoned } from './attempt-folder.ts';
import { deliverLetter } from './deliver.ts';
import { errnoOf, translated } from './faults.ts';
import { readMarker } from './marker.ts';
import { lineNearEnd } from './near-end.ts';
import { observeProcess } from './observe.ts';
import { readOutput } from './output.ts';
import { OUTPUT_LIMIT_BYTES } from './output-limit.ts';
import { processTable } from './process-table.ts';
import { findSetsid } from './runner.ts';
import { signalProcess } from './signal.ts';
import { startProcess } from './start.ts';
import { surveyor } from './survey.ts';
import { watchAttempt } from './watch.ts';

export interface LocalHostOptions {
  /** Where the attempts are kept; made for this user only. */
  readonly folder: string;
  readonly legion: string;
  /** The daemon's environment, of which a worker gets an allow-list. */
  readonly environment: Environment;
  readonly outputLimitBytes?: number;
  /** Where the proc file system is mounted. */
  readonly proc?: string;
}

/** Rejects with `host.unsupported` where workers could not be told apart from other processes. */
export async function openLocalHost(options: LocalHostOptions): Promise<Host> {
  const { environment, outputLimitBytes = OUTPUT_LIMIT_BYTES, proc = '/proc' } = options;
  const legion = unwrap(readLegionId(options.legion));
  const table = processTable(proc);
  const survey = surveyor(table);
  const state = await translated(options.folder, () => openFolder(options.folder));
  const context = {
    state,
    legion: legion,
    environment,
    table,
    survey,
    outputLimitBytes,
    setsid: findSetsid(),
    ended: new Set<string>(),
  };

  /** Its worker and attempt are in its marker; one of another form has no folder, and so no record. */
  function folderOf({ marker }: ProcessIdentity): string {
    const { worker, attempt } = readMarker(marker) ?? { worker: marker, attempt: 0 };
    return attemptFolder(state, worker, attempt);
  }

  return {
    name: 'local',
    start: (process) => translated(process.worker, () => startProcess(context, process)),
    adopt: (worker) => translated(state, () => adoptProcesses(context, worker)),
    observe: (process) => observeProcess(context, folderOf(process), process),
    output: (worker, attempt, offset, stream = 'out') =>
      readOutput(attemptFolder(state, worker, attempt), offset, stream, outputLimitBytes),
    lineNearEnd: (worker, attempt, bytes, stream = 'out') =>
      lineNearEnd(attemptFolder(state, worker, attempt), bytes, stream, outputLimitBytes),
    watch: (worker, attempt, changed) =>
      watchAttempt(table, attemptFolder(state, worker, attempt), outputLimitBytes, changed),
    deliver: (worker, attempt, name, text) =>
      translated(worker, () => deliverLetter(state, worker, attempt, name, text)),
    signal: (process, signal) => signalProcess(context, folderOf(process), process, signal),
    forget: (worker, upTo) => translated(worker, () => forgetAttempts(context, worker, upTo)),
    room: () => roomOn(state, proc),
  };
}

async function openFolder(path: string): Promise<string> {
  await mkdir(path, { recursive: true, mode: FOLDER_MODE });
  await chmod(path, FOLDER_MODE);
  await removeAbandoned(path);
  return realpath(path);
}

/** How much disk and memory is left for one more worker. */
async function roomOn(state: string, proc: string): ReturnType<Host['room']> {
  try {
    const { bavail, bsize } = await statfs(state);
    // The kernel answers at once; a thread of the pool would only add its own latency.
    const [, kilobytes] =
      /^MemAvailable:\s+(\d+) kB$/m.exec(readFileSync(join(proc, 'meminfo'), 'utf8')) ?? [];
    if (kilobytes === undefined) return 'unavailable';
    return { freeDiskBytes: bavail * bsize, freeMemoryBytes: Number(kilobytes) * 1024 };
  } catch {
    return 'unavailable';
  }
}

/** Removes what is kept of attempts that are long over, so that neither the disk nor the looking fills up with them. */
async function forgetAttempts(context: AdoptContext, worker: WorkerId, upTo: number): Promise<void> {
  const folder = dirname(attemptFolder(context.state, worker, 1));
  if (!(await exists(folder))) return;
  const running = new Set((await adoptProcesses(context, worker)).map(({ attempt }) => attempt));
  for (const name of await readdir(folder)) {
    const attempt = Number(name);
    // Whatever else lies there is not ours to remove.
    if (!Number.isInteger(attempt) || attempt > upTo || running.has(attempt)) continue;
    await discard(context.state, join(folder, name));
    context.ended.delete(join(folder, name));
  }
  await rmdir(folder).catch((error: unknown) => {
    if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(errnoOf(error))) throw error;
  });
}

/** Out of sight in one step: half a folder would look like an attempt whose records are damaged. */
async function discard(state: string, path: string): Promise<void> {
  const trash = join(state, 'preparing', randomUUID());
  await mkdir(dirname(trash), { recursive: true, mode: FOLDER_MODE });
  await rename(path, trash);
  await rm(trash, { recursive: true, force: true });
}
