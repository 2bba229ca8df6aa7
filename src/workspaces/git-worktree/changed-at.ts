/** When the work in a workspace last changed: its newest commit, and whatever is not in one yet. */
import { lstat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Git } from '../../git/runner.ts';
import { uncommittedIn } from './standing.ts';

const COMMITTED_AT = ['log', '-1', '--format=%ct', 'HEAD'];
const SECOND_MS = 1_000;

/** Files that are looked at; whoever has changed more has surely done something, and is not held up by the looking. */
const FILES_MOST = 5_000;

export async function changedAt(git: Git, path: string): Promise<number> {
  const seconds = Number(await git.run(path, COMMITTED_AT));
  const files = await uncommittedIn(git, path, 'all');
  if (files.length > FILES_MOST) return Date.now();
  const times = await Promise.all(files.map((file) => touchedAt(path, join(path, file))));
  // The commit's time is cut to the second: the benefit of the doubt is the worker's.
  return Math.max((Number.isFinite(seconds) ? seconds + 1 : 0) * SECOND_MS, ...times);
}

/** By the kernel's own stamp, which nobody sets; of what was deleted, that of the nearest folder that is left. */
async function touchedAt(root: string, file: string): Promise<number> {
  try {
    return (await lstat(file)).ctimeMs;
  } catch {
    return file === root ? 0 : touchedAt(root, dirname(file));
  }
}
