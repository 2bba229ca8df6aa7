/**
 * Tests that both ways of writing leave either the complete old file or the complete new one, and
 * no other files.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { writeDurably, writeDurablySync } from '../../../src/lib/fs/atomic-write.ts';
import { makeFolderDurably } from '../../../src/lib/fs/folder.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'legion-durable-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const modeOf = (path: string) => statSync(path).mode & 0o777;

describe.each([
  ['the asynchronous write', writeDurably],
  ['the synchronous write', async (path: string, text: string) => writeDurablySync(path, text)],
])('%s', (_, write) => {
  test('creates a file that only this user can access, replaces it, and leaves no other files', async () => {
    const path = join(folder, 'a.json');
    await write(path, 'old');
    await write(path, 'new');
    expect(readFileSync(path, 'utf8')).toBe('new');
    expect(modeOf(path)).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['a.json']);
  });

  test("keeps the existing contents on failure and rejects with the file system's error", async () => {
    const path = join(folder, 'taken');
    mkdirSync(path);
    writeFileSync(join(path, 'inside'), 'x');
    await expect(write(path, 'text')).rejects.toMatchObject({ code: expect.stringMatching(/^E/) });
    expect(readdirSync(folder)).toEqual(['taken']);
    expect(readdirSync(path)).toEqual(['inside']);
    await expect(write(join(folder, 'missing', 'a'), 'text')).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

test('a reader never sees a partially written file', async () => {
  const path = join(folder, 'a.json');
  const texts = ['a', 'b'].map((letter) => letter.repeat(300_000));
  await writeDurably(path, texts[0] ?? '');
  const seen = new Set<string>();
  let done = false;
  const writing = (async () => {
    for (const round of [1, 0, 1]) await writeDurably(path, texts[round] ?? '');
    done = true;
  })();
  while (!done) {
    seen.add(readFileSync(path, 'utf8'));
    await new Promise(setImmediate);
  }
  await writing;
  expect([...seen].every((text) => texts.includes(text))).toBe(true);
  expect(seen.size).toBe(2);
});

test('the mode applies regardless of the umask', () => {
  const before = process.umask(0o177);
  try {
    writeDurablySync(join(folder, 'run'), '#!/bin/sh\n', 0o700);
  } finally {
    process.umask(before);
  }
  expect(modeOf(join(folder, 'run'))).toBe(0o700);
});

test('creates a folder and its parents for this user only, and accepts a folder that already exists', async () => {
  const deep = join(folder, 'one', 'two');
  await makeFolderDurably(deep);
  await makeFolderDurably(deep);
  expect(modeOf(deep)).toBe(0o700);
});

test('temporary files are in the same folder and have hidden names that end in .unfinished', async () => {
  const drafts = new Set<string>();
  let isDone = false;
  const texts = ['a', 'b'].map((letter) => letter.repeat(300_000));
  const writing = Promise.all(texts.map((text) => writeDurably(join(folder, 'file'), text))).finally(() => {
    isDone = true;
  });
  while (!isDone) {
    for (const name of readdirSync(folder)) if (name !== 'file') drafts.add(name);
    await new Promise(setImmediate);
  }
  await writing;
  expect(drafts.size).toBe(2);
  for (const draft of drafts) expect(draft).toMatch(/^\.[^/]+\.unfinished$/);
});
