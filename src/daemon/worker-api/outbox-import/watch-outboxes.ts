/**
 * Watches the outbox of each live attempt. A watch is only a hint: every board pass reads the same
 * outboxes anyway.
 */
import { type FSWatcher, watch } from 'node:fs';
import { LegionError } from '../../../core/model/fault.ts';
import { toWorkerId } from '../../../core/model/ids.ts';
import { listPresentWorkers } from '../../../core/state/workers.ts';
import { makeFolderDurably } from '../../../lib/fs/folder.ts';
import type { DaemonContext } from '../../context/daemon-context.ts';

/**
 * Maximum delay of a report whose outbox cannot be watched. Reading a dozen directories takes only
 * a millisecond.
 */
const POLL_MS = 2_000;

const OUTBOX_WATCH_PROBLEM = 'outbox watch';

type WatchFolder = (folder: string, onChange: () => void, onError: (error: unknown) => void) => FSWatcher;

/**
 * An outbox with its watch. While `watcher` is unset, the outbox is read every `POLL_MS`, and each
 * read tries to set up the watch again.
 */
interface WatchedOutbox {
  watcher?: FSWatcher | undefined;
}

/**
 * Calls `onHint` with an outbox that may have changed, and once more when its attempt is over.
 * Returns a function that stops watching. `watchFolder` throws or reports an error if watching is
 * impossible.
 */
export function watchOutboxes(
  context: Pick<DaemonContext, 'folders' | 'ledger' | 'problems'>,
  onHint: (outbox: string) => void,
  watchFolder: WatchFolder = watchWithoutHolding,
): () => void {
  const { folders, ledger, problems } = context;
  const watched = new Map<string, WatchedOutbox>();

  function followLiveAttempts(): void {
    const live = new Set(
      listPresentWorkers(ledger.state).map(([, { issue, mode, attempt }]) =>
        folders.outbox(toWorkerId(issue, mode), attempt),
      ),
    );
    for (const [outbox, { watcher }] of watched) {
      if (live.has(outbox)) continue;
      watcher?.close();
      watched.delete(outbox);
      // The worker's last message may have arrived just as its attempt ended.
      onHint(outbox);
      clearIfAllWatched();
    }
    for (const outbox of live) {
      if (watched.has(outbox)) continue;
      watched.set(outbox, {});
      void begin(outbox);
    }
  }

  async function begin(outbox: string): Promise<void> {
    try {
      // Creates the outbox now. Otherwise the worker would create it with its first message, which
      // no watch would notice.
      await makeFolderDurably(outbox);
      const entry = watched.get(outbox);
      if (entry === undefined || entry.watcher !== undefined) return;
      const onWatchError = (error: unknown) => {
        entry.watcher?.close();
        entry.watcher = undefined;
        report(error);
      };
      entry.watcher = watchFolder(outbox, () => onHint(outbox), onWatchError);
      // Messages may have arrived before the watch began.
      onHint(outbox);
      clearIfAllWatched();
    } catch (error) {
      if (watched.has(outbox)) report(error);
    }
  }

  function report(error: unknown): void {
    const why = (error as NodeJS.ErrnoException).code ?? String(error);
    const message = `An outbox cannot be watched (${why}). Such outboxes are read every ${POLL_MS / 1_000} s instead.`;
    problems.report(
      OUTBOX_WATCH_PROBLEM,
      new LegionError('speech.outbox_unwatched', message, { cause: error }),
    );
  }

  function clearIfAllWatched(): void {
    if ([...watched.values()].every(({ watcher }) => watcher !== undefined))
      problems.resolve(OUTBOX_WATCH_PROBLEM);
  }

  function pollUnwatched(): void {
    for (const [outbox, { watcher }] of watched) {
      if (watcher !== undefined) continue;
      onHint(outbox);
      void begin(outbox);
    }
  }

  const unsubscribe = ledger.subscribe(followLiveAttempts);
  const polling = setInterval(pollUnwatched, POLL_MS).unref();
  followLiveAttempts();
  return () => {
    unsubscribe();
    clearInterval(polling);
    for (const { watcher } of watched.values()) watcher?.close();
    watched.clear();
  };
}

function watchWithoutHolding(
  folder: string,
  onChange: () => void,
  onError: (error: unknown) => void,
): FSWatcher {
  return watch(folder, { persistent: false }, () => onChange()).on('error', onError);
}
