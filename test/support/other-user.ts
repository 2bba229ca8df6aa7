/** Creates a directory that belongs to a different user than the one running the tests. */
import { chownSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';

const NOBODY_UID = 65_534;

/**
 * Returns the directory. Only root can change an owner; any other user gets `/etc`, which belongs
 * to root.
 */
export function createFolderOfAnotherUser(within: string): string {
  if (process.getuid?.() !== 0) return '/etc';
  const folder = mkdtempSync(join(within, 'foreign-'));
  chownSync(folder, NOBODY_UID, NOBODY_UID);
  return folder;
}
