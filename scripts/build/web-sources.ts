/** What the dashboard is built from, as one hash: the same hash is the same dashboard. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** All that the pages may import, what builds them, and the very versions of the packages. */
const FOLDERS = ['web', 'src/domain', 'src/protocol'];
const FILES = ['package-lock.json', 'tsconfig.json', 'scripts/build/web.ts'];

export function webSourcesHash(root: string): string {
  const hash = createHash('sha256');
  for (const path of [...FOLDERS.flatMap((folder) => filesBelow(root, folder)), ...FILES].sort()) {
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0');
  }
  return hash.digest('hex').slice(0, 16);
}

function filesBelow(root: string, folder: string): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
}
