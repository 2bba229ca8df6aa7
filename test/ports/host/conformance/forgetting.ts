/**
 * Tests that finished attempts are removed, and that attempts that may still be running are kept.
 */
import { describe, expect, test } from 'vitest';
import { exitOf, order, readAll, SCRIPTS, says } from '../workers.ts';
import type { Present } from './host-under-test.ts';

export function forgetting(present: Present): void {
  describe('forgetting', () => {
    test('removes attempts up to the given one and keeps later ones', async () => {
      const { open, workspace } = present();
      const host = await open();
      const attempts = [1, 2, 3].map((attempt) => order(workspace, `echo ${attempt}`, { attempt }));
      for (const attempt of attempts) await exitOf(host, await host.start(attempt));
      await host.forget('a-1-implement', 2);
      await host.forget('a-1-implement', 2);
      const left = await Promise.all(
        attempts.map((attempt) => readAll(host, attempt).catch((error: { code: string }) => error.code)),
      );
      expect(left).toEqual(['host.no_attempt', 'host.no_attempt', '3\n']);
    });

    test('keeps an attempt that is still running', async () => {
      const { open, workspace } = present();
      const host = await open();
      const worker = order(workspace, SCRIPTS.ignoresTerm);
      const process = await host.start(worker);
      await says(host, worker, 'ready\n');
      await host.forget(worker.worker, 1);
      expect(await host.observe(process)).toMatchObject({ alive: true, exit: 'none' });
      expect(await readAll(host, worker)).toBe('ready\n');
      await host.signal(process, 'KILL');
      await exitOf(host, process);
    });

    test('accepts an unknown worker', async () => {
      const host = await present().open();
      await host.forget('eng-9-merge', 7);
      expect(await host.adopt()).toEqual([]);
    });
  });
}
