/** Brings the dashboard of this clone up to date: builds it where its sources have changed, and prints the folder it is in. */
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
/** A folder for each state of the sources, and `current`, which names the one a daemon of this clone serves. */
const CACHE = join(ROOT, 'node_modules/.cache/legion-web');
/** A daemon or a test run may be using another one for as long as it lives; a day is long. */
const UNUSED_AFTER_MS = 24 * 3_600_000;

mkdirSync(CACHE, { recursive: true });
try {
  const name = await upToDate();
  replace(join(CACHE, 'current'), `${name}\n`);
  sweep(name);
  console.log(join(CACHE, name));
} catch (error) {
  // The stack is the builder's own; what it says is about our files.
  console.error((error as Error).message);
  process.exitCode = 1;
}

/** Once more where somebody saved a file meanwhile: a folder holds what its name says. */
async function upToDate(): Promise<string> {
  for (;;) {
    const name = hashWebSources(ROOT);
    const place = join(CACHE, name);
    if (existsSync(place)) {
      touch(place);
      return name;
    }
    await build(place, () => hashWebSources(ROOT) === name);
  }
}

/** Beside its place, so that nobody ever meets half of it; whoever is second has built the same. */
async function build(place: string, isStill: () => boolean): Promise<void> {
  const draft = join(CACHE, `draft-${process.pid}`);
  try {
    // What goes wrong is said once, at the end.
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

function touch(folder: string): void {
  const now = new Date();
  utimesSync(folder, now, now);
}

function sweep(used: string): void {
  const old = readdirSync(CACHE)
    .filter((each) => each !== used && each !== 'current')
    .map((each) => join(CACHE, each))
    .filter(
      (path) => Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) > UNUSED_AFTER_MS,
    );
  for (const path of old) rmSync(path, { recursive: true, force: true });
}
