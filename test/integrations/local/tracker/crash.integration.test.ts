/** `kill -9` at any instant loses nothing that was acknowledged, leaves nothing half and gives no id away twice. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { comments, SIGNAL } from '../../../ports/tracker/issues.ts';
import { effort } from '../../../support/effort.ts';
import { useBoard } from './board.ts';
import { integrity } from './integrity.ts';

const KILLS = effort(4, 30);

/** Most acknowledged writes before a kill: counted, because a busy machine does few of them in any time. */
const WRITES = 40;
/** One life in four is ended while it opens, makes or recovers the file. */
const WHILE_OPENING = 0.25;
/** Milliseconds after what is waited for, a write or two: the kill falls anywhere within them. */
const DELAY_MS = 8;
/** 30 starts of Node at 0.3 s, one after the other; a busy machine may need some times that. */
const TIMEOUT_MS = 120_000;

const WRITER = fileURLToPath(new URL('writer.ts', import.meta.url));

const { LEGION_SEED: given } = process.env;
const seed = Number(given ?? Math.floor(Math.random() * 2 ** 31));

const { open, path, folder } = useBoard();

/** What the writers of all lives were told is done: by step, its id and how far it got. */
type Acknowledged = Map<string, { readonly id: string; readonly did: Set<string> }>;

test(`survives ${KILLS} kills of its writer (LEGION_SEED=${seed})`, { timeout: TIMEOUT_MS }, async () => {
  process.stdout.write(`board crash test: LEGION_SEED=${seed}\n`);
  const random = randomFrom(seed);
  const acknowledged: Acknowledged = new Map();
  const deleted = new Set<string>();
  for (let life = 1; life <= KILLS; life += 1) {
    for (const line of await oneLife(random, life === KILLS)) note(line, acknowledged);
    // Every third time nobody mends the file before the next writer finds it.
    if (life % 3 === 0) continue;
    await check(acknowledged, deleted);
    if (life % 5 === 0) deleteNewest(deleted, acknowledged);
  }
  await check(acknowledged, deleted);
  // A test whose writers never got to write would prove nothing.
  expect(acknowledged.size).toBeGreaterThan(KILLS);
});

/**
 * Resolves to what the writer printed before it was killed. The last writer always gets to write,
 * because a few random kills may all come too early.
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
  expect([step, id], 'a step done again is the same issue').toEqual([step, known.id]);
  known.did.add(what);
  acknowledged.set(step, known);
}

async function check(acknowledged: Acknowledged, deleted: ReadonlySet<string>): Promise<void> {
  const board = await open();
  const issues = await board.list(SIGNAL);
  const byStep = new Map(issues.map((issue) => [issue.title, issue]));
  expect(byStep.size, 'no step made two issues').toBe(issues.length);
  for (const { id } of issues) expect([...deleted], 'an id is never given away again').not.toContain(id);
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

/** As a person with the `sqlite3` tool would. The writer's next life makes the same step again, as another issue. */
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

/** Numbers from 0 to 1 that follow from the seed (mulberry32). */
function randomFrom(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}
