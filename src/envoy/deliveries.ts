/** Which deliveries have come in already: remembered for three days, across restarts, in a file that only grows until it is cleaned. */
import { appendFileSync, readFileSync } from 'node:fs';
import type { Clock } from '../domain/clock.ts';
import { PRIVATE_FILE, writeDurablySync } from '../lib/fs/atomic-write.ts';

/** GitHub offers a delivery for sending again for three days; what comes later is only one more hint. */
export const REMEMBERED_MS = 72 * 60 * 60 * 1_000;

/** One delivery every five seconds for three days, about 5 MB in memory. Beyond it the oldest are forgotten first. */
export const REMEMBERED_MOST = 50_000;

/** The form of an id; a service's is a UUID. Nothing else is written into the file. */
const LINE = /^(\d{1,15}) ([A-Za-z0-9-]{1,100})$/;

export interface Deliveries {
  /** True the first time; the id is then in the file. */
  isNew(id: string): boolean;
}

/**
 * Not synced to the disk: a kill keeps what was written, and what a power cut takes costs one look too many. For the same reason a
 * line that cannot be read is left out, and a file that cannot be written is told as a trouble, not as a refusal.
 */
export function openDeliveries(path: string, clock: Clock, onTrouble: (error: unknown) => void): Deliveries {
  // In the order of their age, which is the order in which a map keeps its keys.
  const seen = new Map<string, number>();
  let lines = 0;

  /** Anything newer than now is from before somebody set the clock back: its age is unknown, so it counts from now. */
  function take(): boolean {
    const text = read(path);
    for (const line of text.split('\n')) {
      const [, at = '', id = ''] = LINE.exec(line) ?? [];
      if (id !== '') seen.set(id, Math.min(Number(at), clock.now()));
    }
    forgetOld();
    // Also when the last line is torn: the next would be written behind it.
    return text !== '' && text !== whole();
  }

  function forgetOld(): void {
    const oldest = clock.now() - REMEMBERED_MS;
    for (const [id, at] of seen) {
      if (at >= oldest && seen.size <= REMEMBERED_MOST) break;
      seen.delete(id);
    }
  }

  const whole = () => [...seen].map(([id, at]) => line(id, at)).join('');

  function attempt(write: () => void): void {
    try {
      write();
    } catch (error) {
      onTrouble(error);
    }
  }

  function rewrite(): void {
    writeDurablySync(path, whole());
    lines = seen.size;
  }

  attempt(() => {
    const isUntidy = take();
    lines = seen.size;
    if (isUntidy) rewrite();
  });

  return {
    isNew(id) {
      forgetOld();
      if (seen.has(id)) return false;
      seen.set(id, clock.now());
      attempt(() => {
        appendFileSync(path, line(id, clock.now()), { mode: PRIVATE_FILE });
        lines += 1;
        // Twice the most, so that cleaning up is rare and the file is bounded all the same.
        if (lines > 2 * REMEMBERED_MOST) rewrite();
      });
      return true;
    },
  };
}

function line(id: string, at: number): string {
  return `${Math.trunc(at)} ${id}\n`;
}

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}
