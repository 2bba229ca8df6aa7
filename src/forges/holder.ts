/** Who holds something: a process by pid and start time, so that a pid that was given out again is not mistaken for it. */
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { z } from 'zod';

export const holderSchema = z.object({
  host: z.string(),
  pid: z.int().positive(),
  /** The kernel's own start time within this boot; empty where the system does not say. */
  started: z.string(),
  /** Tells two holdings by one process apart. */
  nonce: z.string().regex(/^[0-9a-f-]{36}$/),
});

export type Holder = z.infer<typeof holderSchema>;

export function thisProcess(nonce: string): Holder {
  return { host: hostname(), pid: process.pid, started: startTime(process.pid) ?? '', nonce };
}

/**
 * Only what is known to be dead is dead: a process of another host or container cannot be looked at, and where start times
 * are not to be had, a pid that exists counts as alive.
 */
export function isDead({ host, pid, started }: Pick<Holder, 'host' | 'pid' | 'started'>): boolean {
  if (host !== hostname()) return false;
  if (!exists(pid)) return true;
  const present = startTime(pid);
  return started !== '' && present !== undefined && present !== started;
}

export function describeHolder({ host, pid, started }: Holder): string {
  return `process ${pid} on ${host}${started === '' ? '' : ` (started ${started})`}`;
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'; // there, but somebody else's
  }
}

/** The boot belongs to it: ticks begin anew with each. */
function startTime(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command in brackets may contain anything, also spaces and brackets; field 22 is counted from behind it.
    const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim().slice(0, 8);
    return ticks === undefined ? undefined : `${boot}-${ticks}`;
  } catch {
    return undefined;
  }
}
