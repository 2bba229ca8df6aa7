/** Tests that received deliveries are remembered for three days, across restarts. */
import { appendFileSync, chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import {
  MAX_REMEMBERED_DELIVERIES,
  openDeliveryLog,
  REMEMBERED_MS,
} from '../../../src/integrations/webhook-support/deliveries.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';
import { ownFolder } from './folder.ts';

let path: string;
let clock: VirtualClock;
let errors: unknown[];
beforeEach(async () => {
  path = join(ownFolder(), 'deliveries');
  clock = new VirtualClock();
  errors = [];
  await clock.advance(1_800_000_000_000);
});

const open = () => openDeliveryLog(path, clock, (error) => errors.push(error));

test('reports an id as new only the first time', () => {
  const deliveries = open();
  expect([deliveries.isNew('a'), deliveries.isNew('a'), deliveries.isNew('b')]).toEqual([true, false, true]);
  expect(errors).toEqual([]);
});

test('keeps ids across reopening, in a file that only its owner can read', () => {
  expect(open().isNew('a')).toBe(true);
  const next = open();
  expect([next.isNew('a'), next.isNew('b')]).toEqual([false, true]);
  expect(open().isNew('b')).toBe(false);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('reports an id as new again after three days, even after reopening, and removes it from the file', async () => {
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

test('tolerates an incomplete last line and unknown lines', () => {
  open().isNew('a');
  appendFileSync(path, `nonsense \u0000\n\n${clock.now()} to`);
  const next = open();
  expect(next.isNew('a')).toBe(false);
  expect(next.isNew('b')).toBe(true);
  const [, ...last] = [open(), open()];
  expect(last[0]?.isNew('b')).toBe(false);
  expect(errors).toEqual([]);
});

test('after the clock was set back, neither forgets an id at once nor keeps it forever', async () => {
  writeFileSync(path, `${clock.now() + 10 * REMEMBERED_MS} ahead\n`);
  expect(open().isNew('ahead')).toBe(false);
  await clock.advance(REMEMBERED_MS + 1);
  // If the recorded time of an id is in the future, its age is counted from the first opening of
  // the file.
  expect(open().isNew('ahead')).toBe(true);
});

test('drops the oldest ids beyond the limit, both in memory and in the file', () => {
  const line = (index: number) => `${clock.now()} id-${index}\n`;
  writeFileSync(
    path,
    Array.from({ length: MAX_REMEMBERED_DELIVERIES + 5 }, (_, index) => line(index)).join(''),
  );
  const deliveries = open();
  expect(readFileSync(path, 'utf8').split('\n')).toHaveLength(MAX_REMEMBERED_DELIVERIES + 1);
  expect(deliveries.isNew(`id-${MAX_REMEMBERED_DELIVERIES + 4}`)).toBe(false);
  expect(deliveries.isNew('id-4')).toBe(true);
});

test('reports a file that cannot be written and still detects duplicates within the process', () => {
  mkdirSync(path);
  const deliveries = open();
  expect([deliveries.isNew('a'), deliveries.isNew('a')]).toEqual([true, false]);
  expect(errors.length).toBeGreaterThan(0);
  chmodSync(path, 0o700);
});
