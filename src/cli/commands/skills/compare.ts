/** What an installation would do to each file of a folder, and which it leaves alone because somebody changed them. */
import { lstatSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { LegionError } from '../../../core/model/fault.ts';
import type { Manifest } from './manifest.ts';
import { hashOf, type ShippedFile } from './shipped.ts';

/** `kept`: somebody else's, or changed by hand. `removed`: ours, and no longer part of this version. */
export type What = 'new' | 'changed' | 'unchanged' | 'removed' | 'kept';

export interface Change {
  readonly path: string;
  readonly what: What;
  /** Why it is kept. */
  readonly why?: string;
}

export function compare(
  folder: string,
  shipped: readonly ShippedFile[],
  manifest: Manifest | undefined,
  force: boolean,
): readonly Change[] {
  const known = new Map(Object.entries(manifest?.files ?? {}));
  const paths = new Set(shipped.map(({ path }) => path));
  const gone = [...known.keys()].filter((path) => !paths.has(path)).sort();
  return [
    ...shipped.map((file) => ofShipped(folder, file, known.get(file.path), force)),
    ...gone.flatMap((path) => ofGone(folder, path, known.get(path), force)),
  ];
}

function ofShipped(folder: string, { path, hash }: ShippedFile, known: string | undefined, force: boolean) {
  const found = standingAt(folder, path);
  if (found === 'absent') return { path, what: 'new' } as const;
  if (found === 'link' || found === 'other') return { path, what: 'kept', why: WHY[found] } as const;
  if (found.hash === hash) return { path, what: 'unchanged' } as const;
  return force || found.hash === known
    ? ({ path, what: 'changed' } as const)
    : ({ path, what: 'kept', why: known === undefined ? WHY.foreign : WHY.byHand } as const);
}

function ofGone(folder: string, path: string, known: string | undefined, force: boolean): Change[] {
  const found = standingAt(folder, path);
  if (found === 'absent') return [];
  if (found === 'link' || found === 'other') return [{ path, what: 'kept', why: WHY[found] }];
  return force || found.hash === known
    ? [{ path, what: 'removed' }]
    : [{ path, what: 'kept', why: WHY.goneByHand }];
}

const WHY = {
  link: 'it is, or is reached through, a symbolic link, which is left alone',
  other: 'it is no ordinary file',
  foreign: 'it was there before and differs; --force overwrites it',
  byHand: 'somebody changed it; --force overwrites it',
  goneByHand: 'it is not part of this version any more, but somebody changed it; --force removes it',
} as const;

/** The folder itself may be a link, which is how people share it; a link inside of it leads to somebody's own copy. */
function standingAt(folder: string, path: string): 'absent' | 'link' | 'other' | { readonly hash: string } {
  const full = join(folder, path);
  try {
    for (let parent = dirname(path); parent !== '.'; parent = dirname(parent)) {
      if (lstatSync(join(folder, parent), { throwIfNoEntry: false })?.isSymbolicLink() === true)
        return 'link';
    }
    const stats = lstatSync(full, { throwIfNoEntry: false });
    if (stats === undefined) return 'absent';
    if (stats.isSymbolicLink()) return 'link';
    return stats.isFile() ? { hash: hashOf(readFileSync(full)) } : 'other';
  } catch (error) {
    // A file where a folder should be: nothing is at this path, and writing it will say so.
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return 'absent';
    throw new LegionError('config.unreadable', `${full}: ${(error as Error).message}`);
  }
}
