/**
 * The source files under one folder, keyed by their path from the root. They are read from disk or
 * planted by a test.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export type SourceTree = ReadonlyMap<string, string>;

/** Returns sorted paths with "/", so that a report is the same on every machine. */
export function readSourceTree(root: string, folder: string): SourceTree {
  const paths = readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  return new Map(
    paths.map((path) => [path.slice(root.length + 1).replaceAll('\\', '/'), readFileSync(path, 'utf8')]),
  );
}
