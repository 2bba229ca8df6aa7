/** What the kernel says about processes, one at a time, from a proc file system. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LegionError } from '../../core/model/fault.ts';
import { MARKER_VARIABLE } from '../../domain/marker.ts';
import {
  hasEnded,
  hasPid,
  listPids,
  type ProcStat,
  parseStat,
  readStat,
} from '../../lib/process/proc-table.ts';
import { errnoOf, messageOf } from './faults.ts';

interface Unavailable {
  readonly unavailable: string;
}

/** Synchronous, so that nothing of ours comes between a look and the signal that follows from it. */
export interface ProcessTable {
  readonly bootId: string;
  /** When the machine was started, in milliseconds since 1970, by the clock as it is set now. */
  bootedAt(): number;
  /** `gone` only where the kernel says so; a process that has ended but was not waited for is gone. */
  look(pid: number): ProcStat | 'gone' | Unavailable;
  /** The marker in its environment; undefined for none. */
  markerOf(pid: number): string | undefined | Unavailable;
  pids(): readonly number[];
}

/** Refuses with `host.unsupported` where there is no proc file system. */
export function processTable(proc: string): ProcessTable {
  function look(pid: number): ProcStat | 'gone' | Unavailable {
    try {
      const stat = parseStat(pid, readFileSync(join(proc, String(pid), 'stat'), 'latin1'));
      if (stat === undefined) return { unavailable: `the stat of process ${pid} is too short` };
      return hasEnded(stat) ? 'gone' : stat;
    } catch (error) {
      const isAbsent = ['ENOENT', 'ESRCH'].includes(errnoOf(error));
      if (!isAbsent) return { unavailable: messageOf(error) };
      // Without our own entry, or with a process that can be reached but not seen, absence means nothing.
      if (readStat(process.pid, proc) === undefined) return { unavailable: `${proc} cannot be read` };
      return hasPid(pid) ? { unavailable: `process ${pid} is hidden in ${proc}` } : 'gone';
    }
  }

  return {
    bootId: readBootId(proc),
    bootedAt: () => Date.now() - Number.parseFloat(readFileSync(join(proc, 'uptime'), 'utf8')) * 1_000,
    look,
    markerOf(pid) {
      try {
        return markerIn(readFileSync(join(proc, String(pid), 'environ'), 'latin1'));
      } catch (error) {
        if (['ENOENT', 'ESRCH'].includes(errnoOf(error))) return undefined;
        return { unavailable: messageOf(error) };
      }
    },
    pids() {
      const pids = listPids(proc);
      // A list without ourselves is not the list of processes.
      if (!pids.includes(process.pid))
        throw new LegionError('host.unavailable', `${proc} does not list processes`);
      return pids;
    },
  };
}

/** The start as an identity has it: ticks count from a boot, and pids begin again with each. */
export function startTimeOf(bootId: string, ticks: string): string {
  return `${bootId}/${ticks}`;
}

function markerIn(environ: string): string | undefined {
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
    throw new LegionError('host.unsupported', `${proc}: ${messageOf(error)}`, { cause: error });
  }
}
