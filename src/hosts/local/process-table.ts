/** What the kernel says about processes, one at a time, from a proc file system. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LegionError } from '../../domain/fault.ts';
import { MARKER_VARIABLE } from '../../domain/marker.ts';
import { errnoOf, messageOf } from './faults.ts';

export interface ProcessStat {
  readonly pid: number;
  readonly group: number;
  readonly session: number;
  /** Clock ticks from the boot to its start. */
  readonly ticks: string;
  /** Used by itself and by its children that have ended. */
  readonly cpuTicks: number;
}

interface Unavailable {
  readonly unavailable: string;
}

/** Synchronous, so that nothing of ours comes between a look and the signal that follows from it. */
export interface ProcessTable {
  readonly bootId: string;
  /** When the machine was started, in milliseconds since 1970, by the clock as it is set now. */
  bootedAt(): number;
  /** `gone` only where the kernel says so; a process that has ended but was not waited for is gone. */
  look(pid: number): ProcessStat | 'gone' | Unavailable;
  /** The marker in its environment; undefined for none. */
  markerOf(pid: number): string | undefined | Unavailable;
  pids(): readonly number[];
}

/** Refuses with `host.unsupported` where there is no proc file system. */
export function processTable(proc: string): ProcessTable {
  function look(pid: number): ProcessStat | 'gone' | Unavailable {
    try {
      return parseStat(pid, readFileSync(join(proc, String(pid), 'stat'), 'latin1'));
    } catch (error) {
      const isAbsent = ['ENOENT', 'ESRCH'].includes(errnoOf(error));
      if (!isAbsent) return { unavailable: messageOf(error) };
      // Without our own entry, or with a process that can be reached but not seen, absence means nothing.
      if (!isThere(join(proc, String(process.pid), 'stat'))) return { unavailable: `${proc} cannot be read` };
      return canBeReached(pid) ? { unavailable: `process ${pid} is hidden in ${proc}` } : 'gone';
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
      const names = readdirSync(proc);
      // A list without ourselves is not the list of processes.
      if (!names.includes(String(process.pid)))
        throw new LegionError('host.unavailable', `${proc} does not list processes`);
      return names.filter((name) => /^\d+$/.test(name)).map(Number);
    },
  };
}

/** The start as an identity has it: ticks count from a boot, and pids begin again with each. */
export function startTimeOf(bootId: string, ticks: string): string {
  return `${bootId}/${ticks}`;
}

/** The name of a program stands in parentheses and may contain blanks and parentheses itself; see proc_pid_stat(5). */
function parseStat(pid: number, text: string): ProcessStat | 'gone' {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state = '', , group, session] = fields;
  const ticks = fields[19];
  if (ticks === undefined) throw new Error(`process ${pid} has a stat of ${fields.length} fields`);
  if ('ZXx'.includes(state)) return 'gone';
  const cpuTicks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return { pid, group: Number(group), session: Number(session), ticks, cpuTicks };
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

function isThere(path: string): boolean {
  try {
    readFileSync(path);
    return true;
  } catch {
    return false;
  }
}

/** Signal 0 asks without sending. */
function canBeReached(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errnoOf(error) !== 'ESRCH';
  }
}
