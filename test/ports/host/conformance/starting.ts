/** Tests that `start` runs an attempt once, as specified. */
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { refusal } from '../../journal/refusal.ts';
import { eventually, exitOf, order, readAll, SCRIPTS, says } from '../workers.ts';
import type { Present } from './host-under-test.ts';

const MEGABYTE = 1_000_000;
const AT_ONCE = 30;

export function starting(present: Present): void {
  describe('starting', () => {
    test('gives the process its arguments, its directory and its whole input unchanged', async () => {
      const { open, workspace } = present();
      const host = await open();
      const hostile = ['', 'a b', '$(id)', '`id`', '"; exit 9; "', "it's", '-n', '--', '*', 'ü\n\\n'];
      const stdin = `first line\n${'x'.repeat(MEGABYTE)}\nlast line, no newline`;
      const worker = order(workspace, 'pwd; cat >"$1"; shift; printf "<%s>" "$#" "$@"', {
        arguments: [join(workspace, 'copy'), ...hostile],
        stdin,
      });
      expect(await exitOf(host, await host.start(worker))).toMatchObject({ code: 0, signal: null });
      expect(await readAll(host, worker)).toBe(
        `${workspace}\n<${hostile.length}>${hostile.map((each) => `<${each}>`).join('')}`,
      );
      expect(readFileSync(join(workspace, 'copy'), 'utf8') === stdin).toBe(true);
    });

    test('a second call, through the same or another handle, finds the first process', async () => {
      const { open, workspace } = present();
      const host = await open();
      const ran = join(workspace, 'ran');
      const worker = order(workspace, SCRIPTS.countedForever, { arguments: [ran] });
      const first = await host.start(worker);
      expect(await host.start(worker)).toEqual(first);
      expect(await (await open()).start(worker)).toEqual(first);
      await untilRan(ran, 1);
      expect(readFileSync(ran, 'utf8')).toBe('ran\n');
    });

    test('a call for an attempt that has ended returns the ended attempt and starts nothing', async () => {
      const { open, workspace } = present();
      const host = await open();
      const worker = order(workspace, 'echo once');
      const first = await host.start(worker);
      await exitOf(host, first);
      expect(await host.start(worker)).toEqual(first);
      await sleep(100);
      expect(await readAll(host, worker)).toBe('once\n');
    });

    test('keeps attempts and workers separate', async () => {
      const { open, workspace } = present();
      const host = await open();
      const orders = [
        order(workspace, SCRIPTS.forever),
        order(workspace, SCRIPTS.forever, { attempt: 2 }),
        order(workspace, SCRIPTS.forever, { worker: 'a-1-test' }),
      ];
      const started = await Promise.all(orders.map((each) => host.start(each)));
      expect(new Set(started.map(({ pid }) => pid)).size).toBe(3);
      expect(new Set(started.map(({ marker }) => marker)).size).toBe(3);
    });

    test(`starts ${AT_ONCE} workers at once`, async () => {
      const { open, workspace } = present();
      const host = await open();
      const orders = Array.from({ length: AT_ONCE }, (_, index) =>
        order(workspace, `echo ${index}; ${SCRIPTS.forever}`, { worker: `a-${index}-plan` }),
      );
      const started = await Promise.all(orders.map((each) => host.start(each)));
      expect(new Set(started.map(({ pid }) => pid)).size).toBe(AT_ONCE);
      await Promise.all(orders.map((each, index) => says(host, each, `${index}\n`)));
    });

    test('concurrent calls through several handles start one process', async () => {
      const { open, workspace } = present();
      const ran = join(workspace, 'ran');
      const worker = order(workspace, SCRIPTS.countedForever, { arguments: [ran] });
      const hosts = await Promise.all([open(), open(), open(), open()]);
      const started = await Promise.all(hosts.flatMap((host) => [host.start(worker), host.start(worker)]));
      expect(new Set(started.map(({ pid }) => pid)).size).toBe(1);
      await untilRan(ran, 1);
      await sleep(200);
      expect(readFileSync(ran, 'utf8')).toBe('ran\n');
    });

    test('concurrent calls from two processes start one process', async () => {
      const { open, workspace, daemon } = present();
      const ran = join(workspace, 'ran');
      const orders = Array.from({ length: 10 }, (_, index) =>
        order(workspace, SCRIPTS.countedForever, { arguments: [ran], attempt: index + 1 }),
      );
      const daemons = await Promise.all([daemon(orders), daemon(orders)]);
      await Promise.all(daemons.map(({ started }) => started));
      await Promise.all(daemons.map(({ kill }) => kill()));
      expect((await (await open()).adopt()).filter(({ role }) => role === 'agent')).toHaveLength(
        orders.length,
      );
      await untilRan(ran, orders.length);
      expect(readFileSync(ran, 'utf8')).toBe('ran\n'.repeat(orders.length));
    });

    test('a missing program is reported as exit code 127 with a reason', async () => {
      const { open, workspace } = present();
      const host = await open();
      const worker = order(workspace, '', { argv: ['/no/such/agent', 'x'] });
      const exit = await exitOf(host, await host.start(worker));
      expect(exit).toMatchObject({ code: 127, signal: null });
      expect(exit.reason).toContain('/no/such/agent');
    });

    test('a program without execute permission is reported as exit code 126 with a reason', async () => {
      const { open, workspace } = present();
      const host = await open();
      const exit = await exitOf(host, await host.start(order(workspace, '', { argv: [workspace] })));
      expect(exit).toMatchObject({ code: 126, signal: null });
      expect(exit.reason).toContain(workspace);
    });

    test('refuses a missing directory, and starts the same attempt once the directory exists', async () => {
      const { open, workspace } = present();
      const host = await open();
      const cwd = join(workspace, 'not-yet');
      const worker = order(cwd, 'pwd');
      expect(await refusal(host.start(worker))).toMatchObject({ code: 'host.folder_missing' });
      mkdirSync(cwd);
      await exitOf(host, await host.start(worker));
      expect(await readAll(host, worker)).toBe(`${cwd}\n`);
    });

    test('refuses arguments that are invalid or cannot be passed on unchanged', async () => {
      const { open, workspace } = present();
      const host = await open();
      for (const wrong of [
        { attempt: 0 },
        { attempt: 1.5 },
        { worker: '../a-1-plan' },
        { argv: [''] as const },
        { argv: ['sh', 'a\0b'] as const },
        { cwd: 'relative' },
        { env: { 'a-b': 'x' } },
        { env: { LEGION_MARKER: 'x' } },
        { env: { A: 'x\0y' } },
      ]) {
        expect(
          await refusal(host.start(order(workspace, 'echo', wrong))),
          JSON.stringify(wrong),
        ).toMatchObject({
          code: 'input.invalid',
        });
      }
      expect(await host.adopt()).toEqual([]);
    });
  });
}

/**
 * Waits until this many lines were written. The processes write them once they are running, which
 * takes seconds on a busy machine.
 */
async function untilRan(path: string, times: number): Promise<void> {
  await eventually(`${times} lines in ${path}`, () =>
    existsSync(path) && readFileSync(path, 'utf8').split('\n').length > times ? true : undefined,
  );
}
