/**
 * Tests that a file lock has one holder at a time, identifies that process, and does not outlive
 * it.
 */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Clock } from '../../../src/core/model/clock.ts';
import { acquireFileLock, tryFileLock } from '../../../src/lib/process/file-lock.ts';
import { identifyThisMachine } from '../../../src/lib/process/proc-table.ts';
import { settableClock } from '../../ports/forge/clock.ts';

/** A pid that Linux does not assign by default. */
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
      machine: identifyThisMachine(),
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

  /** Creates a clock whose sleeps end immediately. */
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

  test('has one holder at a time and leaves no files behind', async () => {
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
    ['a dead process', { pid: NOBODY }],
    ['a process whose pid was reused', { started: 'boot-1' }],
  ])('held by %s is taken over by exactly one waiter', async (_, changes) => {
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

  test('is taken over even if another process died while taking it over', async () => {
    const token = crypto.randomUUID();
    writeFileSync(file(), holder({ pid: NOBODY, token }));
    writeFileSync(`${file()}.${token}`, holder({ pid: NOBODY }));
    const lock = await acquire(hastyClock());
    await lock.release();
    expect(readdirSync(folder)).toEqual([]);
  });

  test('is taken over if a power cut left it unreadable', async () => {
    for (const text of ['', '{"host":', '{"pid": -1}']) {
      writeFileSync(file(), text);
      const lock = await acquire(hastyClock());
      await lock.release();
    }
  });

  test.each([
    ['a live process', {}],
    ['a process on another machine, which cannot be checked', { machine: 'elsewhere', pid: NOBODY }],
  ])('held by %s times out with an error that identifies the holder', async (_, changes) => {
    writeFileSync(file(), holder(changes));
    await expect(acquire(hastyClock())).rejects.toThrow(/^busy: .*process \d+ on .* for more than 30000 ms/);
  });
});
