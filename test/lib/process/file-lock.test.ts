/** A file lock is held by one at a time, does not outlive its holder, and names it. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Clock } from '../../../src/domain/clock.ts';
import { acquireFileLock, tryFileLock } from '../../../src/lib/process/file-lock.ts';
import { thisMachine } from '../../../src/lib/process/identity.ts';
import { settableClock } from '../../ports/forge/clock.ts';

/** A pid no Linux gives out by default. */
const NOBODY = 4_194_303;

describe('a file lock', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'legion-hold-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const file = () => join(folder, 'lock');
  const holder = (changes: object) =>
    JSON.stringify({
      machine: thisMachine(),
      pid: process.pid,
      started: '',
      token: crypto.randomUUID(),
      ...changes,
    });

  const acquire = (clock: Clock) =>
    acquireFileLock(file(), {
      clock,
      timeoutMs: 30_000,
      pollMs: 20,
      busy: (message) => new Error(`busy: ${message}`),
    });

  /** Waits in no time at all. */
  function hastyClock(): Clock {
    let time = 0;
    return {
      now: () => time,
      monotonic: () => time,
      sleep: async (ms) => {
        time += ms;
        await setImmediate();
      },
    };
  }

  test('is held by one of many at a time, and leaves nothing behind', async () => {
    let inside = 0;
    let most = 0;
    const clock = settableClock();
    const visit = async () => {
      const lock = await acquire(clock);
      inside += 1;
      most = Math.max(most, inside);
      await clock.sleep(2);
      inside -= 1;
      await lock.release();
    };
    await Promise.all(Array.from({ length: 8 }, visit));
    expect(most).toBe(1);
    expect(readdirSync(folder)).toEqual([]);
  });

  test.each([
    ['a process that is gone', { pid: NOBODY }],
    ['a process whose pid was given out again', { started: 'boot-1' }],
  ])('of %s is taken over by exactly one', async (_, changes) => {
    for (let round = 0; round < 20; round += 1) {
      writeFileSync(file(), holder(changes));
      const outcomes = await Promise.all(Array.from({ length: 6 }, () => tryFileLock(file())));
      const taken = outcomes.flatMap((lock) => lock ?? []);
      expect(taken.length).toBeLessThanOrEqual(1);
      const [winner] = taken.length === 1 ? taken : [await acquire(settableClock())];
      await winner?.release();
      expect(readdirSync(folder)).toEqual([]);
    }
  });

  test('is taken over also when another died while taking it over', async () => {
    const token = crypto.randomUUID();
    writeFileSync(file(), holder({ pid: NOBODY, token }));
    writeFileSync(`${file()}.${token}`, holder({ pid: NOBODY }));
    const lock = await acquire(hastyClock());
    await lock.release();
    expect(readdirSync(folder)).toEqual([]);
  });

  test('that a power cut left unreadable is taken over', async () => {
    for (const text of ['', '{"host":', '{"pid": -1}']) {
      writeFileSync(file(), text);
      const lock = await acquire(hastyClock());
      await lock.release();
    }
  });

  test.each([
    ['a living process', {}],
    ['a process of another machine, which cannot be looked at', { machine: 'elsewhere', pid: NOBODY }],
  ])('of %s is waited for, and then its holder is named', async (_, changes) => {
    writeFileSync(file(), holder(changes));
    await expect(acquire(hastyClock())).rejects.toThrow(/^busy: .*process \d+ on .* for more than 30000 ms/);
  });
});
