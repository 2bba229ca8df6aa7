/**
 * Builds the published package. Starting an installed Legion takes half as long as starting it from
 * its sources.
 */
import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';
import { buildBundle } from '../../scripts/build/bundle.ts';
import { hashPublishedSources } from '../../scripts/build/sources-hash.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    readonly launcher: string;
  }
}

const ROOT = join(import.meta.dirname, '../..');
const CACHE = join(ROOT, 'node_modules/.cache/legion-tests');
/**
 * A build is deleted only after it has been unused for this long, because another run may still be
 * using it. No run takes a day.
 */
const UNUSED_AFTER_MS = 24 * 3_600_000;

export async function setup({ provide }: TestProject): Promise<void> {
  mkdirSync(CACHE, { recursive: true });
  // If the sources are unchanged, the directory stays the same, and so does Node's compile cache in
  // it.
  const place = join(CACHE, `installed-${hashPublishedSources(ROOT)}`);
  if (isComplete(place)) touch(place);
  else await build(place);
  removeUnused(place);
  provide('launcher', join(place, 'bin/legion.js'));
}

/**
 * Returns whether the build is complete. A build without the dashboard is incomplete and is
 * repeated.
 */
function isComplete(place: string): boolean {
  return existsSync(join(place, 'dist/web'));
}

async function build(place: string): Promise<void> {
  const draft = join(CACHE, `draft-${process.pid}`);
  try {
    await buildBundle(ROOT, join(draft, 'dist'));
    await addDashboard(join(draft, 'dist/web'));
    for (const part of ['bin', 'skills', 'package.json'])
      cpSync(join(ROOT, part), join(draft, part), { recursive: true });
    // Another run may have built the same sources by now.
    if (isComplete(place)) return;
    rmSync(place, { recursive: true, force: true });
    renameSync(draft, place);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/**
 * Runs in its own process, because Vite needs another environment. If the dashboard build fails,
 * only the dashboard's own tests fail.
 */
async function addDashboard(folder: string): Promise<void> {
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [join(ROOT, 'scripts/web.ts')]);
    cpSync(stdout.trim(), folder, { recursive: true });
  } catch (error) {
    process.stderr.write(`The dashboard was not built: ${(error as Error).message}\n`);
  }
}

function touch(folder: string): void {
  const now = new Date();
  utimesSync(folder, now, now);
}

function removeUnused(place: string): void {
  const unused = readdirSync(CACHE)
    .filter((name) => /^(?:installed|draft)-/.test(name))
    .map((name) => join(CACHE, name))
    .filter((path) => path !== place && Date.now() - statSync(path).mtimeMs > UNUSED_AFTER_MS);
  for (const path of unused) rmSync(path, { recursive: true, force: true });
}
