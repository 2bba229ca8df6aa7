/** Identifies a process so that a pid that is used again is not mistaken for it. */
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { hasEnded, hasPid, listOpenFiles, listPids, readLink, readStat } from './proc-table.ts';

export interface ProcessIdentity {
  /** Machine and process namespace: a pid means something only within. */
  readonly machine: string;
  readonly pid: number;
  /** Boot and the kernel's start time of the process; empty where the system does not tell. */
  readonly started: string;
}

export function identifyThisProcess(): ProcessIdentity {
  return { machine: thisMachine(), pid: process.pid, started: readStartTime(process.pid) ?? '' };
}

export function thisMachine(): string {
  const namespace = readLink('/proc/self/ns/pid');
  return namespace === undefined ? hostname() : `${hostname()} ${namespace}`;
}

/** Unknown is not dead: only a process of this machine that is certainly gone is dead. */
export function judgeProcess(identity: ProcessIdentity): 'alive' | 'dead' | 'unknown' {
  if (identity.machine !== thisMachine()) return 'unknown';
  if (!hasPid(identity.pid)) return 'dead';
  const stat = readStat(identity.pid);
  const present = readStartTime(identity.pid);
  if (identity.started === '' || stat === undefined || present === undefined) return 'alive';
  return present === identity.started && !hasEnded(stat) ? 'alive' : 'dead';
}

/** The boot belongs to it: ticks begin again with each boot. */
function readStartTime(pid: number): string | undefined {
  const stat = readStat(pid);
  if (stat === undefined) return undefined;
  try {
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${stat.ticks}`;
  } catch {
    return undefined;
  }
}

/**
 * Whether a process of this user holds a file open whose path contains `name`, deleted or not. Unknown without a proc
 * file system.
 */
export function isHeldOpen(name: string): boolean | 'unknown' {
  // This process always has files open.
  if (listOpenFiles(process.pid).length === 0) return 'unknown';
  return listPids().some((pid) => listOpenFiles(pid).some((path) => path.includes(name)));
}
