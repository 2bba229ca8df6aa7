/**
 * Remembers received webhook deliveries for three days, across restarts, in an append-only file
 * that is compacted.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import type { Clock } from '../../core/model/clock.ts';
import { PRIVATE_FILE_MODE, writeDurablySync } from '../../lib/fs/atomic-write.ts';

/** GitHub can redeliver a delivery for three days. A later duplicate is only an extra hint. */
export const REMEMBERED_MS = 72 * 60 * 60 * 1_000;

/**
 * Enough for one delivery every five seconds for three days, which takes about 5 MB of memory.
 * Beyond this number, the oldest are dropped.
 */
export const MAX_REMEMBERED_DELIVERIES = 50_000;

/**
 * Format of a line: a time and a delivery id, which services send as a UUID. Nothing else is
 * written to the file.
 */
const LINE = /^(\d{1,15}) ([A-Za-z0-9-]{1,100})$/;

export interface DeliveryLog {
  /** Returns true the first time an id is passed, and stores the id. */
  isNew(id: string): boolean;
}

/**
 * The file is not synced to disk: a killed process loses nothing, and a power failure costs one
 * extra reconcile pass. For the same reason unreadable lines are skipped, and a write error is
 * reported as an active problem instead of rejecting the delivery.
 */
export function openDeliveryLog(path: string, clock: Clock, onError: (error: unknown) => void): DeliveryLog {
  // Ordered by age, because a map keeps insertion order.
  const deliveries = new Map<string, number>();
  let lines = 0;

  /**
   * Loads the file and returns whether it must be rewritten. Entries with a time in the future are
   * from before the clock was set back. Their age is unknown, so it is measured from now.
   */
  function load(): boolean {
    const text = readDeliveryFile(path);
    for (const line of text.split('\n')) {
      const [, at = '', id = ''] = LINE.exec(line) ?? [];
      if (id !== '') deliveries.set(id, Math.min(Number(at), clock.now()));
    }
    forgetOld();
    // Also rewrites the file after an incomplete last line, because the next entry would be
    // appended to that line.
    return text !== '' && text !== renderFile();
  }

  function forgetOld(): void {
    const oldest = clock.now() - REMEMBERED_MS;
    for (const [id, at] of deliveries) {
      if (at >= oldest && deliveries.size <= MAX_REMEMBERED_DELIVERIES) break;
      deliveries.delete(id);
    }
  }

  const renderFile = () => [...deliveries].map(([id, at]) => formatDeliveryLine(id, at)).join('');

  function tryWrite(write: () => void): void {
    try {
      write();
    } catch (error) {
      onError(error);
    }
  }

  function rewrite(): void {
    writeDurablySync(path, renderFile());
    lines = deliveries.size;
  }

  tryWrite(() => {
    const needsRewrite = load();
    lines = deliveries.size;
    if (needsRewrite) rewrite();
  });

  return {
    isNew(id) {
      forgetOld();
      if (deliveries.has(id)) return false;
      deliveries.set(id, clock.now());
      tryWrite(() => {
        appendFileSync(path, formatDeliveryLine(id, clock.now()), { mode: PRIVATE_FILE_MODE });
        lines += 1;
        // Twice the limit, so that compaction is rare and the file stays bounded.
        if (lines > 2 * MAX_REMEMBERED_DELIVERIES) rewrite();
      });
      return true;
    },
  };
}

function formatDeliveryLine(id: string, at: number): string {
  return `${Math.trunc(at)} ${id}\n`;
}

function readDeliveryFile(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}
