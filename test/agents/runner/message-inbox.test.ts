/** The letters of a session: what waits, in which order, and what cannot wait. */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openLetterbox } from '../../../src/driving/letterbox.ts';
import { type Letter, letterName } from '../../../src/protocol/letter.ts';
import { scratchFolder } from './scratch-folder.ts';

function letter(id: string, interrupt = false): Letter {
  return { id, text: `text of ${id}`, interrupt };
}

function put(folder: string, written: Letter): void {
  const draft = join(folder, '.draft');
  writeFileSync(draft, JSON.stringify(written));
  renameSync(draft, join(folder, letterName(written)));
}

test('letters wait in the order they were written, until they are heard', async () => {
  const folder = scratchFolder();
  const box = openLetterbox(folder);
  expect(await box.waiting()).toEqual([]);
  put(folder, letter('000000000002'));
  put(folder, letter('000000000001'));
  expect((await box.waiting()).map(({ id }) => id)).toEqual(['000000000001', '000000000002']);
  box.heard([letter('000000000001')]);
  expect(await box.waiting()).toEqual([letter('000000000002')]);
});

test('what is no letter, or none that can be read, holds up nobody', async () => {
  const folder = scratchFolder();
  writeFileSync(join(folder, 'notes.txt'), 'x');
  writeFileSync(join(folder, '000000000001.json'), '{"id":');
  put(folder, letter('000000000002'));
  const box = openLetterbox(folder);
  expect(await box.waiting()).toEqual([letter('000000000002')]);
  expect(await box.waiting()).toEqual([letter('000000000002')]);
});

test('a folder that is not there yet has no letters', async () => {
  const folder = join(scratchFolder(), 'later');
  const box = openLetterbox(folder);
  expect(await box.waiting()).toEqual([]);
  mkdirSync(folder);
  put(folder, letter('1'));
  expect(await box.waiting()).toEqual([letter('1')]);
  expect(await openLetterbox(undefined).waiting()).toEqual([]);
});

test('a letter that cannot wait is told of, one that can is not, and neither is one that was heard', async () => {
  const folder = scratchFolder();
  const box = openLetterbox(folder);
  put(folder, letter('1', true));
  box.heard([letter('1')]);
  let calls = 0;
  let called: () => void = () => undefined;
  const urgent = new Promise<void>((resolve) => {
    called = resolve;
  });
  const stop = box.whenUrgent(() => {
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

test('a folder that comes later is looked into all the same', async () => {
  const folder = join(scratchFolder(), 'later');
  const box = openLetterbox(folder);
  const urgent = new Promise<void>((resolve) => {
    const stop = box.whenUrgent(() => {
      stop();
      resolve();
    });
  });
  mkdirSync(folder);
  put(folder, letter('1', true));
  await urgent;
});
