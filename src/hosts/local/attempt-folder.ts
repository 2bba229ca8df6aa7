/** The folder of one attempt: where each thing is kept, and how it comes into being whole or not at all. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { folderName, type WorkerId } from '../../core/model/ids.ts';
import { errnoOf } from './faults.ts';

/** Prompts and output may hold anything: for this user only. */
export const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

/** Longer than any preparation takes; what is older was left by a daemon that died meanwhile. */
const ABANDONED_MS = 3_600_000;

/**
 * - `start.json`   what was to be started, from before it is; `stdin` what it reads.
 * - `claim`        exists as soon as one runner has taken the attempt; the pid and start time of that runner.
 * - `process.json` the process itself; written before it executes anything.
 * - `out`, `err`   what it writes, by its own hand. `overflowed` exists when something of it was dropped.
 * - `exit.json`    its exit status. It and `process.json` hold blanks from the beginning: their place on the disk.
 */
export type AttemptFile =
  | 'start.json'
  | 'stdin'
  | 'claim'
  | 'process.json'
  | 'out'
  | 'err'
  | 'overflowed'
  | 'exit.json';

export function attemptFolder(state: string, worker: WorkerId, attempt: number): string {
  return join(state, 'attempts', folderName(worker), String(attempt));
}

export async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return false;
    throw error;
  }
}

/**
 * Makes the folder with all its files in one step: under another name first, then renamed. Of several that do so at once,
 * one wins, and the others find its folder; resolves to whether this call has won.
 *
 * Nothing is flushed to the disk: a power cut ends the worker, too, and an attempt of an earlier boot is never started.
 * Synchronous, because the way to a thread and back takes ten times as long as writing one of these small files.
 */
export function prepareFolder(
  state: string,
  folder: string,
  files: Readonly<Partial<Record<AttemptFile, string>>>,
): boolean {
  if (statSync(folder, { throwIfNoEntry: false }) !== undefined) return false;
  const prepared = join(state, 'preparing', randomUUID());
  mkdirSync(prepared, { recursive: true, mode: FOLDER_MODE });
  try {
    mkdirSync(dirname(folder), { recursive: true, mode: FOLDER_MODE });
    for (const [name, content] of Object.entries(files))
      writeFileSync(join(prepared, name), content, { flag: 'wx', mode: FILE_MODE });
    renameSync(prepared, folder);
    return true;
  } catch (error) {
    rmSync(prepared, { recursive: true, force: true });
    if (!['ENOTEMPTY', 'EEXIST'].includes(errnoOf(error))) throw error;
    return false;
  }
}

/** What daemons left behind that died while they prepared a folder. */
export async function removeAbandoned(state: string): Promise<void> {
  const preparing = join(state, 'preparing');
  if (!(await exists(preparing))) return;
  for (const name of await readdir(preparing)) {
    const path = join(preparing, name);
    const madeAt = await madeAtIfThere(path);
    if (madeAt !== undefined && Date.now() - madeAt > ABANDONED_MS)
      await rm(path, { recursive: true, force: true });
  }
}

/** Another daemon may just have put it in its place. */
async function madeAtIfThere(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).mtimeMs;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}
