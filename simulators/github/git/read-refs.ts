/**
 * Reads the branches of a bare repository from its files, because every request needs them and a
 * git process each time would be slow.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

export function readBranches(folder: string): Map<string, string> {
  const branches = new Map<string, string>();
  const packed = join(folder, 'packed-refs');
  if (existsSync(packed)) {
    for (const line of readFileSync(packed, 'utf8').split('\n')) {
      const [oid = '', name = ''] = line.split(' ');
      if (name.startsWith('refs/heads/')) branches.set(name, oid);
    }
  }
  // A loose ref is newer than a packed one.
  for (const entry of readdirSync(join(folder, 'refs/heads'), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.name.endsWith('.lock')) continue;
    const path = join(entry.parentPath, entry.name);
    const oid = readLoose(path);
    if (/^[0-9a-f]{40}$/.test(oid)) branches.set(relative(folder, path), oid);
  }
  return branches;
}

function readLoose(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return ''; // deleted while the directory was being read
  }
}
