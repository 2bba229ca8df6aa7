/** Hints that something was put into an outbox; the pass that looks anyway is what is relied upon. */
import { type FSWatcher, mkdirSync, watch } from 'node:fs';
import { join } from 'node:path';
import type { World } from '../world.ts';
import { OUTBOXES } from './take-in-outboxes.ts';

const FOLDER_MODE = 0o700;

/** Calls `onHint` after a change, perhaps several times, perhaps not at all; returns the way to stop that. */
export function watchOutboxes({ folders }: Pick<World, 'folders'>, onHint: () => void): () => void {
  const watcher = begin(join(folders.state, OUTBOXES), onHint);
  return () => watcher?.close();
}

/** Undefined where nothing can be watched, such as when the system has no more watches to give. */
function begin(root: string, onHint: () => void): FSWatcher | undefined {
  try {
    mkdirSync(root, { recursive: true, mode: FOLDER_MODE });
    const watcher = watch(root, { recursive: true, persistent: false }, () => onHint());
    watcher.on('error', () => watcher.close());
    return watcher;
  } catch {
    return undefined;
  }
}
