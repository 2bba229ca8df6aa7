/** Tests that a worker outlives the daemon without losing output. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { exitOf, order, readAll, SCRIPTS, says } from '../workers.ts';
import type { Present } from './host-under-test.ts';

export function outliving(present: Present): void {
  describe('outliving the daemon', () => {
    test('a worker survives SIGKILL of the daemon, and the next daemon reads its whole output and its exit', async () => {
      const { open, workspace, daemon } = present();
      const signal = join(workspace, 'go');
      const worker = order(workspace, SCRIPTS.untilFile, { arguments: [signal] });
      const first = await daemon([worker]);
      await first.started;
      await first.kill();

      const host = await open();
      const [found] = await host.adopt();
      expect(found).toMatchObject({ worker: worker.worker, attempt: 1, role: 'agent' });
      if (found === undefined) return;
      await says(host, worker, 'before\n');
      expect(await host.observe(found)).toMatchObject({ alive: true, exit: 'none' });
      writeFileSync(signal, '');
      expect(await exitOf(host, found)).toMatchObject({ code: 7, signal: null });
      expect(await readAll(host, worker)).toBe('before\nafter\n');
      expect(await readAll(host, worker, 'before\n'.length)).toBe('after\n');
    });

    test('the next daemon finds the exit of a worker that exited while no daemon was running', async () => {
      const { open, workspace, daemon } = present();
      const worker = order(workspace, 'echo done; echo complaint >&2; exit 3');
      const first = await daemon([worker]);
      await first.started;
      await first.kill();

      const host = await open();
      const identity = await host.start(worker);
      expect(await exitOf(host, identity)).toMatchObject({ code: 3, signal: null });
      expect(await host.adopt()).toEqual([]);
      expect(await readAll(host, worker)).toBe('done\n');
      expect(await readAll(host, worker, 0, 'err')).toBe('complaint\n');
    });

    test('a worker has its own session and process group', async () => {
      const { open, workspace } = present();
      const host = await open();
      const worker = order(workspace, `cut -d ' ' -f 1,5,6 "/proc/$$/stat"`);
      const { pid, ...rest } = await host.start(worker);
      await exitOf(host, { pid, ...rest });
      expect((await readAll(host, worker)).trim().split(/\s+/)).toEqual([pid, pid, pid].map(String));
    });
  });
}
