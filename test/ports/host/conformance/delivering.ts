/** Tests that a message arrives in the worker's message directory completely and exactly once. */
import { describe, expect, test } from 'vitest';
import { exitOf, order, readAll, SCRIPTS, says } from '../workers.ts';
import type { Present } from './host-under-test.ts';

/** Waits for the first message and prints it. */
const READS_LETTERS = 'while [ ! -e "$POST/1.json" ]; do sleep 0.05; done; cat "$POST/1.json"; ls -A "$POST"';

export function delivering(present: Present): void {
  describe('delivering messages', () => {
    test('a message reaches the running process, and a second delivery of it changes nothing', async () => {
      const { open, workspace } = present();
      const host = await open();
      const worker = { ...order(workspace, READS_LETTERS), messagesVariable: 'POST' };
      const process = await host.start(worker);
      await host.deliver(worker.worker, 1, '1.json', 'read me\n');
      await host.deliver(worker.worker, 1, '1.json', 'something else\n');
      await exitOf(host, process);
      expect(await readAll(host, worker)).toBe('read me\n1.json\n');
    });

    test('a message for a process without a message directory is accepted', async () => {
      const { open, workspace } = present();
      const host = await open();
      const worker = order(workspace, SCRIPTS.ignoresTerm);
      const process = await host.start(worker);
      await says(host, worker, 'ready\n');
      await host.deliver(worker.worker, 1, '1.json', 'x');
      await host.signal(process, 'KILL');
      await exitOf(host, process);
    });

    test('refuses messages for an attempt that was never started, and message names that are paths', async () => {
      const { open, workspace } = present();
      const host = await open();
      await expect(host.deliver('eng-9-merge', 7, '1.json', 'x')).rejects.toMatchObject({
        code: 'host.no_attempt',
      });
      const worker = order(workspace, 'true');
      await exitOf(host, await host.start(worker));
      for (const name of ['../out', 'a/b', '', '.hidden', 'x\0y'])
        await expect(host.deliver(worker.worker, 1, name, 'x')).rejects.toMatchObject({
          code: 'input.invalid',
        });
    });
  });
}
