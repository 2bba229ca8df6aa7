/** What can be known of processes on this machine: who we are, who is dead, who holds a file open, which git is at work. */
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { hostname } from 'node:os';

export interface Identity {
  /** Machine and process namespace: a pid means something only within. */
  readonly machine: string;
  readonly pid: number;
  /** Boot and the kernel's start time of the process, which tell a pid that is used again; empty where not to be had. */
  readonly started: string;
}

export function thisProcess(): Identity {
  return { machine: machine(), pid: process.pid, started: started(process.pid) ?? '' };
}

/** Unknown is not dead: only a process of this machine that is certainly gone is. */
export function fateOf(identity: Identity): 'alive' | 'dead' | 'unknown' {
  if (identity.machine !== machine()) return 'unknown';
  if (!exists(identity.pid)) return 'dead';
  const present = started(identity.pid);
  if (identity.started === '' || present === undefined) return 'alive';
  return present === identity.started && stateOf(identity.pid) !== 'Z' ? 'alive' : 'dead';
}

/**
 * Whether anybody holds open a file whose path contains `name`, deleted or not. Processes that may not be looked at belong
 * to other users, and are not asked for here. Without a proc file system nobody can be found: `unknown`.
 */
export function isHeldOpen(name: string): boolean | 'unknown' {
  const pids = allPids();
  if (pids === undefined) return 'unknown';
  return pids.some((pid) => openFiles(pid).some((path) => path.includes(name)));
}

/**
 * Every git that runs and may write, each by pid and start; nothing without a proc file system. With `about` only those that
 * could be at work in one of these folders.
 */
export function runningGits(about?: readonly string[]): ReadonlySet<string> | undefined {
  const gits = allPids()?.filter(
    (pid) =>
      read(`/proc/${pid}/comm`)?.startsWith('git') &&
      stateOf(pid) !== 'Z' &&
      !onlyReads(pid) &&
      (about === undefined || about.some((folder) => mayConcern(pid, folder))),
  );
  return gits && new Set(gits.map((pid) => `${pid} ${started(pid)}`));
}

/** A git works where it stands, or where its arguments or its environment say; one that may not be looked at could do anything. */
function mayConcern(pid: number, folder: string): boolean {
  const told = [`/proc/${pid}/cmdline`, `/proc/${pid}/environ`].map(read);
  try {
    if (`${readlinkSync(`/proc/${pid}/cwd`)}/`.startsWith(`${folder}/`)) return true;
  } catch {
    return exists(pid);
  }
  return told.some((text) => text === undefined || text.includes(folder));
}

/** A forge keeps such a git for its questions as long as it is open; it takes no lock of any reference. */
function onlyReads(pid: number): boolean {
  const words = read(`/proc/${pid}/cmdline`)?.split('\0') ?? [];
  return words.includes('cat-file') && words.some((word) => word.startsWith('--batch-check'));
}

function machine(): string {
  try {
    return `${hostname()} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

function started(pid: number): string | undefined {
  const ticks = fields(pid)?.[19];
  const boot = read('/proc/sys/kernel/random/boot_id')?.trim();
  return ticks === undefined || boot === undefined ? undefined : `${boot}/${ticks}`;
}

/** A zombie has ended; only its parent has not heard of it yet. */
function stateOf(pid: number): string | undefined {
  return fields(pid)?.[0];
}

/** From the state on: the command before it, in brackets, may contain anything. */
function fields(pid: number): readonly string[] | undefined {
  const stat = read(`/proc/${pid}/stat`);
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
}

function allPids(): readonly number[] | undefined {
  if (statSync('/proc/self/fd', { throwIfNoEntry: false }) === undefined) return undefined;
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

function openFiles(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      try {
        return [readlinkSync(`/proc/${pid}/fd/${fd}`)];
      } catch {
        return []; // closed while we looked
      }
    });
  } catch {
    return []; // it has ended, or is somebody else's
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
