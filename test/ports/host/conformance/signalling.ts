/** Tests that a signal reaches the whole process group of a worker and nothing else. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { decoy } from '../decoy.ts';
import { eventually, exitOf, isGone, order, SCRIPTS, says } from '../workers.ts';
import type { Present } from './host-under-test.ts';

export function signalling(present: Present): void {
  describe('signalling', () => {
    test('TERM ends a worker and its children, and the exit reports the signal', async () => {
      const { open, workspace } = present();
      const host = await open();
      const worker = order(workspace, 'sleep 1000 & sleep 1000 & echo ready; wait');
      const process = await host.start(worker);
      await says(host, worker, 'ready');
      expect(await host.signal(process, 'TERM')).toBe('sent');
      expect(await exitOf(host, process)).toMatchObject({ code: null, signal: 'SIGTERM' });
      await eventually('an empty list', async () => ((await host.adopt()).length === 0 ? true : undefined));
      expect(await host.signal(process, 'TERM')).toBe('gone');
    });

    test('a worker can handle TERM and exit on its own', async () => {
      const { open, workspace } = present();
      const host = await open();
      const worker = order(
        workspace,
        'trap "echo bye; exit 5" TERM; echo ready; while :; do sleep 0.02; done',
      );
      const process = await host.start(worker);
      await says(host, worker, 'ready');
      expect(await host.signal(process, 'TERM')).toBe('sent');
      expect(await exitOf(host, process)).toMatchObject({ code: 5, signal: null });
      await says(host, worker, 'bye');
    });

    test('a worker that ignores TERM runs until KILL, which is recorded as its exit', async () => {
      const { open, workspace } = present();
      const host = await open();
      const worker = order(workspace, SCRIPTS.ignoresTerm);
      const process = await host.start(worker);
      await says(host, worker, 'ready');
      expect(await host.signal(process, 'TERM')).toBe('sent');
      await new Promise((resolve) => setTimeout(resolve, 200));
      expect(await host.observe(process)).toMatchObject({ alive: true, exit: 'none' });
      expect(await host.signal(process, 'KILL')).toBe('sent');
      expect(await exitOf(host, process)).toMatchObject({ code: null, signal: 'SIGKILL' });
    });

    test('can signal a worker right after its start', async () => {
      const { open, workspace } = present();
      const host = await open();
      for (let attempt = 1; attempt <= 10; attempt += 1) {
        const process = await host.start(order(workspace, SCRIPTS.forever, { attempt }));
        expect(await host.signal(process, 'KILL')).toBe('sent');
        expect(await exitOf(host, process)).toMatchObject({ signal: 'SIGKILL' });
      }
    });

    test('reaches the rest of the process group after its leader is gone', async () => {
      const { open, workspace } = present();
      const host = await open();
      const worker = order(workspace, 'sleep 1000 & exit 0');
      const process = await host.start(worker);
      await exitOf(host, process);
      expect(await host.adopt()).toMatchObject([{ role: 'group' }]);
      expect(await host.signal(process, 'KILL')).toBe('sent');
      await eventually('an empty list', async () => ((await host.adopt()).length === 0 ? true : undefined));
      expect(await host.signal(process, 'KILL')).toBe('gone');
    });

    test('signalling a group does not reach a process that left the group, but signalling that process itself does', async () => {
      const { open, workspace } = present();
      const host = await open();
      const file = join(workspace, 'escaped');
      const worker = order(workspace, SCRIPTS.escaping, { arguments: [file] });
      const process = await host.start(worker);
      await exitOf(host, process);
      expect(await host.signal(process, 'KILL')).toBe('gone');
      const [escaped] = await host.adopt();
      expect(escaped).toMatchObject({ pid: Number(readFileSync(file, 'utf8')), role: 'escaped' });
      if (escaped === undefined) return;
      expect(await host.observe(escaped)).toMatchObject({ alive: true });
      expect(await host.signal(escaped, 'TERM')).toBe('sent');
      await isGone(host, escaped);
      expect(await host.adopt()).toEqual([]);
    });

    test('a worker that wiped its environment is still recognised as a worker, and so are its children', async () => {
      const { open, workspace } = present();
      const host = await open();
      const worker = order(workspace, 'exec env -i /bin/sh -c "sleep 1000 & echo ready; wait"');
      const process = await host.start(worker);
      await says(host, worker, 'ready');
      expect(await host.observe(process)).toMatchObject({ alive: true, children: { count: 1 } });
      expect(await host.signal(process, 'KILL')).toBe('sent');
      expect(await exitOf(host, process)).toMatchObject({ signal: 'SIGKILL' });
    });

    test('does not signal a process that has the pid but another start time, or no marker', async () => {
      const { open, workspace } = present();
      const host = await open();
      const worker = order(workspace, SCRIPTS.forever);
      const ours = await host.start(worker);
      const stranger = await decoy(worker, { LEGION_MARKER: `${ours.marker}0` });
      for (const identity of [
        { ...ours, pid: stranger.pid },
        { ...ours, startTime: ours.startTime.replace(/\d$/, (digit) => String((Number(digit) + 1) % 10)) },
        { ...ours, startTime: `0${ours.startTime}` },
        { ...ours, pid: process.pid },
        { ...ours, pid: 1 },
        { ...ours, pid: 0 },
        { ...ours, pid: -1 },
      ]) {
        expect(await host.signal(identity, 'KILL'), JSON.stringify(identity)).toBe('not_ours');
      }
      expect(stranger.isAlive()).toBe(true);
      await stranger.end();
      expect(await host.observe(ours)).toMatchObject({ alive: true });
    });
  });
}
