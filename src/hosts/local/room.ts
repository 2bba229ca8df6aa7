/** How much disk and memory is left for one more worker. */
import { readFile, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Host } from '../host.ts';

export async function roomOn(state: string, proc: string): ReturnType<Host['room']> {
  try {
    const { bavail, bsize } = await statfs(state);
    const [, kilobytes] =
      /^MemAvailable:\s+(\d+) kB$/m.exec(await readFile(join(proc, 'meminfo'), 'utf8')) ?? [];
    if (kilobytes === undefined) return 'unavailable';
    return { freeDiskBytes: bavail * bsize, freeMemoryBytes: Number(kilobytes) * 1024 };
  } catch {
    return 'unavailable';
  }
}
