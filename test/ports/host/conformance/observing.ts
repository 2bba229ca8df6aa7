/**
 * Tests that each observation reports the true state, or reports that the state could not be read.
 */
import { describe, expect, test } from 'vitest';
import { eventually, exitOf, isGone, order, SCRIPTS, says } from '../workers.ts';
import type { Present } from './host-under-test.ts';

export function observing(present: Present): void {
  describe('observing', () => {
    test('reports a running process as alive, not exited and without children', async () => {
      const { open, workspace } = present();
      const host = await open();
      const process = await host.start(order(workspace, SCRIPTS.forever));
      expect(await host.observe(process)).toEqual({
        alive: true,
        exit: 'none',
        groupCpuMs: expect.any(Number),
        children: { count: 0, newestAt: 'none' },
        output: { bytes: 0, overflowed: false },
      });
    });

    test('reports an exit with its code and time', async () => {
      const { open, workspace } = present();
      const host = await open();
      for (const [attempt, code] of [0, 1, 2, 42, 128, 255].entries()) {
        const before = Date.now();
        const process = await host.start(order(workspace, `exit ${code}`, { attempt: attempt + 1 }));
        const exit = await exitOf(host, process);
        expect(exit).toMatchObject({ code, signal: null });
        expect(exit.at).toBeGreaterThan(before - 100);
        expect(exit.at).toBeLessThanOrEqual(Date.now() + 100);
        expect((await host.observe(process)).alive).toBe(false);
      }
    });

    test('reports an exit by a signal with the signal’s name', async () => {
      const { open, workspace } = present();
      const host = await open();
      for (const [attempt, name] of ['TERM', 'KILL', 'SEGV', 'INT', 'HUP'].entries()) {
        const process = await host.start(
          order(workspace, `ulimit -c 0; kill -s ${name} "$$"`, { attempt: attempt + 1 }),
        );
        expect(await exitOf(host, process)).toMatchObject({ code: null, signal: `SIG${name}` });
      }
    });

    test('counts children, even those that left the process group, and reports when the newest child started', async () => {
      const { open, workspace } = present();
      const host = await open();
      const worker = order(workspace, 'sleep 1000 & sleep 1000 & setsid sleep 1000 & echo ready; wait');
      const process = await host.start(worker);
      await says(host, worker, 'ready');
      const { newestAt } = await eventually('three children', async () => {
        const { children } = await host.observe(process);
        return 'count' in children && children.count === 3 ? children : undefined;
      });
      expect(Math.abs(Number(newestAt) - Date.now())).toBeLessThan(10_000);
      await eventually('one that escaped', async () =>
        (await host.adopt()).some(({ role }) => role === 'escaped') ? true : undefined,
      );
    });

    test('counts the CPU time of the whole group and of processes that left it, which grows only while they are working', async () => {
      const { open, workspace } = present();
      const host = await open();
      const busy = 'i=0; while [ "$i" -lt 150000 ]; do i=$((i+1)); done';
      const worker = order(
        workspace,
        `sh -c '${busy}'; (${busy}) & setsid sh -c '${busy}; exec sleep 1000' & sleep 1000 & echo ready; wait`,
      );
      const process = await host.start(worker);
      await says(host, worker, 'ready');
      const cpu = async () => {
        const { groupCpuMs } = await host.observe(process);
        return typeof groupCpuMs === 'number' ? groupCpuMs : Number.NaN;
      };
      const used = await eventually('CPU time that rests', async () => {
        const before = await cpu();
        await new Promise((resolve) => setTimeout(resolve, 500));
        return before > 0 && before === (await cpu()) ? before : undefined;
      });
      // One loop alone takes about 50 ms, so more than 60 ms shows that processes inside and
      // outside the group are included.
      expect(used).toBeGreaterThan(60);
      expect(
        (await host.observe(await host.start(order(workspace, SCRIPTS.forever, { attempt: 2 })))).groupCpuMs,
      ).toBeLessThan(60);
    });

    test('reports a process that was never started as not alive, with an unknown exit', async () => {
      const { open } = present();
      const host = await open();
      const stranger = { pid: process.pid, startTime: 'never/1', marker: 'x/a-1-plan/1/00' };
      expect(await host.observe(stranger)).toMatchObject({
        alive: false,
        exit: { unavailable: expect.any(String) },
        output: { unavailable: expect.any(String) },
      });
    });

    test('reports an exited process as not alive through every handle', async () => {
      const { open, workspace } = present();
      const host = await open();
      const process = await host.start(order(workspace, 'exit 0'));
      await isGone(host, process);
      expect((await (await open()).observe(process)).alive).toBe(false);
    });

    test('reports free space in bytes', async () => {
      const { open } = present();
      const room = await (await open()).readCapacity();
      expect(room).toEqual({ freeDiskBytes: expect.any(Number), freeMemoryBytes: expect.any(Number) });
      if (room === 'unavailable') return;
      expect(room.freeDiskBytes).toBeGreaterThan(1_000_000);
      expect(room.freeMemoryBytes).toBeGreaterThan(1_000_000);
    });
  });
}
