/** Tests several real processes that use the same board. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { comments, look, put, SIGNAL, statusOf } from '../../../ports/tracker/issues.ts';
import { refusal } from '../../../ports/tracker/refusal.ts';
import { useBoard } from './board.ts';
import { integrity } from './integrity.ts';
import { runScript } from './script.ts';

const CONTENDER = new URL('contender.ts', import.meta.url);
const HOLDER = new URL('holder.ts', import.meta.url);
const NAMES = ['a', 'b', 'c'];
const EACH = 60;

const { open, path, folder } = useBoard();

test('loses and duplicates nothing when several processes create the same board and fill it concurrently', async () => {
  const printed = await Promise.all(NAMES.map((name) => runScript(CONTENDER, [path(), name, String(EACH)])));
  const made = printed.map((text) => JSON.parse(text) as Record<string, string>);

  const board = await open();
  const issues = new Map((await board.list(SIGNAL)).map((issue) => [issue.title, issue]));
  expect(issues.size).toBe(EACH * (NAMES.length + 1));
  // There are no gaps, because the transaction that creates an issue also takes its number.
  expect([...issues.values()].map(({ id }) => id)).toEqual(
    Array.from({ length: issues.size }, (_, index) => `LEG-${index + 1}`),
  );
  for (const [index, name] of NAMES.entries()) {
    for (const [key, id] of Object.entries(made[index] ?? {})) {
      expect(issues.get(key)).toMatchObject({ id, column: 'Todo' });
      expect(issues.get(key)?.labels).toContain(`by-${name}`);
    }
  }
  for (let number = 1; number <= EACH; number += 1) {
    const { id = '', labels } = issues.get(`shared ${number}`) ?? {};
    expect(labels).toEqual(['bug', ...NAMES.map((name) => `by-${name}`), 'worker-active']);
    expect(await comments(board, id)).toHaveLength(1);
  }
  expect(integrity(path())).toBe('ok');
});

test('waits for a process that briefly locks the board, and then builds on its changes', async () => {
  const board = await open();
  const id = await put(board, 'one');
  const marker = join(folder(), 'held');
  const holder = runScript(HOLDER, [path(), marker, '150']);
  while (!existsSync(marker)) await sleep(5);
  await board.write(id, { moveTo: 'Todo', labels: { add: ['worker-active'], remove: [] } });
  expect(await look(board, id)).toMatchObject({ title: 'Changed meanwhile', column: 'Todo' });
  await holder;
});

test('while another process keeps the lock, rejects writes as busy but still reads', async () => {
  const board = await open();
  const id = await put(board, 'one');
  const holder = new DatabaseSync(path());
  holder.exec('BEGIN IMMEDIATE');
  expect(await refusal(board.move(id, 'Todo'))).toMatchObject({ code: 'tracker.busy' });
  expect(await statusOf(board, id)).toBe('Triage');
  holder.exec('ROLLBACK');
  holder.close();
  await board.move(id, 'Todo');
  expect(await statusOf(board, id)).toBe('Todo');
});

test('reads another process’s write in the next pass', async () => {
  const board = await open();
  const id = await put(board, 'shared 1');
  await runScript(CONTENDER, [path(), 'other', '1']);
  expect(await look(board, id)).toMatchObject({ column: 'Todo', labels: ['by-other', 'worker-active'] });
});
