/** Carries an installation out: writes and removes what was found to be ours, then the list of it. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { LegionError } from '../../../domain/fault.ts';
import { writeDurablySync } from '../../../lib/fs/atomic-write.ts';
import { type Change, compare } from './compare.ts';
import { MANIFEST_FILE, type Manifest, manifestText, readManifest } from './manifest.ts';
import type { ShippedFile } from './shipped.ts';

/** What everybody may read in the package, everybody may read here. */
const READABLE = 0o644;

export interface Copying {
  readonly folder: string;
  readonly shipped: readonly ShippedFile[];
  readonly version: string;
  readonly force: boolean;
}

export function copySkills({ folder, shipped, version, force }: Copying): readonly Change[] {
  const before = readManifest(folder);
  const changes = compare(folder, shipped, before, force);
  const texts = new Map(shipped.map(({ path, text }) => [path, text]));
  for (const { path, what } of changes) {
    if (what === 'new' || what === 'changed') write(join(folder, path), texts.get(path) ?? '');
    if (what === 'removed') remove(folder, path);
  }
  // Last: cut off before it, the next installation finds the new files equal to its own and lists them.
  const text = manifestText({ version, files: listed(changes, shipped, before) });
  if (text !== textAt(join(folder, MANIFEST_FILE))) write(join(folder, MANIFEST_FILE), text);
  return changes;
}

/** A file that was kept stays listed as it was once written, so that it still counts as changed by hand. */
function listed(
  changes: readonly Change[],
  shipped: readonly ShippedFile[],
  before: Manifest | undefined,
): Manifest['files'] {
  const hashes = new Map(shipped.map(({ path, hash }) => [path, hash]));
  const entries = changes.flatMap(({ path, what }) => {
    const hash = what === 'kept' ? before?.files[path] : what === 'removed' ? undefined : hashes.get(path);
    return hash === undefined ? [] : [[path, hash] as const];
  });
  return Object.fromEntries(entries);
}

function write(path: string, text: string): void {
  doing(path, () => {
    mkdirSync(dirname(path), { recursive: true });
    writeDurablySync(path, text, READABLE);
  });
}

/** With the folders it leaves empty, up to the folder of all skills. */
function remove(folder: string, path: string): void {
  doing(join(folder, path), () => {
    rmSync(join(folder, path));
    for (let parent = dirname(path); parent !== '.'; parent = dirname(parent)) {
      if (readdirSync(join(folder, parent)).length > 0) return;
      rmdirSync(join(folder, parent));
    }
  });
}

function doing(path: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    throw new LegionError('config.unwritten', `${path}: ${(error as Error).message}`);
  }
}

function textAt(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}
