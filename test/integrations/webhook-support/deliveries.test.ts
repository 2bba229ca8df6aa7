/** Which deliveries came already, across restarts, for three days. */
import { appendFileSync, chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { openDeliveries, REMEMBERED_MOST, REMEMBERED_MS } from '../../../src/envoy/deliveries.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';
import { ownFolder } from './folder.ts';

let path: string;
let clock: VirtualClock;
let troubles: unknown[];
beforeEach(async () => {
  path = join(ownFolder(), 'deliveries');
  clock = new VirtualClock();
  troubles = [];
  await clock.advance(1_800_000_000_000);
});

const open = () => openDeliveries(path, clock, (error) => troubles.push(error));

test('an id is new once', () => {
  const deliveries = open();
  expect([deliveries.isNew('a'), deliveries.isNew('a'), deliveries.isNew('b')]).toEqual([true, false, true]);
  expect(troubles).toEqual([]);
});

test('whoever opens the file next knows them too, and only its owner reads it', () => {
  expect(open().isNew('a')).toBe(true);
  const next = open();
  expect([next.isNew('a'), next.isNew('b')]).toEqual([false, true]);
  expect(open().isNew('b')).toBe(false);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('after three days it is new again, also for who opens the file then; the file is cleaned', async () => {
  const deliveries = open();
  deliveries.isNew('old');
  await clock.advance(REMEMBERED_MS);
  expect(deliveries.isNew('old')).toBe(false);
  deliveries.isNew('young');
  await clock.advance(1);
  const next = open();
  expect(readFileSync(path, 'utf8')).toMatch(/^\d+ young\n$/);
  expect(next.isNew('old')).toBe(true);
  expect(deliveries.isNew('old')).toBe(true);
});

test('a torn last line, or one that is no line of ours, spoils nothing', () => {
  open().isNew('a');
  appendFileSync(path, `nonsense \u0000\n\n${clock.now()} to`);
  const next = open();
  expect(next.isNew('a')).toBe(false);
  expect(next.isNew('b')).toBe(true);
  const [, ...last] = [open(), open()];
  expect(last[0]?.isNew('b')).toBe(false);
  expect(troubles).toEqual([]);
});

test('a clock that was set back forgets nothing, and keeps nothing for ever', async () => {
  writeFileSync(path, `${clock.now() + 10 * REMEMBERED_MS} ahead\n`);
  expect(open().isNew('ahead')).toBe(false);
  await clock.advance(REMEMBERED_MS + 1);
  // The first opening has counted it from then on.
  expect(open().isNew('ahead')).toBe(true);
});

test('beyond the most the oldest are forgotten first, in the file too', () => {
  const line = (index: number) => `${clock.now()} id-${index}\n`;
  writeFileSync(path, Array.from({ length: REMEMBERED_MOST + 5 }, (_, index) => line(index)).join(''));
  const deliveries = open();
  expect(readFileSync(path, 'utf8').split('\n')).toHaveLength(REMEMBERED_MOST + 1);
  expect(deliveries.isNew(`id-${REMEMBERED_MOST + 4}`)).toBe(false);
  expect(deliveries.isNew('id-4')).toBe(true);
});

test('a file that cannot be written is a trouble, and within the process nothing comes twice all the same', () => {
  mkdirSync(path);
  const deliveries = open();
  expect([deliveries.isNew('a'), deliveries.isNew('a')]).toEqual([true, false]);
  expect(troubles.length).toBeGreaterThan(0);
  chmodSync(path, 0o700);
});
