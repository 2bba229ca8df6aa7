/** An own id is the same for the same, another for anything else, and told from every other UUID. */
import { randomUUID } from 'node:crypto';
import { validate, version } from 'uuid';
import { expect, test } from 'vitest';
import { isOwnId, ownId } from '../../../../src/linear/own-id.ts';

const TEAM = '7b1c9c1e-2f5a-4d0e-9a54-0d9a4f6a2b11';

test('is a UUID of version 4, the same each time, in every process and release', () => {
  const id = ownId(TEAM, 'comment', 'ENG-21', 'ask:1');
  expect(validate(id)).toBe(true);
  expect(version(id)).toBe(4);
  expect(ownId(TEAM, 'comment', 'ENG-21', 'ask:1')).toBe(id);
  // Written down, because whoever finds another one for the same key says everything once more.
  expect(id).toBe('95621c33-b179-4156-90a7-7fb268ad9bc3');
});

test('is another one where anything is different, also where only the borders of the words are', () => {
  const ids = [
    ownId(TEAM, 'comment', 'ENG-21', 'key'),
    ownId('other', 'comment', 'ENG-21', 'key'),
    ownId(TEAM, 'issue', 'ENG-21', 'key'),
    ownId(TEAM, 'comment', 'ENG-2', '1key'),
    ownId(TEAM, 'comment', 'ENG-2', '1","key'),
    ownId(TEAM, 'comment', 'ENG-21', 'Key'),
    ownId(TEAM, 'comment', 'ENG-21', ''),
  ];
  expect(new Set(ids).size).toBe(ids.length);
});

test('is known by its form, whatever the key was', () => {
  for (const key of ['', 'a', 'ü🧵', 'x'.repeat(20_000), '\ud800']) {
    expect(isOwnId(ownId(TEAM, 'comment', 'ENG-21', key))).toBe(true);
  }
});

test('no other UUID, and nothing else, passes for one', () => {
  for (let time = 1; time <= 10_000; time += 1) expect(isOwnId(randomUUID())).toBe(false);
  const id = ownId(TEAM, 'comment', 'ENG-21', 'key');
  for (const other of ['', id.toUpperCase(), `${id} `, id.replaceAll('-', ''), id.slice(1)])
    expect(isOwnId(other)).toBe(false);
});

test('one digit changed is noticed wherever it is', () => {
  const id = ownId(TEAM, 'comment', 'ENG-21', 'key');
  for (const [at, digit] of [...id].entries()) {
    if (digit === '-') continue;
    const other = digit === '8' ? '9' : '8';
    expect(isOwnId(id.slice(0, at) + other + id.slice(at + 1)), `at ${at}`).toBe(false);
  }
});
