/** Builds what is published, once for a whole run: tests start Legion as those do who have installed it, in half the time. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';
import { bundle } from '../../scripts/build/bundle.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    readonly launcher: string;
  }
}

const ROOT = join(import.meta.dirname, '../..');
const CACHE = join(ROOT, 'node_modules/.cache/legion-tests');
/** Another run may be using it for as long as a run takes; a day is many of them. */
const UNUSED_AFTER_MS = 24 * 3_600_000;

export async function setup({ provide }: TestProject): Promise<void> {
  const draft = join(CACHE, `draft-${process.pid}`);
  await bundle(ROOT, join(draft, 'dist'));
  await addDashboard(join(draft, 'dist/web'));
  for (const part of ['bin', 'skills', 'package.json'])
    cpSync(join(ROOT, part), join(draft, part), { recursive: true });
  // The same code keeps its folder, because what Node has compiled is remembered by path.
  const place = join(CACHE, `installed-${hashOf(draft)}`);
  if (existsSync(place)) rmSync(draft, { recursive: true });
  else renameSync(draft, place);
  sweep(place);
  provide('launcher', join(place, 'bin/legion.js'));
}

/**
 * As the clone has it: built only where its sources have changed. In a process of its own, because it wants another environment.
 * Where it cannot be built, the tests of the rest still tell something; those of the dashboard fail.
 */
async function addDashboard(folder: string): Promise<void> {
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [join(ROOT, 'scripts/web.ts')]);
    cpSync(stdout.trim(), folder, { recursive: true });
  } catch (error) {
    process.stderr.write(`the dashboard was not built: ${(error as Error).message}\n`);
  }
}

function hashOf(folder: string): string {
  const hash = createHash('sha256');
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    const file = join(folder, path);
    if (statSync(file).isFile()) hash.update(path).update(readFileSync(file));
  }
  return hash.digest('hex').slice(0, 16);
}

function sweep(place: string): void {
  mkdirSync(CACHE, { recursive: true });
  const old = readdirSync(CACHE)
    .filter((name) => /^(?:installed|draft)-/.test(name))
    .map((name) => join(CACHE, name))
    .filter((path) => path !== place && Date.now() - statSync(path).mtimeMs > UNUSED_AFTER_MS);
  for (const path of old) rmSync(path, { recursive: true, force: true });
}
