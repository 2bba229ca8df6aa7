/**
 * Reads the proc file system, and identifies processes so that a reused pid is not mistaken for an
 * earlier process. Synchronous, so that none of our code runs between a check and a signal.
 */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

export interface ProcStat {
  readonly pid: number;
  readonly state: string;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** Clock ticks from boot to process start. */
  readonly ticks: string;
  /** CPU time of the process and of its children that have ended. */
  readonly cpuTicks: number;
}

/**
 * Parses a `stat` file. Undefined if it is too short. The program name in it may contain spaces and
 * parentheses.
 */
export function parseStat(pid: number, text: string): ProcStat | undefined {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state = '', parent, group, session] = fields;
  const ticks = fields[19];
  if (ticks === undefined) return undefined;
  const cpuTicks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return {
    pid,
    state,
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    ticks,
    cpuTicks,
  };
}

export function readStat(pid: number, proc = '/proc'): ProcStat | undefined {
  const text = readProcFile(pid, 'stat', proc);
  return text === undefined ? undefined : parseStat(pid, text);
}

/** Returns whether the process has ended. A zombie keeps its pid until its parent waits for it. */
export function hasEnded({ state }: ProcStat): boolean {
  return 'ZXx'.includes(state);
}

/** Returns undefined for a process that has ended or belongs to another user. */
export function readProcFile(pid: number | 'net', file: string, proc = '/proc'): string | undefined {
  try {
    return readFileSync(`${proc}/${pid}/${file}`, 'utf8');
  } catch {
    return undefined;
  }
}

/** Throws if there is no proc file system. */
export function listPids(proc = '/proc'): readonly number[] {
  return readdirSync(proc)
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

/**
 * Returns the targets of a process's descriptors. Empty if the process has ended or belongs to
 * another user.
 */
export function listOpenFiles(pid: number): readonly string[] {
  const folder = `/proc/${pid}/fd`;
  try {
    return readdirSync(folder).flatMap((fd) => readLink(`${folder}/${fd}`) ?? []);
  } catch {
    return [];
  }
}

export function readLink(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

/** Returns whether the pid is in use by any user. Signal 0 checks without sending. */
export function hasPid(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/**
 * Returns whether a process with this pid is running. It may be a different process that reuses the
 * pid.
 */
export function isRunning(pid: number): boolean {
  if (!hasPid(pid)) return false;
  const stat = readStat(pid);
  return stat === undefined || !hasEnded(stat);
}

export interface TcpSocket {
  readonly localPort: number;
  readonly remotePort: number;
  readonly isListening: boolean;
  readonly uid: number;
  readonly inode: string;
}

/**
 * Lists IPv4 and IPv6 sockets in this network namespace. Empty if the system does not report them.
 */
export function listTcpSockets(): readonly TcpSocket[] {
  return ['tcp', 'tcp6'].flatMap((table) => parseTcpTable(readProcFile('net', table) ?? ''));
}

/** Value that represents a listening socket in the kernel's tables. */
const LISTEN = '0A';

/**
 * Parses lines of `sl local_address rem_address st tx:rx tr:when retrnsmt uid timeout inode …`,
 * with addresses such as `0100007F:1F90`.
 */
export function parseTcpTable(text: string): readonly TcpSocket[] {
  return text.split('\n').flatMap((line) => {
    const [, local = '', remote = '', state, , , , uid, , inode] = line.trim().split(/\s+/);
    if (inode === undefined || !local.includes(':')) return [];
    const isListening = state === LISTEN;
    return [
      { localPort: parsePort(local), remotePort: parsePort(remote), isListening, uid: Number(uid), inode },
    ];
  });
}

function parsePort(address: string): number {
  return Number.parseInt(address.slice(address.lastIndexOf(':') + 1), 16);
}

export interface MachineProcess {
  /** Machine and process namespace, within which a pid is meaningful. */
  readonly machine: string;
  readonly pid: number;
  /**
   * Boot id and the kernel's start time of the process. Empty if the system does not report them.
   */
  readonly started: string;
}

export function identifyThisProcess(): MachineProcess {
  return { machine: identifyThisMachine(), pid: process.pid, started: readStartTime(process.pid) ?? '' };
}

export function identifyThisMachine(): string {
  const namespace = readLink('/proc/self/ns/pid');
  return namespace === undefined ? hostname() : `${hostname()} ${namespace}`;
}

/**
 * Returns `dead` only for a process of this machine that is certainly gone. Otherwise `unknown` or
 * `alive`.
 */
export function judgeProcess(identity: MachineProcess): 'alive' | 'dead' | 'unknown' {
  if (identity.machine !== identifyThisMachine()) return 'unknown';
  if (!hasPid(identity.pid)) return 'dead';
  const stat = readStat(identity.pid);
  const present = readStartTime(identity.pid);
  if (identity.started === '' || stat === undefined || present === undefined) return 'alive';
  return present === identity.started && !hasEnded(stat) ? 'alive' : 'dead';
}

/** Includes the boot id, because ticks restart with each boot. */
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
 * Returns whether a process of this user has an open file, deleted or not, whose path contains
 * `name`. Unknown without a proc file system.
 */
export function isHeldOpen(name: string): boolean | 'unknown' {
  // This process always has open files, so an empty list means that open files cannot be listed.
  if (listOpenFiles(process.pid).length === 0) return 'unknown';
  return listPids().some((pid) => listOpenFiles(pid).some((path) => path.includes(name)));
}
