/** The same as `write.ts` while everything else waits: for a file that is written once at the start or by a person's word. */
import { chmodSync, closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { draftBeside, PRIVATE_FILE } from './draft.ts';

export function writeDurablySync(path: string, text: string, mode = PRIVATE_FILE): void {
  const draft = draftBeside(path);
  try {
    writeFileSync(draft, text, { flag: 'wx', mode, flush: true });
    chmodSync(draft, mode); // a umask may have taken away the right to run it
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
  syncFolder(dirname(path));
}

function syncFolder(path: string): void {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
