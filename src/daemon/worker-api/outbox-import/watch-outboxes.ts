/** Watches the outbox of each live attempt. A watch only hints: every look at the board reads the same outboxes anyway. */
import { type FSWatcher, watch } from 'node:fs';
import { LegionError } from '../../../core/model/fault.ts';
import { workerId } from '../../../core/model/ids.ts';
import { makeFolderDurably } from '../../../lib/fs/folder.ts';
import { presentWorkers } from '../../../swarm/workers.ts';
import type { World } from '../../world.ts';

/** A report waits no longer than this where no watch is to be had, and a dozen folders are read in a millisecond. */
const POLL_MS = 2_000;

const TROUBLE = 'outbox watch';

type WatchFolder = (folder: string, onChange: () => void, onError: (error: unknown) => void) => FSWatcher;

/** Watched: `watcher` is set; otherwise the outbox is read every `POLL_MS`, and a watch is tried again each time. */
interface WatchedOutbox {
  watcher?: FSWatcher | undefined;
}

/**
 * Calls `onHint` with an outbox that may have changed, and once more when its attempt is over. Returns the way to stop.
 * `watchFolder` throws or reports an error where no watch is to be had.
 */
export function watchOutboxes(
  world: Pick<World, 'folders' | 'ledger' | 'troubles'>,
  onHint: (outbox: string) => void,
  watchFolder: WatchFolder = watchWithoutHolding,
): () => void {
  const { folders, ledger, troubles } = world;
  const watched = new Map<string, WatchedOutbox>();

  function followLiveAttempts(): void {
    const live = new Set(
      presentWorkers(ledger.swarm).map(([, { issue, mode, attempt }]) =>
        folders.outbox(workerId(issue, mode), attempt),
      ),
    );
    for (const [outbox, { watcher }] of watched) {
      if (live.has(outbox)) continue;
      watcher?.close();
      watched.delete(outbox);
      // Its last message may have come together with its end.
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
      // The worker would make it with its first message, which nobody would notice.
      await makeFolderDurably(outbox);
      const entry = watched.get(outbox);
      if (entry === undefined || entry.watcher !== undefined) return;
      const lose = (error: unknown) => {
        entry.watcher?.close();
        entry.watcher = undefined;
        report(error);
      };
      entry.watcher = watchFolder(outbox, () => onHint(outbox), lose);
      // Messages may have come before the watch.
      onHint(outbox);
      clearIfAllWatched();
    } catch (error) {
      if (watched.has(outbox)) report(error);
    }
  }

  function report(error: unknown): void {
    const why = (error as NodeJS.ErrnoException).code ?? String(error);
    const message = `an outbox cannot be watched (${why}); such outboxes are read every ${POLL_MS / 1_000} s instead`;
    troubles.raise(TROUBLE, new LegionError('speech.outbox_unwatched', message, { cause: error }));
  }

  function clearIfAllWatched(): void {
    if ([...watched.values()].every(({ watcher }) => watcher !== undefined)) troubles.clear(TROUBLE);
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
