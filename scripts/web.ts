/** Rebuilds this clone's dashboard if its sources have changed, and prints its directory. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { hashWebSources } from './build/sources-hash.ts';
import { buildWeb } from './build/web.ts';

const ROOT = dirname(import.meta.dirname);
/**
 * Contains one directory per version of the sources, and `current`, which points to the one that
 * this clone's daemon serves.
 */
const CACHE = join(ROOT, 'node_modules/.cache/legion-web');
/**
 * Age at which a build is deleted. A daemon or a test run may still be using an older build, but
 * hardly ever for longer than a day.
 */
const UNUSED_AFTER_MS = 24 * 3_600_000;

mkdirSync(CACHE, { recursive: true });
try {
  const name = await ensureUpToDateBuild();
  replace(join(CACHE, 'current'), `${name}\n`);
  removeOldBuilds(name);
  console.log(join(CACHE, name));
} catch (error) {
  // Prints only the message, because the stack trace is that of the build tool.
  console.error((error as Error).message);
  process.exitCode = 1;
}

/**
 * Builds again if a source changed during the build, because a directory must match the hash in its
 * name.
 */
async function ensureUpToDateBuild(): Promise<string> {
  for (;;) {
    const name = hashWebSources(ROOT);
    const place = join(CACHE, name);
    if (existsSync(place)) {
      updateModifiedTime(place);
      return name;
    }
    await build(place, () => hashWebSources(ROOT) === name);
  }
}

/**
 * Builds in a temporary directory and renames it, so that a partial build is never visible. If
 * another process builds the same sources at the same time, both results are equal.
 */
async function build(place: string, isStill: () => boolean): Promise<void> {
  const draft = join(CACHE, `draft-${process.pid}`);
  try {
    // Prints nothing, because an error is printed once at the end.
    await buildWeb(ROOT, draft, 'silent');
    if (isStill() && !existsSync(place)) renameSync(draft, place);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

function replace(path: string, text: string): void {
  const draft = `${path}-${process.pid}`;
  writeFileSync(draft, text);
  renameSync(draft, path);
}

function updateModifiedTime(folder: string): void {
  const now = new Date();
  utimesSync(folder, now, now);
}

function removeOldBuilds(used: string): void {
  const old = readdirSync(CACHE)
    .filter((each) => each !== used && each !== 'current')
    .map((each) => join(CACHE, each))
    .filter(
      (path) => Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) > UNUSED_AFTER_MS,
    );
  for (const path of old) rmSync(path, { recursive: true, force: true });
}
