/** Tests a session's messages: which of them wait, in which order, and which are urgent. */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openMessageInbox } from '../../../src/agents/runner/drive.ts';
import { toMessageFileName, type WorkerMessage } from '../../../src/protocol/worker-message.ts';
import { scratchFolder } from './scratch-folder.ts';

function letter(id: string, interrupt = false): WorkerMessage {
  return { id, text: `text of ${id}`, interrupt };
}

function put(folder: string, written: WorkerMessage): void {
  const draft = join(folder, '.draft');
  writeFileSync(draft, JSON.stringify(written));
  renameSync(draft, join(folder, toMessageFileName(written)));
}

test('messages wait in order until they are delivered', async () => {
  const folder = scratchFolder();
  const box = openMessageInbox(folder);
  expect(await box.readPending()).toEqual([]);
  put(folder, letter('000000000002'));
  put(folder, letter('000000000001'));
  expect((await box.readPending()).map(({ id }) => id)).toEqual(['000000000001', '000000000002']);
  box.markHeard([letter('000000000001')]);
  expect(await box.readPending()).toEqual([letter('000000000002')]);
});

test('ignores invalid and unreadable files', async () => {
  const folder = scratchFolder();
  writeFileSync(join(folder, 'notes.txt'), 'x');
  writeFileSync(join(folder, '000000000001.json'), '{"id":');
  put(folder, letter('000000000002'));
  const box = openMessageInbox(folder);
  expect(await box.readPending()).toEqual([letter('000000000002')]);
  expect(await box.readPending()).toEqual([letter('000000000002')]);
});

test('finds no messages if the directory is missing', async () => {
  const folder = join(scratchFolder(), 'later');
  const box = openMessageInbox(folder);
  expect(await box.readPending()).toEqual([]);
  mkdirSync(folder);
  put(folder, letter('1'));
  expect(await box.readPending()).toEqual([letter('1')]);
  expect(await openMessageInbox(undefined).readPending()).toEqual([]);
});

test('reports an urgent message, but not a normal or delivered one', async () => {
  const folder = scratchFolder();
  const box = openMessageInbox(folder);
  put(folder, letter('1', true));
  box.markHeard([letter('1')]);
  let calls = 0;
  let called: () => void = () => undefined;
  const urgent = new Promise<void>((resolve) => {
    called = resolve;
  });
  const stop = box.onUrgent(() => {
    calls += 1;
    called();
  });
  try {
    put(folder, letter('2'));
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    expect(calls).toBe(0);
    put(folder, letter('3', true));
    await urgent;
  } finally {
    stop();
  }
});

test('watches a directory that is created later', async () => {
  const folder = join(scratchFolder(), 'later');
  const box = openMessageInbox(folder);
  const urgent = new Promise<void>((resolve) => {
    const stop = box.onUrgent(() => {
      stop();
      resolve();
    });
  });
  mkdirSync(folder);
  put(folder, letter('1', true));
  await urgent;
});
