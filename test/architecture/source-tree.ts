/** The source files under one folder, by their path from the root: from disk, or planted by a test. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export type SourceTree = ReadonlyMap<string, string>;

/** Paths come out with "/" and sorted, so that a report reads the same on every machine. */
export function readSourceTree(root: string, folder: string): SourceTree {
  const paths = readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  return new Map(
    paths.map((path) => [path.slice(root.length + 1).replaceAll('\\', '/'), readFileSync(path, 'utf8')]),
  );
}
