/** Leaves a letter for an attempt that runs, whole or not at all. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { LegionError, shown } from '../../core/model/fault.ts';
import type { WorkerId } from '../../core/model/ids.ts';
import { writeDurably } from '../../lib/fs/atomic-write.ts';
import { attemptFolder, exists, FOLDER_MODE } from './attempt-folder.ts';

/** A plain file name, of letters that no file system treats in its own way. */
const NAME = /^[0-9A-Za-z][0-9A-Za-z.-]{0,99}$/;

export function lettersFolder(state: string, worker: WorkerId, attempt: number): string {
  return join(attemptFolder(state, worker, attempt), 'letters');
}

export async function deliverLetter(
  state: string,
  worker: WorkerId,
  attempt: number,
  name: string,
  text: string,
): Promise<void> {
  if (!NAME.test(name)) throw new LegionError('input.invalid', `${shown(name)} is no name for a letter`);
  if (!(await exists(attemptFolder(state, worker, attempt))))
    throw new LegionError('host.no_attempt', `nothing was started as attempt ${attempt} of ${worker}`);
  const folder = lettersFolder(state, worker, attempt);
  await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
  const file = join(folder, name);
  // The same letter again is the same: it may have arrived although nobody was told.
  if (!(await exists(file))) await writeDurably(file, text);
}
