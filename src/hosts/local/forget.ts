/** Removes what is kept of attempts that are long over, so that neither the disk nor the looking fills up with them. */
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { WorkerId } from '../../domain/ids.ts';
import { type AdoptContext, adoptProcesses } from './adopt.ts';
import { attemptFolder, exists, FOLDER_MODE } from './attempt-folder.ts';
import { errnoOf } from './faults.ts';

export async function forgetAttempts(context: AdoptContext, worker: WorkerId, upTo: number): Promise<void> {
  const folder = dirname(attemptFolder(context.state, worker, 1));
  if (!(await exists(folder))) return;
  const running = new Set((await adoptProcesses(context, worker)).map(({ attempt }) => attempt));
  for (const name of await readdir(folder)) {
    const attempt = Number(name);
    // Whatever else lies there is not ours to remove.
    if (!Number.isInteger(attempt) || attempt > upTo || running.has(attempt)) continue;
    await discard(context.state, join(folder, name));
    context.ended.delete(join(folder, name));
  }
  await rmdir(folder).catch((error: unknown) => {
    if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(errnoOf(error))) throw error;
  });
}

/** Out of sight in one step: half a folder would look like an attempt whose records are damaged. */
async function discard(state: string, path: string): Promise<void> {
  const trash = join(state, 'preparing', randomUUID());
  await mkdir(dirname(trash), { recursive: true, mode: FOLDER_MODE });
  await rename(path, trash);
  await rm(trash, { recursive: true, force: true });
}
