/**
 * Tests that if a writer is killed with SIGKILL at any moment, acknowledged events are kept and
 * nothing is written partially.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { openSqliteJournal } from '../../../src/journal/sqlite/sqlite-journal.ts';
import { readAll } from '../../ports/journal/events.ts';
import { chooseByEffort } from '../../support/effort.ts';
import { batchFrom } from './batches.ts';
import { useFolder } from './folder.ts';
import { integrity } from './integrity.ts';

const KILLS = chooseByEffort(15, 200);
/**
 * Number of journals that are tested in parallel. There are few, because each writer starts a Node
 * process that keeps one core busy.
 */
const JOURNALS = 4;
const LIVES = Math.floor(KILLS / JOURNALS);
/**
 * Version that the last writer of each journal must reach before it is killed, however slow the
 * machine is.
 */
const MIN_VERSION = 1 + (KILLS * 10) / JOURNALS;
/**
 * After every third kill, the test lets the next writer open the file without checking the file
 * first.
 */
const UNSEEN = 3;

/** Maximum number of milliseconds between the first acknowledged append and the kill. */
const WRITING_MS = 60;
/**
 * One writer in four is killed while it opens, creates or recovers the file, which takes a few
 * milliseconds.
 */
const OPENING_MS = 10;

/**
 * At 0.2 s each, 200 starts of Node take 20 s on two cores. A busy machine may need several times
 * as long.
 */
const TIMEOUT_MS = 180_000;

const folder = useFolder();
const { LEGION_SEED: given } = process.env;
const seed = Number(given ?? Math.floor(Math.random() * 2 ** 31));

test(`the journal survives ${KILLS} kills of its writer (LEGION_SEED=${seed})`, {
  timeout: TIMEOUT_MS,
}, async () => {
  process.stdout.write(`crash test: LEGION_SEED=${seed}\n`);
  const lives = await Promise.allSettled(
    Array.from({ length: JOURNALS }, (_, number) =>
      liveAndDie(join(folder(), `${number}.db`), randomFrom(seed + number)),
    ),
  );
  // A failure is thrown only now, because all writers must have ended before the folder is removed.
  const versions = lives.map((life) => (life.status === 'fulfilled' ? life.value : raise(life.reason)));
  // The test proves nothing if the writers never wrote.
  expect(versions.reduce((sum, version) => sum + version)).toBeGreaterThan(KILLS * 10);
});

function raise(reason: unknown): never {
  throw reason;
}

/** Kills one writer after another on the same file. Resolves to the version reached. */
async function liveAndDie(path: string, random: () => number): Promise<number> {
  let acknowledged = 0;
  let checked = 0;
  for (let life = 1; life <= LIVES; life += 1) {
    const last = await oneLife(path, life, random);
    acknowledged = Math.max(acknowledged, last);
    if (life % UNSEEN === 0) continue;
    checked = await check(path, acknowledged, checked);
  }
  await check(path, acknowledged, 0);
  return acknowledged;
}

/**
 * Runs one writer until it is killed. Resolves to the last version that it printed, or 0 if it
 * printed none.
 */
async function oneLife(path: string, life: number, random: () => number): Promise<number> {
  const isLast = life === LIVES;
  const [trigger, limit] =
    random() < 0.25 && !isLast ? ([1, OPENING_MS] as const) : ([2, WRITING_MS] as const);
  const delay = random() * limit;
  const child = spawn(process.execPath, [WRITER, path, String(life)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_COMPILE_CACHE: join(folder(), 'compiled') },
  });
  const closed = once(child, 'close');
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint += text;
  });
  const lines: string[] = [];
  const triggered = Promise.withResolvers<void>();
  createInterface(child.stdout).on('line', (line) => {
    lines.push(line);
    if (lines.length >= trigger && (!isLast || Number(line) >= MIN_VERSION)) triggered.resolve();
  });
  await Promise.race([triggered.promise, closed]);
  await sleep(delay);
  child.kill('SIGKILL');
  const [code, signal] = await closed;
  expect({ code, signal, complaint }, `life ${life}`).toEqual({
    code: null,
    signal: 'SIGKILL',
    complaint: '',
  });
  return Number(lines.at(-1)?.replace('opening', '0') ?? 0);
}

/**
 * Checks that everything beyond `checked` consists of complete batches. Resolves to the journal's
 * version.
 */
async function check(path: string, acknowledged: number, checked: number): Promise<number> {
  const journal = await openSqliteJournal(path);
  const version = await journal.version();
  expect(version, 'no acknowledged event is missing').toBeGreaterThanOrEqual(acknowledged);
  const events = await readAll(journal, checked);
  await journal.close();

  let seq = checked;
  while (seq < version) {
    const batch = batchFrom(seq + 1);
    const stored = events.slice(seq - checked, seq - checked + batch.length);
    const whole = batch.map((body, index) => ({
      ...body,
      seq: seq + 1 + index,
      at: seq,
      epoch: stored[0]?.epoch,
    }));
    // Compares directly, because `expect` takes a millisecond instead of microseconds. `expect` is
    // called only to describe a difference.
    if (!isDeepStrictEqual(stored, whole)) expect(stored, `the batch from ${seq + 1} on`).toEqual(whole);
    seq += batch.length;
  }
  expect(seq, 'the last batch ends where the journal ends').toBe(version);
  expect(integrity(path)).toBe('ok');
  return version;
}

const WRITER = fileURLToPath(new URL('writer.ts', import.meta.url));

/** Returns pseudo-random numbers from 0 to 1 for the seed (mulberry32). */
function randomFrom(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}
