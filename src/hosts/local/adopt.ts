/** Finds what is still there of this legion after a restart: by marker, so that nothing else need have been written. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { folderName, type WorkerId } from '../../core/model/ids.ts';
import type { FoundProcess } from '../host.ts';
import { attemptFolder } from './attempt-folder.ts';
import { errnoOf } from './faults.ts';
import { identityOf, matchIdentity } from './identity.ts';
import { readMarker } from './marker.ts';
import { type ProcessTable, startTimeOf } from './process-table.ts';
import { type ProcessRecord, readExitStatus, readProcess, readStart } from './records.ts';
import type { Survey, SurveyedProcess } from './survey.ts';

export interface AdoptContext {
  readonly state: string;
  readonly legion: string;
  readonly table: ProcessTable;
  readonly survey: Survey;
  /** Attempts whose end is written down, and so need no further look: there are ever more of them. */
  readonly ended: Set<string>;
}

export async function adoptProcesses(
  context: AdoptContext,
  only?: WorkerId,
): Promise<readonly FoundProcess[]> {
  const marked: FoundProcess[] = [];
  for (const process of await context.survey.fresh()) {
    const found = await byMarker(context, process, only);
    if (found !== undefined) marked.push(found);
  }
  const pids = new Set(marked.map(({ pid }) => pid));
  const recorded = await byRecord(context, only);
  return [...marked, ...recorded.filter(({ pid }) => !pids.has(pid))];
}

async function byMarker(
  { state, legion, table }: AdoptContext,
  process: SurveyedProcess,
  only: WorkerId | undefined,
): Promise<FoundProcess | undefined> {
  const { pid, marker } = process;
  if (marker === undefined) return undefined;
  const { legion: theirs, worker, attempt } = readMarker(marker) ?? {};
  if (theirs !== legion || worker === undefined || attempt === undefined) return undefined;
  if (only !== undefined && worker !== only) return undefined;
  const folder = attemptFolder(state, worker, attempt);
  if (!(await isGiven(folder, marker))) return undefined;
  const role = roleOf(process, await undamaged(folder), table.bootId);
  return { pid, startTime: startTimeOf(table.bootId, process.ticks), marker, worker, attempt, role };
}

/** A marker that no attempt of ours was given is somebody's imitation, or of another state folder. */
async function isGiven(folder: string, marker: string): Promise<boolean> {
  try {
    return (await readStart(folder))?.marker === marker;
  } catch {
    // What was given cannot be read any more. It names this very attempt: not overlooked, it cannot be started a second time
    // beside itself, and before each signal its identity is checked all the same.
    return true;
  }
}

/** A process that has not executed its program yet, or has wiped its environment, shows no marker but has its record. */
async function byRecord(
  { state, table, ended }: AdoptContext,
  only: WorkerId | undefined,
): Promise<readonly FoundProcess[]> {
  const found: FoundProcess[] = [];
  for (const folder of await attemptFolders(state, only)) {
    if (ended.has(folder)) continue;
    if (await isEndWritten(folder)) {
      ended.add(folder);
      continue;
    }
    const record = await undamaged(folder);
    const { worker, attempt } = readMarker(record?.marker ?? '') ?? {};
    if (record === undefined || worker === undefined || attempt === undefined) continue;
    const identity = identityOf(record);
    if (matchIdentity(table, identity, record).is !== 'ours') continue;
    found.push({ ...identity, worker, attempt, role: 'agent' });
  }
  return found;
}

async function attemptFolders(state: string, only: WorkerId | undefined): Promise<readonly string[]> {
  const attempts = join(state, 'attempts');
  const folders: string[] = [];
  for (const worker of only === undefined ? await namesIn(attempts) : [folderName(only)]) {
    for (const attempt of await namesIn(join(attempts, worker)))
      folders.push(join(attempts, worker, attempt));
  }
  return folders;
}

/** What cannot be looked at has not ended for all anybody knows. */
async function isEndWritten(folder: string): Promise<boolean> {
  return readExitStatus(folder).then(
    (status) => status !== undefined,
    () => false,
  );
}

/** A file where a folder belongs holds no record; whoever put it there must not keep all the others from being adopted. */
async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errnoOf(error))) return [];
    throw error;
  }
}

/** One damaged record must not keep all the others from being adopted; its process is found by its marker. */
async function undamaged(folder: string): Promise<ProcessRecord | undefined> {
  return readProcess(folder).catch(() => undefined);
}

function roleOf(
  process: SurveyedProcess,
  record: ProcessRecord | undefined,
  bootId: string,
): FoundProcess['role'] {
  const isLeader = process.pid === process.session;
  // Without a record, who leads a session may be the agent or have escaped; taken for the agent, it is not overlooked.
  if (record === undefined) return isLeader ? 'agent' : 'group';
  if (record.pid === process.pid && record.ticks === process.ticks && record.bootId === bootId)
    return 'agent';
  return process.group === record.pid ? 'group' : 'escaped';
}
