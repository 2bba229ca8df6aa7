/**
 * Reads the kernel's data about processes from a proc file system, one process at a time or all in
 * one shared walk, and matches them against identities and markers.
 */

import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { MARKER_VARIABLE } from '../../core/model/environment.ts';
import { LegionError } from '../../core/model/fault.ts';
import type { WorkerId } from '../../core/model/ids.ts';
import {
  hasEnded,
  hasPid,
  listPids,
  type ProcStat,
  parseStat,
  readStat,
} from '../../lib/process/proc-table.ts';
import type { ProcessIdentity } from '../../ports/host.ts';
import type { ProcessRecord, RunnerClaim } from './attempt-folder.ts';
import { getErrno, toErrorMessage, toHostFault } from './faults.ts';

interface UnavailableReason {
  readonly unavailable: string;
}

/** Synchronous, so that none of our code runs between a check and the signal that follows it. */
export interface ProcessTable {
  readonly bootId: string;
  /** Boot time in milliseconds since 1970, by the current clock. */
  readBootTime(): number;
  /** Returns `gone` only if the kernel confirms it. A zombie is reported as gone. */
  readStat(pid: number): ProcStat | 'gone' | UnavailableReason;
  /** Returns the marker in the process's environment. Undefined if it has none. */
  readMarker(pid: number): string | undefined | UnavailableReason;
  listPids(): readonly number[];
}

/** Throws `host.unsupported` if there is no proc file system. */
export function createProcessTable(proc: string): ProcessTable {
  function readProcess(pid: number): ProcStat | 'gone' | UnavailableReason {
    try {
      const stat = parseStat(pid, readFileSync(join(proc, String(pid), 'stat'), 'latin1'));
      if (stat === undefined) return { unavailable: `the stat of process ${pid} is too short` };
      return hasEnded(stat) ? 'gone' : stat;
    } catch (error) {
      const isAbsent = ['ENOENT', 'ESRCH'].includes(getErrno(error));
      if (!isAbsent) return { unavailable: toErrorMessage(error) };
      // A missing entry proves nothing if our own entry is missing too, or if the process can be
      // signalled but not seen.
      if (readStat(process.pid, proc) === undefined) return { unavailable: `${proc} cannot be read` };
      return hasPid(pid) ? { unavailable: `process ${pid} is hidden in ${proc}` } : 'gone';
    }
  }

  return {
    bootId: readBootId(proc),
    readBootTime: () => Date.now() - Number.parseFloat(readFileSync(join(proc, 'uptime'), 'utf8')) * 1_000,
    readStat: readProcess,
    readMarker(pid) {
      try {
        return extractMarker(readFileSync(join(proc, String(pid), 'environ'), 'latin1'));
      } catch (error) {
        if (['ENOENT', 'ESRCH'].includes(getErrno(error))) return undefined;
        return { unavailable: toErrorMessage(error) };
      }
    },
    listPids() {
      const pids = listPids(proc);
      // A list without our own process is not the full list.
      if (!pids.includes(process.pid))
        throw new LegionError('host.unavailable', `${proc} does not list processes`);
      return pids;
    },
  };
}

/**
 * Formats the start time as in an identity, together with the boot id, because ticks and pids start
 * over with each boot.
 */
export function toStartTime(bootId: string, ticks: string): string {
  return `${bootId}/${ticks}`;
}

function extractMarker(environ: string): string | undefined {
  const name = `${MARKER_VARIABLE}=`;
  const at = environ.startsWith(name) ? 0 : environ.indexOf(`\0${name}`) + 1;
  if (at === 0 && !environ.startsWith(name)) return undefined;
  const end = environ.indexOf('\0', at);
  return environ.slice(at + name.length, end === -1 ? undefined : end);
}

function readBootId(proc: string): string {
  try {
    return readFileSync(join(proc, 'sys/kernel/random/boot_id'), 'utf8').trim();
  } catch (error) {
    throw new LegionError('host.unsupported', `${proc}: ${toErrorMessage(error)}`, { cause: error });
  }
}

export type IdentityMatch =
  | { readonly is: 'ours'; readonly stat: ProcStat }
  | { readonly is: 'gone' }
  | { readonly is: 'other' }
  | { readonly is: 'unavailable'; readonly why: string };

/**
 * Matches a process against an identity: by pid, start time and boot, and by its record or marker.
 * `record` is the runner's entry for this marker. It vouches for a process that has not executed
 * anything yet or has wiped its environment; every other process must carry the marker.
 */
export function matchIdentity(
  table: ProcessTable,
  identity: ProcessIdentity,
  record: ProcessRecord | undefined,
): IdentityMatch {
  const stat = table.readStat(identity.pid);
  if (stat === 'gone') return { is: 'gone' };
  if ('unavailable' in stat) return { is: 'unavailable', why: stat.unavailable };
  if (toStartTime(table.bootId, stat.ticks) !== identity.startTime) return { is: 'other' };
  if (record !== undefined && isRecorded(identity, record)) return { is: 'ours', stat };
  const marker = table.readMarker(identity.pid);
  if (typeof marker === 'object') return { is: 'unavailable', why: marker.unavailable };
  return marker === identity.marker ? { is: 'ours', stat } : { is: 'other' };
}

/**
 * Returns a mismatch that is certain regardless of record and marker, or undefined if the process
 * may match.
 */
export function matchByStart(
  table: ProcessTable,
  { pid, startTime }: ProcessIdentity,
): IdentityMatch | undefined {
  const stat = table.readStat(pid);
  if (stat === 'gone') return { is: 'gone' };
  if ('unavailable' in stat) return undefined;
  return toStartTime(table.bootId, stat.ticks) === startTime ? undefined : { is: 'other' };
}

