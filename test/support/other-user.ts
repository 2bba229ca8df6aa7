/** A folder that belongs to somebody else, whoever runs the tests. */
import { chownSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';

const NOBODY_UID = 65_534;

/** Only root can give a folder away; for everybody else root is somebody else. */
export function folderOfAnotherUser(within: string): string {
  if (process.getuid?.() !== 0) return '/etc';
  const folder = mkdtempSync(join(within, 'foreign-'));
  chownSync(folder, NOBODY_UID, NOBODY_UID);
  return folder;
}
