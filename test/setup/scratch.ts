/**
 * Creates a directory for the whole run: the temporary directory of all tests, and files that test
 * files share.
 */
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  export interface ProvidedContext {
    readonly scratch: string;
  }
}

const PREFIX = 'legion-test-';
/**
 * A directory in memory, because tests write tens of thousands of files and wait for many flushes
 * to disk.
 */
const MEMORY = '/dev/shm';
/** A run needs a few hundred megabytes at a time. Containers often have only 64 MB. */
const MIN_FREE_BYTES = 4e9;
/**
 * Lets other users enter the directory, because some tests share a subdirectory with another user.
 */
const PASSABLE = 0o711;
/** A killed run leaves its directory behind. No run takes a day. */
const ABANDONED_AFTER_MS = 24 * 3_600_000;

export function setup({ provide }: TestProject): () => void {
  const parent = chooseParent();
  removeAbandoned(parent);
  const folder = realpathSync(mkdtempSync(join(parent, PREFIX)));
  chmodSync(folder, PASSABLE);
  provide('scratch', folder);
  return () => rmSync(folder, { recursive: true, force: true });
}

function chooseParent(): string {
  const { TMPDIR } = process.env;
  if (TMPDIR !== undefined) return TMPDIR;
  return isUsable(MEMORY) ? MEMORY : tmpdir();
}

/**
 * Checks that programs can be run there. Tests run programs that they write, which some systems
 * forbid in this directory.
 */
function isUsable(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .find((line) => line.split(' ')[1] === folder);
    const options = mount?.split(' ')[3]?.split(',') ?? [];
    return mount !== undefined && !options.includes('noexec') && bavail * bsize >= MIN_FREE_BYTES;
  } catch {
    return false; // not every machine has this directory
  }
}

function removeAbandoned(parent: string): void {
  const { uid } = userInfo();
  const before = Date.now() - ABANDONED_AFTER_MS;
  for (const name of readdirSync(parent)) {
    if (!name.startsWith(PREFIX)) continue;
    const path = join(parent, name);
    const found = statSync(path, { throwIfNoEntry: false });
    if (found?.uid === uid && found.mtimeMs < before) rmSync(path, { recursive: true, force: true });
  }
}
