/** What a process costs, seen from outside through /proc. */
import { readdirSync, readFileSync } from 'node:fs';

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
