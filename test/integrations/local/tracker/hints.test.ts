/**
 * Tests hints. Each hint identifies an issue that may have changed, and is emitted only after the
 * change is durable.
 */
import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { LocalBoard } from '../../../../src/ports/board-editor.ts';
import { labels, look, put } from '../../../ports/tracker/issues.ts';
import { refusal } from '../../../ports/tracker/refusal.ts';
import { useBoard } from './board.ts';

const { open, path } = useBoard();

/** Returns the hints that `work` causes. */
async function hinted(board: LocalBoard, work: () => Promise<unknown>): Promise<string[]> {
  const heard: string[] = [];
  const stop = board.subscribe((issue) => heard.push(issue));
  await work();
  await setImmediate();
  stop();
  return heard;
}

test('emits a hint for every change to an issue', async () => {
  const board = await open();
  const a = 'LEG-1';
  const b = 'LEG-2';
  const changes: (() => Promise<unknown>)[] = [
    () => put(board, 'a'),
    () => board.write(a, { moveTo: 'Todo', labels: { add: ['worker-active'], remove: [] } }),
    () => board.comment(a, 'key', 'text'),
    () => board.edit(a, { title: 'New' }),
    () => board.relabel(a, { add: ['bug'], remove: [] }),
    () => board.move(a, 'Icebox'),
    () => board.say(a, 'ada', 'text'),
    () => board.close(a),
  ];
  for (const change of changes) expect(await hinted(board, change), String(change)).toEqual([a]);
  expect(await hinted(board, () => put(board, 'b'))).toEqual([b]);
  expect(await hinted(board, () => board.edit(b, { blockers: { add: [a], remove: [] } }))).toEqual([b]);
  expect(await hinted(board, () => board.edit(b, { blockers: { add: [], remove: [a] } }))).toEqual([b]);
});

test('emits no hint for a repeated or rejected change', async () => {
  const board = await open();
  const id = await put(board, 'a', { labels: ['bug'] });
  await board.comment(id, 'key', 'text');
  const silent = async () => {
    await put(board, 'a');
    await board.comment(id, 'key', 'text');
    await board.write(id, { moveTo: 'Triage', ...labels([], ['worker-done']) });
    await board.relabel(id, { add: ['bug'], remove: [] });
    await board.edit(id, { title: 'Print JSON' });
    await board.edit(id, { blockers: { add: [], remove: [id] } });
    await refusal(board.edit(id, { blockers: { add: [id], remove: [] } }));
    await refusal(put(board, 'b', { blockedBy: ['LEG-9'] }));
  };
  expect(await hinted(board, silent)).toEqual([]);
});

test('when an issue is closed or reopened, emits hints for the issues that it blocks', async () => {
  const board = await open();
  const a = await put(board, 'a');
  const b = await put(board, 'b', { blockedBy: [a] });
  expect(await hinted(board, () => board.move(a, 'Todo'))).toEqual([a]);
  expect(await hinted(board, () => board.close(a))).toEqual([a, b]);
  expect(await hinted(board, () => board.move(a, 'Done'))).toEqual([a]);
  expect(await hinted(board, () => board.move(a, 'Todo'))).toEqual([a, b]);
});

test('emits a hint only after the change is visible to every process', async () => {
  const board = await open();
  const seen: unknown[] = [];
  board.subscribe((issue) => {
    const db = new DatabaseSync(path(), { readOnly: true });
    seen.push(db.prepare('SELECT title FROM issues WHERE id = ?').get(issue));
    db.close();
  });
  await put(board, 'a', { title: 'Durable' });
  await setImmediate();
  expect(seen).toEqual([{ title: 'Durable' }]);
});

test('emits hints to the other listeners even if one throws or rejects', async () => {
  const board = await open();
  board.subscribe(() => {
    throw new Error('broken listener');
  });
  board.subscribe((async () => Promise.reject(new Error('broken asynchronous listener'))) as () => void);
  const heard = await hinted(board, async () => {
    const id = await put(board, 'a');
    await board.move(id, 'Todo');
    expect((await look(board, id)).column).toBe('Todo');
  });
  expect(heard).toEqual(['LEG-1', 'LEG-1']);
});

test('calls no listener after the listener was unsubscribed or the board was closed', async () => {
  const board = await open();
  const heard: string[] = [];
  const stop = board.subscribe((issue) => heard.push(`first ${issue}`));
  board.subscribe((issue) => heard.push(`second ${issue}`));
  await put(board, 'a');
  await setImmediate();
  stop();
  stop();
  await put(board, 'b');
  await setImmediate();
  expect(heard).toEqual(['first LEG-1', 'second LEG-1', 'second LEG-2']);
  const call = put(board, 'c');
  await board.dispose();
  await call;
  await setImmediate();
  expect(heard).toHaveLength(3);
});

test('after the board was closed, rejects every call except closing again', async () => {
  const board = await open();
  const id = await put(board, 'a');
  await board.dispose();
  await board.dispose();
  const { signal } = new AbortController();
  for (const call of [
    board.list(signal),
    board.read(id, signal),
    board.commentsSince(id, 0, signal),
    put(board, 'b'),
    board.move(id, 'Todo'),
    board.edit(id, {}),
    (async () => board.subscribe(() => {}))(),
  ]) {
    expect(await refusal(call)).toMatchObject({ code: 'tracker.closed' });
  }
});
