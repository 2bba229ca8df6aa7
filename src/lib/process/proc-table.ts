/** Reads the proc file system. Synchronous, so that nothing of ours comes between a look and a signal. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

export interface ProcStat {
  readonly pid: number;
  readonly state: string;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** Clock ticks from the boot to its start. */
  readonly ticks: string;
  /** Used by itself and by its children that have ended. */
  readonly cpuTicks: number;
}

/** Parses a `stat` file; undefined if it is too short. The program's name in it may contain blanks and parentheses. */
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

/** A process that has ended but was not waited for keeps its pid. */
export function hasEnded({ state }: ProcStat): boolean {
  return 'ZXx'.includes(state);
}

/** Undefined for a process that has ended, or that belongs to another user. */
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

/** What the descriptors of a process lead to; nothing for one that has ended or belongs to another user. */
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

/** Whether the pid is in use, also by another user; signal 0 asks without sending. */
export function hasPid(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** Whether a process with this pid runs; it may be another one than the one that was meant. */
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

/** The state of a listening socket in the kernel's tables. */
const LISTEN = '0A';

/** Of IPv4 and IPv6, in this network namespace; none where the system does not tell. */
export function listTcpSockets(): readonly TcpSocket[] {
  return ['tcp', 'tcp6'].flatMap((table) => parseTcpTable(readProcFile('net', table) ?? ''));
}

/** A line is `sl local_address rem_address st tx:rx tr:when retrnsmt uid timeout inode …`, addresses as `0100007F:1F90`. */
export function parseTcpTable(text: string): readonly TcpSocket[] {
  return text.split('\n').flatMap((line) => {
    const [, local = '', remote = '', state, , , , uid, , inode] = line.trim().split(/\s+/);
    if (inode === undefined || !local.includes(':')) return [];
    const isListening = state === LISTEN;
    return [{ localPort: portIn(local), remotePort: portIn(remote), isListening, uid: Number(uid), inode }];
  });
}

function portIn(address: string): number {
  return Number.parseInt(address.slice(address.lastIndexOf(':') + 1), 16);
}
