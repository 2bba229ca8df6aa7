/** The note of a board whose options are being written anew: what a killed rewriting needs to be finished. */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { LegionError } from '../../core/model/fault.ts';
import { writeDurablySync } from '../../lib/fs/atomic-write.ts';

const FILE = 'status-options.json';
const FOLDER_MODE = 0o700;

const noteSchema = z.object({
  board: z.string().min(1),
  field: z.string().min(1),
  /** The ids of the options before: as long as one of them is there, nothing has been written. */
  before: z.array(z.string()),
  values: z.array(z.object({ item: z.string().min(1), archived: z.boolean(), option: z.string().min(1) })),
});

export type RewriteNote = z.infer<typeof noteSchema>;

export function notePath(state: string): string {
  return join(state, FILE);
}

export function readNote(state: string): RewriteNote | undefined {
  const path = notePath(state);
  if (!existsSync(path)) return undefined;
  try {
    return noteSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    // Not thrown away: it may be all that is left of where the items were.
    throw new LegionError('input.invalid', `${path} cannot be read: ${(error as Error).message}`);
  }
}

/** On the disk before anything is changed on GitHub. */
export function writeNote(state: string, note: RewriteNote): void {
  const path = notePath(state);
  try {
    mkdirSync(dirname(path), { recursive: true, mode: FOLDER_MODE });
    writeDurablySync(path, `${JSON.stringify(note)}\n`);
  } catch (error) {
    throw new LegionError('daemon.state_unusable', `${path}: ${(error as Error).message}`, { cause: error });
  }
}

export function removeNote(state: string): void {
  rmSync(notePath(state), { force: true });
}
