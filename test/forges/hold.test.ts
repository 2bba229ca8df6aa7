/** The lock of a repository outlives nobody, is taken by one at a time, and names who holds it. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Clock } from '../../src/domain/clock.ts';
import { hold, tryHold } from '../../src/forges/hold.ts';
import { settableClock } from './clock.ts';
import { refusal } from './refusal.ts';

/** A pid no Linux gives out by default. */
const NOBODY = 4_194_303;

describe('holding', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'legion-hold-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const file = () => join(folder, 'lock');
  const holder = (changes: object) =>
    JSON.stringify({
      host: hostname(),
      pid: process.pid,
      started: '',
      nonce: crypto.randomUUID(),
      ...changes,
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

  test('of many at once one holds it at a time, and nothing is left', async () => {
    let inside = 0;
    let most = 0;
    const clock = settableClock();
    const visit = async () => {
      const release = await hold(file(), clock);
      inside += 1;
      most = Math.max(most, inside);
      await clock.sleep(2);
      inside -= 1;
      await release();
    };
    await Promise.all(Array.from({ length: 8 }, visit));
    expect(most).toBe(1);
    expect(readdirSync(folder)).toEqual([]);
  });

  test.each([
    ['a process that is gone', { pid: NOBODY }],
    ['a process whose pid was given out again', { started: 'boot-1' }],
  ])('what %s held is taken over by exactly one', async (_, changes) => {
    for (let round = 0; round < 20; round += 1) {
      writeFileSync(file(), holder(changes));
      const outcomes = await Promise.all(Array.from({ length: 6 }, () => tryHold(file())));
      const taken = outcomes.flatMap((outcome) => ('release' in outcome ? [outcome] : []));
      expect(taken.length).toBeLessThanOrEqual(1);
      const [winner] = taken.length === 1 ? taken : [{ release: await hold(file(), settableClock()) }];
      await winner?.release();
      expect(readdirSync(folder)).toEqual([]);
    }
  });

  test('one that died while taking over is itself taken over', async () => {
    const nonce = crypto.randomUUID();
    writeFileSync(file(), holder({ pid: NOBODY, nonce }));
    writeFileSync(`${file()}.${nonce.slice(0, 8)}`, holder({ pid: NOBODY }));
    const release = await hold(file(), hastyClock());
    await release();
    expect(readdirSync(folder)).toEqual([]);
  });

  test('what a power cut left unreadable is taken over', async () => {
    for (const text of ['', '{"host":', '{"pid": -1}']) {
      writeFileSync(file(), text);
      const release = await hold(file(), hastyClock());
      await release();
    }
  });

  test.each([
    ['a living process', {}],
    ['a process of another machine, which cannot be looked at', { host: 'elsewhere', pid: NOBODY }],
  ])('what %s holds is waited for, and then named', async (_, changes) => {
    writeFileSync(file(), holder(changes));
    const fault = await refusal(hold(file(), hastyClock()));
    expect(fault).toMatchObject({ code: 'forge.busy', retryable: true });
    expect(fault.message).toMatch(/process \d+ on .* for more than 30000 ms/);
  });
});
