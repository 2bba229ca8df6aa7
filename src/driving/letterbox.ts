/** The letters to a session: which of them it has not heard yet, and whether one of them cannot wait for the end of the turn. */

import { type FSWatcher, watch } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { listNames } from '../lib/fs/folder.ts';
import { isLetterName, type Letter, readLetter } from '../protocol/letter.ts';

/** A file system that tells of no changes is looked at this often. */
const LOOK_MS = 1_000;

export interface Letterbox {
  /** Not heard yet, the oldest first. */
  waiting(): Promise<readonly Letter[]>;
  heard(letters: readonly Letter[]): void;
  /** Calls once there is a letter that is to cut the turn short; returns the way to stop looking. */
  whenUrgent(call: () => void): () => void;
}

/** `folder` undefined: nobody can write to this session while it works. It need not exist yet. */
export function openLetterbox(folder: string | undefined): Letterbox {
  const known = new Set<string>();

  async function waiting(): Promise<readonly Letter[]> {
    if (folder === undefined) return [];
    const names = (await listNames(folder)).filter((name) => isLetterName(name) && !known.has(name)).sort();
    const letters: Letter[] = [];
    for (const name of names) {
      const letter = readLetter(await readFile(join(folder, name), 'utf8'), name);
      if (letter.ok) letters.push(letter.value);
      // Whoever wrote it keeps it until it is heard; here it would be read again for ever.
      else known.add(name);
    }
    return letters;
  }

  return {
    waiting,
    heard(letters) {
      for (const { id } of letters) known.add(`${id}.json`);
    },
    whenUrgent(call) {
      if (folder === undefined) return () => undefined;
      let looking = false;
      const look = async () => {
        if (looking) return;
        looking = true;
        const letters = await waiting().catch(() => []);
        looking = false;
        if (letters.some(({ interrupt }) => interrupt)) call();
      };
      const timer = setInterval(() => void look(), LOOK_MS);
      const watcher = watched(folder, () => void look());
      void look();
      return () => {
        clearInterval(timer);
        watcher?.close();
      };
    },
  };
}

/** Only sooner than the timer: a folder that is not there yet, or cannot be watched, is looked at all the same. */
function watched(folder: string, changed: () => void): FSWatcher | undefined {
  try {
    const watcher = watch(folder, changed);
    watcher.on('error', () => watcher.close());
    return watcher;
  } catch {
    return undefined;
  }
}
