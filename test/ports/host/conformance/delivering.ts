/** A letter reaches the folder its process was told of, whole and once. */
import { describe, expect, test } from 'vitest';
import { exitOf, order, readAll, SCRIPTS, says } from '../workers.ts';
import type { Present } from './host-under-test.ts';

/** Waits for the first letter and shows it. */
const READS_LETTERS = 'while [ ! -e "$POST/1.json" ]; do sleep 0.05; done; cat "$POST/1.json"; ls -A "$POST"';

export function delivering(present: Present): void {
  describe('delivering letters', () => {
    test('a letter reaches the process that runs, and the same one again changes nothing', async () => {
      const { open, workspace } = present();
      const host = await open();
      const worker = { ...order(workspace, READS_LETTERS), letters: 'POST' };
      const process = await host.start(worker);
      await host.deliver(worker.worker, 1, '1.json', 'read me\n');
      await host.deliver(worker.worker, 1, '1.json', 'something else\n');
      await exitOf(host, process);
      expect(await readAll(host, worker)).toBe('read me\n1.json\n');
    });

    test('a process that is told of no folder has none, and letters to it are kept all the same', async () => {
      const { open, workspace } = present();
      const host = await open();
      const worker = order(workspace, SCRIPTS.ignoresTerm);
      const process = await host.start(worker);
      await says(host, worker, 'ready\n');
      await host.deliver(worker.worker, 1, '1.json', 'x');
      await host.signal(process, 'KILL');
      await exitOf(host, process);
    });

    test('what was never started gets no letters, and a name is a name and no path', async () => {
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
