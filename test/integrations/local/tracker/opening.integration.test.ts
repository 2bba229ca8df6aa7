/** Tests which files are accepted as a board, and the properties of a new board. */
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { BOARD_FORMAT, openLocalBoard } from '../../../../src/integrations/local/tracker/open-local-board.ts';
import { openDatabase } from '../../../../src/lib/sqlite.ts';
import { put, SIGNAL } from '../../../ports/tracker/issues.ts';
import { refusal } from '../../../ports/tracker/refusal.ts';
import { useBoard } from './board.ts';
import { runScript } from './script.ts';

const { open, path, folder } = useBoard();
const VISIT = new URL('visit.ts', import.meta.url);

describe('a new board', () => {
  test('is readable by its owner only, together with its directory and companion files', async () => {
    const file = join(folder(), 'state', 'legions', 'board.db');
    const board = await openLocalBoard(file, { prefix: 'LEG', now: Date.now });
    await put(board, 'one');
    for (const name of ['state', 'state/legions']) expect(modeOf(join(folder(), name))).toBe(0o700);
    for (const end of ['', '-wal', '-shm']) expect(modeOf(file + end), end).toBe(0o600);
    await board.dispose();
  });

  test('syncs every commit to disk through a write-ahead log and checks references', () => {
    const db = openDatabase(path(), BOARD_FORMAT);
    const setting = (name: string) => Object.values(db.prepare(`PRAGMA ${name}`).get() ?? {})[0];
    const FULL = 2;
    expect(['journal_mode', 'synchronous', 'foreign_keys'].map(setting)).toEqual(['wal', FULL, 1]);
    db.close();
  });

  test('can be created over an empty file and at a path with any characters', async () => {
    const odd = ['empty.db', 'file:a?mode=memory', 'per%20cent#?.db', 'grüße 🚀.db', "it's.db", ':memory:'];
    writeFileSync(join(folder(), 'empty.db'), '');
    for (const name of odd) {
      for (const key of ['first', 'second']) {
        const board = await openLocalBoard(join(folder(), name), { prefix: 'LEG', now: Date.now });
        await put(board, key);
        await board.dispose();
      }
      const again = await openLocalBoard(join(folder(), name), { prefix: 'LEG', now: Date.now });
      expect(await again.list(SIGNAL), name).toHaveLength(2);
      await again.dispose();
    }
    expect(readdirSync(folder()).sort()).toEqual(odd.sort());
  });
});

describe('refuses to open, and leaves unchanged,', () => {
  /** Opens the file that `make` created, and checks that no byte of the directory has changed. */
  async function refused(make: (file: string) => void): Promise<{ code: string; message: string }> {
    make(path());
    const before = bytesOfFolder();
    const fault = await refusal(open());
    expect(bytesOfFolder()).toEqual(before);
    expect(fault.message).toContain(path());
    return fault;
  }

  test('a text file', async () => {
    const fault = await refused((file) => writeFileSync(file, 'Dear diary,\n'.repeat(1_000)));
    expect(fault).toMatchObject({ code: 'tracker.foreign' });
  });

  test('a directory', async () => {
    expect(await refused((file) => mkdirSync(file))).toMatchObject({ code: 'tracker.foreign' });
  });

  test.each(['DELETE', 'WAL'])("another program's database in mode %s", async (mode) => {
    const fault = await refused((file) => change(file, `PRAGMA journal_mode = ${mode}; CREATE TABLE t (a)`));
    expect(fault).toMatchObject({ code: 'tracker.foreign' });
  });

  test("another program's database with a leftover log", async () => {
    const alive = new DatabaseSync(join(folder(), 'alive.db'));
    alive.exec('PRAGMA journal_mode = WAL; CREATE TABLE t (a); INSERT INTO t VALUES (1)');
    for (const end of ['', '-wal']) copyFileSync(join(folder(), `alive.db${end}`), path() + end);
    alive.close();
    expect(await refused(() => {})).toMatchObject({ code: 'tracker.foreign' });
  });

  test('a Legion journal', async () => {
    const LGNJ = 0x4c474e4a;
    const fault = await refused((file) =>
      change(file, `PRAGMA application_id = ${LGNJ}; CREATE TABLE t (a)`),
    );
    expect(fault).toMatchObject({ code: 'tracker.foreign', message: expect.stringContaining(`${LGNJ}`) });
  });

  test('a board in a newer format', async () => {
    await filled(3);
    const fault = await refused((file) => change(file, 'PRAGMA user_version = 2'));
    expect(fault).toMatchObject({ code: 'tracker.newer', message: expect.stringContaining('format 2') });
  });

  test('a truncated board', async () => {
    await filled(300);
    const fault = await refused((file) => truncateSync(file, 10_000));
    expect(fault).toMatchObject({ code: 'tracker.corrupt' });
  });

  test('a board without one of its tables', async () => {
    await filled(1);
    const fault = await refused((file) => change(file, 'DROP TABLE comments'));
    expect(fault).toMatchObject({ code: 'tracker.corrupt' });
  });

  test.each([
    ['in a read-only directory', 0o666, 0o555, ['tracker.read_only', 'tracker.read_only']],
    ['that is read-only in a writable directory', 0o444, 0o777, ['tracker.read_only', 1]],
  ])('a board %s', async (_, fileMode, folderMode, expected) => {
    await filled(2);
    const before = readFileSync(path());
    chmodSync(path(), fileMode);
    chmodSync(folder(), folderMode);
    const outcomes = JSON.parse(await runScript(VISIT, [path(), join(folder(), 'new.db')]));
    chmodSync(folder(), 0o700);
    expect(outcomes).toEqual(expected);
    expect(readFileSync(path())).toEqual(before);
  });
});

describe('a damaged board', () => {
  test('makes a list fail if pages were overwritten, instead of returning a shorter list', async () => {
    await filled(400);
    const bytes = readFileSync(path());
    bytes.fill(0xa5, bytes.length - 4_096 * 8);
    writeFileSync(path(), bytes);
    const board = await open();
    expect(await refusal(board.list(SIGNAL))).toMatchObject({ code: 'tracker.corrupt' });
  });

  test('makes creating an issue fail if the counter was lost, instead of reusing a number', async () => {
    await filled(2);
    change(path(), 'DELETE FROM numbers');
    const board = await open();
    expect(await refusal(put(board, 'next'))).toMatchObject({ code: 'tracker.corrupt' });
    expect(await board.list(SIGNAL)).toHaveLength(2);
    change(path(), 'INSERT INTO numbers VALUES (1)');
    expect(await refusal(put(board, 'next'))).toMatchObject({ code: 'tracker.corrupt' });
    expect(await board.list(SIGNAL)).toHaveLength(2);
  });
});

async function filled(issues: number): Promise<void> {
  const board = await open();
  for (let number = 1; number <= issues; number += 1) {
    await put(board, `key ${number}`, { labels: ['bug'], body: 'x'.repeat(200) });
  }
  await board.dispose();
}

function change(file: string, sql: string): void {
  const db = new DatabaseSync(file);
  db.exec(sql);
  db.close();
}

function modeOf(file: string): number {
  return statSync(file).mode & 0o777;
}

function bytesOfFolder(): unknown {
  return readdirSync(folder(), { withFileTypes: true }).map((entry) => [
    entry.name,
    entry.isFile() && readFileSync(join(folder(), entry.name), 'latin1'),
  ]);
}
