/** Notices that an attempt wrote something or ended: at once where the file system tells, within a second in any case. */
import { type FSWatcher, watch } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { identityOf, matchIdentity } from './identity.ts';
import { keepToLimit } from './output-limit.ts';
import type { ProcessTable } from './process-table.ts';
import { readProcess } from './records.ts';

/** Two looks a second, so that an end is seen within one even if a look comes late. */
const POLL_MS = 500;

/** A worker that writes without pause causes one look in this time, not one a write. */
const HINT_MS = 20;

export function watchAttempt(
  table: ProcessTable,
  folder: string,
  limitBytes: number,
  changed: () => void,
): () => void {
  let isStopped = false;
  let isLooking = false;
  let seen: string | undefined;
  let hinted: NodeJS.Timeout | undefined;

  async function look(): Promise<void> {
    if (isLooking) return hint(); // what changed may have been looked at already
    isLooking = true;
    const found = await present(table, folder, limitBytes);
    isLooking = false;
    if (isStopped || found === seen) return;
    const isFirst = seen === undefined;
    seen = found;
    if (!isFirst) changed();
  }

  function hint(): void {
    if (isStopped || hinted !== undefined) return;
    hinted = setTimeout(() => {
      hinted = undefined;
      void look();
    }, HINT_MS);
  }

  const poll = setInterval(() => void look(), POLL_MS);
  const watcher = watchFolder(folder, hint);
  void look();

  return () => {
    isStopped = true;
    clearInterval(poll);
    clearTimeout(hinted);
    watcher?.close();
  };
}

/** Undefined where it is not to be had (no folder yet, too many watches): then looking has to do. */
function watchFolder(folder: string, hint: () => void): FSWatcher | undefined {
  try {
    const watcher = watch(folder, hint);
    watcher.on('error', () => watcher.close());
    return watcher;
  } catch {
    return undefined;
  }
}

/** All that can change, in a few words. What cannot be read is no change. */
async function present(table: ProcessTable, folder: string, limitBytes: number): Promise<string> {
  try {
    const { bytes, overflowed } = await keepToLimit(folder, limitBytes);
    const exit = await stat(join(folder, 'exit.json')).catch(() => undefined);
    const record = await readProcess(folder);
    // A worker whose runner was killed ends without a word in any file.
    const match = record === undefined ? 'none' : matchIdentity(table, identityOf(record), record).is;
    return `${bytes} ${overflowed} ${exit?.mtimeMs} ${match}`;
  } catch {
    return 'unreadable';
  }
}
