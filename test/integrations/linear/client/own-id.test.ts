/**
 * Tests the ids that Legion gives its own issues and comments: deterministic, different for
 * different inputs and recognizable among other UUIDs.
 */
import { randomUUID } from 'node:crypto';
import { validate, version } from 'uuid';
import { expect, test } from 'vitest';
import { computeOwnId, isOwnId } from '../../../../src/integrations/linear/client/own-id.ts';

const TEAM = '7b1c9c1e-2f5a-4d0e-9a54-0d9a4f6a2b11';

test('computeOwnId returns the same version 4 UUID in every process and release', () => {
  const id = computeOwnId(TEAM, 'comment', 'ENG-21', 'ask:1');
  expect(validate(id)).toBe(true);
  expect(version(id)).toBe(4);
  expect(computeOwnId(TEAM, 'comment', 'ENG-21', 'ask:1')).toBe(id);
  // Hard-coded, because Legion would post everything a second time if the id for a key changed.
  expect(id).toBe('95621c33-b179-4156-90a7-7fb268ad9bc3');
});

test('computeOwnId returns different ids for different inputs, even if only the boundaries between the parts differ', () => {
  const ids = [
    computeOwnId(TEAM, 'comment', 'ENG-21', 'key'),
    computeOwnId('other', 'comment', 'ENG-21', 'key'),
    computeOwnId(TEAM, 'issue', 'ENG-21', 'key'),
    computeOwnId(TEAM, 'comment', 'ENG-2', '1key'),
    computeOwnId(TEAM, 'comment', 'ENG-2', '1","key'),
    computeOwnId(TEAM, 'comment', 'ENG-21', 'Key'),
    computeOwnId(TEAM, 'comment', 'ENG-21', ''),
  ];
  expect(new Set(ids).size).toBe(ids.length);
});

test('isOwnId recognizes one of its own ids by its form, whatever the key', () => {
  for (const key of ['', 'a', 'ü🧵', 'x'.repeat(20_000), '\ud800']) {
    expect(isOwnId(computeOwnId(TEAM, 'comment', 'ENG-21', key))).toBe(true);
  }
});

test('isOwnId rejects all other UUIDs and values', () => {
  for (let time = 1; time <= 10_000; time += 1) expect(isOwnId(randomUUID())).toBe(false);
  const id = computeOwnId(TEAM, 'comment', 'ENG-21', 'key');
  for (const other of ['', id.toUpperCase(), `${id} `, id.replaceAll('-', ''), id.slice(1)])
    expect(isOwnId(other)).toBe(false);
});

test('isOwnId detects one changed digit at any position', () => {
  const id = computeOwnId(TEAM, 'comment', 'ENG-21', 'key');
  for (const [at, digit] of [...id].entries()) {
    if (digit === '-') continue;
    const other = digit === '8' ? '9' : '8';
    expect(isOwnId(id.slice(0, at) + other + id.slice(at + 1)), `at ${at}`).toBe(false);
  }
});
