/**
 * Observes one process and how it ended. Reads each source separately, so that an unreadable one
 * does not affect the others.
 */

import { open, stat } from 'node:fs/promises';
import { constants } from 'node:os';
import { join } from 'node:path';
import type { ProcStat } from '../../lib/process/proc-table.ts';
import type { ObservedValue, ProcessExit, ProcessIdentity, ProcessObservation } from '../../ports/host.ts';
import { readClaim, readExitStatus, readProcess } from './attempt-folder.ts';
import { toErrorMessage } from './faults.ts';
import { enforceOutputLimit } from './output.ts';
import {
  type IdentityMatch,
  isRunnerThere,
  matchByStart,
  matchIdentity,
  type ProcessSurvey,
  type ProcessTable,
} from './process-table.ts';

/** USER_HZ: the value that Linux exposes to programs on every current architecture. */
const TICKS_PER_SECOND = 100;

export interface ObserveContext {
  readonly table: ProcessTable;
  readonly survey: ProcessSurvey;
  readonly outputLimitBytes: number;
}

export async function observeProcess(
  { table, survey, outputLimitBytes }: ObserveContext,
  folder: string,
  identity: ProcessIdentity,
): Promise<ProcessObservation> {
  const match = await matchProcess(table, folder, identity);
  const alive = match.is === 'unavailable' ? { unavailable: match.why } : match.is === 'ours';
  const members = await tryObserve(() => findMembers(table, survey, identity, match));
  return {
    alive,
    exit: await tryObserve(() => readExit(table, folder, alive === false)),
    groupCpuMs: 'unavailable' in members ? members : sumCpuMs(members),
    children:
      'unavailable' in members
        ? members
        : await tryObserve(async () => countChildren(table, members, identity.pid)),
    output: await tryObserve(() => enforceOutputLimit(folder, outputLimitBytes)),
  };
}

async function matchProcess(
  table: ProcessTable,
  folder: string,
  identity: ProcessIdentity,
): Promise<IdentityMatch> {
  try {
    return matchIdentity(table, identity, await readProcess(folder));
  } catch (error) {
    // The record cannot be read, but it is needed only to confirm the identity of an existing
    // process. The kernel's data is enough to tell whether the process is gone or has a different
    // start time.
    return matchByStart(table, identity) ?? { is: 'unavailable', why: toErrorMessage(error) };
  }
}

/**
 * While the process is running, reads only its known group members. Once it is gone, reads all
 * processes, because the list of those it left behind must be complete.
 */
async function findMembers(
  table: ProcessTable,
  survey: ProcessSurvey,
  identity: ProcessIdentity,
  match: IdentityMatch,
): Promise<readonly ProcStat[]> {
  if (match.is !== 'ours') {
    return (await survey.scanRecent()).filter(({ marker }) => marker === identity.marker);
  }
  const { stat } = match;
  const others = (await survey.scanCached()).filter(
    ({ pid, marker, session }) =>
      pid !== stat.pid && (marker === identity.marker || (stat.session === stat.pid && session === stat.pid)),
  );
  return [stat, ...others.flatMap((each) => readStatAgain(table, each))];
}

function readStatAgain(table: ProcessTable, { pid, ticks }: ProcStat): readonly ProcStat[] {
  const stat = table.readStat(pid);
  return typeof stat === 'object' && 'ticks' in stat && stat.ticks === ticks ? [stat] : [];
}

function sumCpuMs(members: readonly ProcStat[]): number {
  const ticks = members.reduce((sum, { cpuTicks }) => sum + cpuTicks, 0);
  return (ticks * 1000) / TICKS_PER_SECOND;
}

function countChildren(
  table: ProcessTable,
  members: readonly ProcStat[],
  pid: number,
): { count: number; newestAt: number | 'none' } {
  const startTicks = members.filter((each) => each.pid !== pid).map(({ ticks }) => Number(ticks));
  if (startTicks.length === 0) return { count: 0, newestAt: 'none' };
  return {
    count: startTicks.length,
    newestAt: Math.round(table.readBootTime() + (Math.max(...startTicks) * 1000) / TICKS_PER_SECOND),
  };
}

async function tryObserve<T>(read: () => Promise<T>): Promise<T | { readonly unavailable: string }> {
  try {
    return await read();
  } catch (error) {
    return { unavailable: toErrorMessage(error) };
  }
}

/** A shell returns 128 + n for a process terminated by signal n. */
const SIGNAL_BASE = 128;

/**
 * Exit codes of a shell and of `setsid` for a program that is not executable and for one that is
 * not found.
 */
const NOT_EXECUTED: readonly number[] = [126, 127];

/** Maximum size of the error text in bytes, enough to understand the error. */
const MAX_REASON_BYTES = 500;

const SIGNAL_NAMES: ReadonlyMap<number, string> = new Map(
  Object.entries(constants.signals).map(([name, number]) => [number, name]),
);

/** Determines from the runner's record how an attempt ended, or why that is unknown. */
async function readExit(
  table: ProcessTable,
  folder: string,
  isGone: boolean,
): Promise<ObservedValue<ProcessExit | 'none'>> {
  const status = await readExitStatus(folder);
  if (status !== undefined) return toProcessExit(status, folder);
  if (!isGone) return 'none';
  const claim = await readClaim(folder);
  if (claim !== undefined && isRunnerThere(table, claim) === true) return 'none';
  // Reads the record again, because the runner may have written it and exited between the two
  // checks.
  const late = await readExitStatus(folder);
  if (late !== undefined) return toProcessExit(late, folder);
  return { unavailable: 'the runner exited before its worker, so the exit status was not recorded' };
}

async function toProcessExit(status: number, folder: string): Promise<ProcessExit> {
  const { mtimeMs: at } = await stat(join(folder, 'exit.json'));
  const signal = SIGNAL_NAMES.get(status - SIGNAL_BASE);
  if (signal !== undefined) return { code: null, signal, at };
  if (!NOT_EXECUTED.includes(status)) return { code: status, signal: null, at };
  return { code: status, signal: null, at, reason: await readExitReason(join(folder, 'err'), status) };
}

async function readExitReason(path: string, status: number): Promise<string> {
  const file = await open(path);
  try {
    const { bytesRead, buffer } = await file.read({ buffer: Buffer.alloc(MAX_REASON_BYTES) });
    const text = buffer.toString('utf8', 0, bytesRead).trim();
    return text === '' ? `the program could not be executed (exit ${status})` : text;
  } finally {
    await file.close();
  }
}