export function toProcessIdentity({ pid, ticks, bootId, marker }: ProcessRecord): ProcessIdentity {
  return { pid, startTime: toStartTime(bootId, ticks), marker };
}

/** Returns whether the runner that made this claim still exists. */
export function isRunnerThere(table: ProcessTable, claim: RunnerClaim): boolean | 'unknown' {
  if (claim === 'unreadable') return 'unknown';
  const stat = table.readStat(claim.pid);
  if (stat === 'gone') return false;
  return 'unavailable' in stat ? 'unknown' : stat.ticks === claim.ticks;
}

function isRecorded(identity: ProcessIdentity, record: ProcessRecord): boolean {
  const recorded = toProcessIdentity(record);
  return (
    recorded.pid === identity.pid &&
    recorded.startTime === identity.startTime &&
    recorded.marker === identity.marker
  );
}

/** Random bytes of a marker, so that it cannot be forged without reading it. */
const RANDOM_BYTES = 12;

export interface MarkerOwner {
  readonly legion: string;
  readonly worker: WorkerId;
  readonly attempt: number;
}

/**
 * Creates the marker for a process's environment. The marker identifies the legion, worker and
 * attempt of the process, regardless of what happens to its parents. It is plain ASCII without
 * quotes or blanks, like the ids, because the runner copies it into JSON unescaped.
 */
export function createMarker({ legion, worker, attempt }: MarkerOwner): string {
  return `${legion}/${worker}/${attempt}/${randomBytes(RANDOM_BYTES).toString('hex')}`;
}

/** Parses from the end, because a legion id may contain a slash and the other parts cannot. */
export function parseMarker(marker: string): MarkerOwner | undefined {
  const parts = /^(.+)\/([^/]+)\/([1-9]\d{0,14})\/[0-9a-f]+$/.exec(marker);
  if (parts === null) return undefined;
  const [, legion = '', worker = '', attempt = ''] = parts;
  return { legion, worker, attempt: Number(attempt) };
}

export interface SurveyedProcess extends ProcStat {
  /** Undefined if the process has no marker or its environment is unreadable. */
  readonly marker: string | undefined;
}

export interface ProcessSurvey {
  /** Returns the result of a walk that started after the call. Rejects with `host.unavailable`. */
  scanNow(): Promise<readonly SurveyedProcess[]>;
  /**
   * Like `scanNow`, but also accepts a walk that started a moment ago, so that 200 observations do
   * not need 200 walks.
   */
  scanRecent(): Promise<readonly SurveyedProcess[]>;
  /**
   * Like `scanNow`, but also accepts a walk that started a few seconds ago, for callers that check
   * each process again.
   */
  scanCached(): Promise<readonly SurveyedProcess[]>;
}

const RECENT_SCAN_MS = 200;

/**
 * Maximum age of a cached walk. The health check works in minutes, so a new child of a running
 * worker may remain undetected for this long.
 */
const CACHED_SCAN_MS = 5_000;

/**
 * Number of processes read before yielding to the event loop. Reading this many takes about 5 ms.
 */
const SCAN_CHUNK_SIZE = 200;

/**
 * A process gets its pid first and its marker a few milliseconds later, when it executes its
 * program. "No marker" is therefore cached only for older processes. The cache matters because
 * environments are large and most processes belong to other programs.
 */
const MARKER_SETTLED_MS = 10_000;

interface KnownProcess {
  readonly ticks: string;
  readonly marker: string | undefined;
  readonly firstSeenAt: number;
}

export function createProcessSurvey(table: ProcessTable): ProcessSurvey {
  let known: ReadonlyMap<number, KnownProcess> = new Map();
  let last: { readonly at: number; readonly walk: Promise<readonly SurveyedProcess[]> } | undefined;

  function readFacts({ pid, ticks }: ProcStat, now: number): KnownProcess {
    const before = known.get(pid);
    const unchanged = before?.ticks === ticks ? before : undefined;
    if (
      unchanged !== undefined &&
      (unchanged.marker !== undefined || now - unchanged.firstSeenAt > MARKER_SETTLED_MS)
    )
      return unchanged;
    const marker = table.readMarker(pid);
    return {
      ticks,
      marker: typeof marker === 'string' ? marker : undefined,
      firstSeenAt: unchanged?.firstSeenAt ?? now,
    };
  }

  async function walk(): Promise<readonly SurveyedProcess[]> {
    const now = performance.now();
    const present = new Map<number, KnownProcess>();
    const processes: SurveyedProcess[] = [];
    try {
      for (const [index, pid] of table.listPids().entries()) {
        if (index % SCAN_CHUNK_SIZE === SCAN_CHUNK_SIZE - 1) await setImmediate();
        const stat = table.readStat(pid);
        if (stat === 'gone' || 'unavailable' in stat) continue;
        const facts = readFacts(stat, now);
        present.set(pid, facts);
        processes.push({ ...stat, marker: facts.marker });
      }
    } catch (error) {
      throw toHostFault('list of processes', error);
    }
    known = present;
    return processes;
  }

  function scan(): Promise<readonly SurveyedProcess[]> {
    const pendingWalk = walk();
    last = { at: performance.now(), walk: pendingWalk };
    return pendingWalk;
  }

  const createScan = (ms: number) => () =>
    last !== undefined && performance.now() - last.at <= ms ? last.walk : scan();
  return { scanNow: scan, scanRecent: createScan(RECENT_SCAN_MS), scanCached: createScan(CACHED_SCAN_MS) };
}
