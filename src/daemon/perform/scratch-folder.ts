/** A folder in the workspace for files a worker needs for a moment: it ignores itself, so nothing in it is ever committed. */
import { lstatSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Beside `.legion`, which is the repository's own and tracked. */
export const SCRATCH_FOLDER = '.legion-scratch';

/** The ignore file lies inside the folder, so that neither a tracked file nor the user's git settings change. */
export function makeScratchFolder(workspace: string): void {
  const folder = join(workspace, SCRATCH_FOLDER);
  try {
    mkdirSync(folder, { recursive: true });
    // A link in the repository must not lead us to write elsewhere.
    if (lstatSync(folder).isDirectory()) writeFileSync(join(folder, '.gitignore'), '*\n', { flag: 'wx' });
  } catch {
    // It is there already, or cannot be made; a worker can do without.
  }
}
