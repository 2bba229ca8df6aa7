/** Computes one hash over many source files. Equal hashes mean equal build results. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Sources of the dashboard: everything its pages may import, its build script, and the exact
 * package versions.
 */
const WEB = {
  folders: ['web', 'src/core/model', 'src/lib', 'src/protocol'],
  files: ['package-lock.json', 'tsconfig.json', 'scripts/build/web.ts'],
};
/** Sources of the published package: the bundle, the dashboard and the files beside them. */
const PUBLISHED = {
  folders: ['src', 'web', 'bin', 'skills', 'scripts/build'],
  files: ['package.json', 'package-lock.json', 'tsconfig.json'],
};

export function hashWebSources(root: string): string {
  return hashFiles(root, WEB);
}

export function hashPublishedSources(root: string): string {
  return hashFiles(root, PUBLISHED);
}

function hashFiles(root: string, { folders, files }: typeof WEB): string {
  const hash = createHash('sha256');
  for (const path of [...folders.flatMap((folder) => listFiles(root, folder)), ...files].sort()) {
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0');
  }
  return hash.digest('hex').slice(0, 16);
}

function listFiles(root: string, folder: string): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
}
