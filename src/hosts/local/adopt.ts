/**
 * After a restart, finds the surviving processes of this legion by their marker, without depending
 * on any other record.
 */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { toFolderName, type WorkerId } from '../../core/model/ids.ts';
import type { FoundProcess } from '../../ports/host.ts';
import {
  type ProcessRecord,
  readExitStatus,
  readProcess,
  readStart,
  resolveAttemptFolder,
} from './attempt-folder.ts';
import { getErrno } from './faults.ts';
import {
  matchIdentity,
  type ProcessSurvey,
  type ProcessTable,
  parseMarker,
  type SurveyedProcess,
  toProcessIdentity,
  toStartTime,
} from './process-table.ts';

export interface AdoptContext {
  readonly state: string;
  readonly legion: string;
  readonly table: ProcessTable;
  readonly survey: ProcessSurvey;
  /**
   * Attempts whose exit is recorded. They are not checked again, because their number keeps
   * growing.
   */
  readonly ended: Set<string>;
}

export async function adoptProcesses(
  context: AdoptContext,
  only?: WorkerId,
): Promise<readonly FoundProcess[]> {
  const marked: FoundProcess[] = [];
  for (const process of await context.survey.scanNow()) {
    const adopted = await findByMarker(context, process, only);
    if (adopted !== undefined) marked.push(adopted);
  }
  const pids = new Set(marked.map(({ pid }) => pid));
  const recorded = await findByRecord(context, only);
  return [...marked, ...recorded.filter(({ pid }) => !pids.has(pid))];
}

async function findByMarker(
  { state, legion, table }: AdoptContext,
  process: SurveyedProcess,
  only: WorkerId | undefined,
): Promise<FoundProcess | undefined> {
  const { pid, marker } = process;
  if (marker === undefined) return undefined;
  const { legion: owner, worker, attempt } = parseMarker(marker) ?? {};
  if (owner !== legion || worker === undefined || attempt === undefined) return undefined;
  if (only !== undefined && worker !== only) return undefined;
  const folder = resolveAttemptFolder(state, worker, attempt);
  if (!(await isOwnMarker(folder, marker))) return undefined;
  const role = judgeRole(process, await tryReadProcess(folder), table.bootId);
  return { pid, startTime: toStartTime(table.bootId, process.ticks), marker, worker, attempt, role };
}

/**
 * Rejects a marker that none of our attempts has: it is an imitation or belongs to another state
 * directory.
 */
async function isOwnMarker(folder: string, marker: string): Promise<boolean> {
  try {
    return (await readStart(folder))?.marker === marker;
  } catch {
    // The attempt's start record is unreadable, but the marker belongs to this attempt. Treat the
    // process as ours, so that the attempt cannot be started twice. The identity of the process is
    // still checked before each signal.
    return true;
  }
}

/**
 * Uses records to find processes without a visible marker: they have not yet executed their
 * program, or they have wiped their environment.
 */
async function findByRecord(
  { state, table, ended }: AdoptContext,
  only: WorkerId | undefined,
): Promise<readonly FoundProcess[]> {
  const processes: FoundProcess[] = [];
  for (const folder of await listAttemptFolders(state, only)) {
    if (ended.has(folder)) continue;
    if (await isEndWritten(folder)) {
      ended.add(folder);
      continue;
    }
    const record = await tryReadProcess(folder);
    const { worker, attempt } = parseMarker(record?.marker ?? '') ?? {};
    if (record === undefined || worker === undefined || attempt === undefined) continue;
    const identity = toProcessIdentity(record);
    if (matchIdentity(table, identity, record).is !== 'ours') continue;
    processes.push({ ...identity, worker, attempt, role: 'agent' });
  }
  return processes;
}

async function listAttemptFolders(state: string, only: WorkerId | undefined): Promise<readonly string[]> {
  const attempts = join(state, 'attempts');
  const folders: string[] = [];
  for (const worker of only === undefined ? await listEntries(attempts) : [toFolderName(only)]) {
    for (const attempt of await listEntries(join(attempts, worker)))
      folders.push(join(attempts, worker, attempt));
  }
  return folders;
}

/** If the record of an attempt cannot be read, the attempt is treated as not ended. */
async function isEndWritten(folder: string): Promise<boolean> {
  return readExitStatus(folder).then(
    (status) => status !== undefined,
    () => false,
  );
}

/**
 * Returns no entries if the path is a file instead of a directory. Such a file contains no record
 * and must not prevent the adoption of other attempts.
 */
async function listEntries(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(getErrno(error))) return [];
    throw error;
  }
}

/**
 * Returns undefined for a damaged record, so that it does not prevent the adoption of other
 * attempts. The process is still found by its marker.
 */
async function tryReadProcess(folder: string): Promise<ProcessRecord | undefined> {
  return readProcess(folder).catch(() => undefined);
}

function judgeRole(
  process: SurveyedProcess,
  record: ProcessRecord | undefined,
  bootId: string,
): FoundProcess['role'] {
  const isLeader = process.pid === process.session;
  // Without a record, a session leader may be the agent itself or a process that escaped from it.
  // Treating it as the agent ensures that it is not overlooked.
  if (record === undefined) return isLeader ? 'agent' : 'group';
  if (record.pid === process.pid && record.ticks === process.ticks && record.bootId === bootId)
    return 'agent';
  return process.group === record.pid ? 'group' : 'escaped';
}
