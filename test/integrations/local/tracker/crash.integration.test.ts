/**
 * Tests that `kill -9` at any instant loses no acknowledged write, leaves no partial write and
 * reuses no id.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { comments, SIGNAL } from '../../../ports/tracker/issues.ts';
import { chooseByEffort } from '../../../support/effort.ts';
import { useBoard } from './board.ts';
import { integrity } from './integrity.ts';

const KILLS = chooseByEffort(4, 30);

/**
 * Maximum number of acknowledged writes before a kill. Writes are counted instead of timed, because
 * a busy machine writes slowly.
 */
const WRITES = 40;
/** Share of runs that are killed while opening, creating or recovering the file. */
const WHILE_OPENING = 0.25;
/** Maximum milliseconds between the trigger and the kill, enough for one or two writes. */
const DELAY_MS = 8;
/** Time for 30 starts of Node at 0.3 s each. A busy machine may need several times as long. */
const TIMEOUT_MS = 120_000;

const WRITER = fileURLToPath(new URL('writer.ts', import.meta.url));

const { LEGION_SEED: given } = process.env;
const seed = Number(given ?? Math.floor(Math.random() * 2 ** 31));

const { open, path, folder } = useBoard();

/** Acknowledged writes of all runs. For each step, the id of its issue and its completed parts. */
type Acknowledged = Map<string, { readonly id: string; readonly did: Set<string> }>;

test(`survives ${KILLS} kills of its writer (LEGION_SEED=${seed})`, { timeout: TIMEOUT_MS }, async () => {
  process.stdout.write(`board crash test: LEGION_SEED=${seed}\n`);
  const random = randomFrom(seed);
  const acknowledged: Acknowledged = new Map();
  const deleted = new Set<string>();
  for (let life = 1; life <= KILLS; life += 1) {
    for (const line of await oneLife(random, life === KILLS)) note(line, acknowledged);
    // After every third kill, the next writer has to recover the file itself.
    if (life % 3 === 0) continue;
    await check(acknowledged, deleted);
    if (life % 5 === 0) deleteNewest(deleted, acknowledged);
  }
  await check(acknowledged, deleted);
  // Without any successful write, the test would prove nothing.
  expect(acknowledged.size).toBeGreaterThan(KILLS);
});

/**
 * Runs a writer, kills it and returns its output. The last writer is never killed before it has
 * written, because all of the few random kills before it may have come too early.
 */
async function oneLife(random: () => number, isLast: boolean): Promise<string[]> {
  const drawn = random() < WHILE_OPENING ? 1 : 2 + Math.floor(random() * WRITES);
  const trigger = isLast ? 1 + WRITES : drawn;
  const delay = random() * DELAY_MS;
  const child = spawn(process.execPath, [WRITER, path()], {
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
    if (lines.push(line) === trigger) triggered.resolve();
  });
  await Promise.race([triggered.promise, closed]);
  await sleep(delay);
  child.kill('SIGKILL');
  const [code, signal] = await closed;
  expect({ code, signal, complaint }).toEqual({ code: null, signal: 'SIGKILL', complaint: '' });
  return lines.slice(1);
}

function note(line: string, acknowledged: Acknowledged): void {
  const [what = '', step = '', id = ''] = line.split(' ');
  const known = acknowledged.get(step) ?? { id, did: new Set() };
  expect([step, id], 'a repeated step returns the same issue').toEqual([step, known.id]);
  known.did.add(what);
  acknowledged.set(step, known);
}

async function check(acknowledged: Acknowledged, deleted: ReadonlySet<string>): Promise<void> {
  const board = await open();
  const issues = await board.list(SIGNAL);
  const byStep = new Map(issues.map((issue) => [issue.title, issue]));
  expect(byStep.size, 'no step created two issues').toBe(issues.length);
  for (const { id } of issues) expect([...deleted], 'an id is never reused').not.toContain(id);
  for (const [step, { id, did }] of acknowledged) {
    expect(byStep.get(step)?.id, `step ${step}`).toBe(id);
    if (did.has('moved')) expect(byStep.get(step)?.column, `step ${step}`).toBe('Testing');
    if (did.has('commented')) expect(await comments(board, id), `step ${step}`).toHaveLength(1);
  }
  for (const { title, column, labels, id } of issues) {
    const whole =
      column === 'Testing' ? ['left', 'right', 'worker-active'] : ['left', 'right', 'worker-done'];
    expect([title, column, labels]).toEqual([title, column, whole]);
    expect((await comments(board, id)).length, `step ${title}`).toBeLessThanOrEqual(1);
  }
  await board.dispose();
  expect(integrity(path())).toBe('ok');
}

/**
 * Deletes an issue as a person with the `sqlite3` tool would. The next writer repeats the step,
 * which creates another issue.
 */
function deleteNewest(deleted: Set<string>, acknowledged: Acknowledged): void {
  const db = new DatabaseSync(path());
  const { id, title } = db.prepare('SELECT id, title FROM issues ORDER BY number DESC LIMIT 1').get() ?? {};
  if (id !== undefined) {
    for (const table of ['labels', 'comments', 'blockers']) {
      db.prepare(`DELETE FROM ${table} WHERE issue = ?`).run(id);
    }
    db.prepare('DELETE FROM issues WHERE id = ?').run(id);
    deleted.add(String(id));
    acknowledged.delete(String(title));
  }
  db.close();
}

/** Pseudo-random numbers between 0 and 1 from the seed (mulberry32). */
function randomFrom(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}
