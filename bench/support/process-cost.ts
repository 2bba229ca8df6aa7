/** Reads the cost of a process from /proc. */
import { readdirSync, readFileSync } from 'node:fs';

/** Linux measures the processor time of children in units of 10 ms. */
const MS_PER_TICK = 10;
/** Index of `cutime` in /proc/PID/stat, counted from the state field after the name. */
const CHILDREN_USER_FIELD = 13;

/** Returns the resident memory in MB. */
export function readRssMb(pid: number): number {
  const [, kib = '0'] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round((Number(kib) * 1_024) / 1e6);
}

/** Returns the processor time in ms of all threads that are still running in the process. */
export function readCpuMs(pid: number): number {
  return sumOver(`/proc/${pid}/task`, (thread) => {
    const [nanoseconds = '0'] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ');
    return Number(nanoseconds) / 1e6;
  });
}

/**
 * Returns the processor time of this thread in ms. Other programs on the machine do not affect it.
 */
export function readThreadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** Returns the number of files and directories that the process watches. */
export function countInotifyWatches(pid: number): number {
  return sumOver(
    `/proc/${pid}/fdinfo`,
    (file) => readFileSync(`/proc/${pid}/fdinfo/${file}`, 'utf8').match(/^inotify wd:/gm)?.length ?? 0,
  );
}

/** Returns the processor time in ms of all children that have exited. */
export function readChildrenCpuMs(): number {
  // The program name is in parentheses and may contain spaces.
  const [, afterName = ''] = readFileSync('/proc/self/stat', 'utf8').split(/\) (?=[A-Z] )/);
  const [userTicks, systemTicks] = afterName.split(' ').slice(CHILDREN_USER_FIELD, CHILDREN_USER_FIELD + 2);
  return (Number(userTicks) + Number(systemTicks)) * MS_PER_TICK;
}

function sumOver(folder: string, read: (name: string) => number): number {
  let sum = 0;
  for (const name of readdirSync(folder)) {
    try {
      sum += read(name);
    } catch {
      // The thread or descriptor has disappeared since the directory was listed.
    }
  }
  return sum;
}
