/** What a process costs, seen from outside through /proc. */
import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts processor time of children in hundredths of a second. */
const MS_PER_TICK = 10;
/** The place of `cutime` in /proc/PID/stat, counted from the state behind the name. */
const CHILDREN_USER_FIELD = 13;

/** Resident memory in MB. */
export function rssMb(pid: number): number {
  const [, kib = '0'] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round((Number(kib) * 1_024) / 1e6);
}

/** Processor time of all its threads in ms; what threads that have ended used is not in it. */
export function cpuMs(pid: number): number {
  return sumOver(`/proc/${pid}/task`, (thread) => {
    const [nanoseconds = '0'] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ');
    return Number(nanoseconds) / 1e6;
  });
}

/** Processor time of this thread in ms: other programs on the machine do not change it. */
export function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** Files and folders it watches. */
export function inotifyWatches(pid: number): number {
  return sumOver(
    `/proc/${pid}/fdinfo`,
    (file) => readFileSync(`/proc/${pid}/fdinfo/${file}`, 'utf8').match(/^inotify wd:/gm)?.length ?? 0,
  );
}

/** Processor time in ms of all children that have ended. */
export function childrenCpuMs(): number {
  // The name of the program stands in parentheses and may contain spaces.
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
      // A thread or a descriptor that has gone since the folder was listed.
    }
  }
  return sum;
}
