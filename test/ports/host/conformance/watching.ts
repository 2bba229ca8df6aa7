/** Tests that a watch emits a hint promptly for new output, and never after it is stopped. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { eventually, order, SCRIPTS, says } from '../workers.ts';
import type { Present } from './host-under-test.ts';

/** The contract allows one second. On a loaded machine, the test's own timer may be late. */
const SEEN_MS = 1_000;

export function watching(present: Present): void {
  describe('watching', () => {
    test('emits a hint within a second after an exit', async () => {
      const { open, workspace } = present();
      const host = await open();
      const go = join(workspace, 'go');
      const worker = order(workspace, SCRIPTS.untilFile, { arguments: [go] });
      const process = await host.start(worker);
      await says(host, worker, 'before');
      let seenAt: number | undefined;
      const stop = host.watch(worker.worker, 1, () => {
        void host.observe(process).then(({ exit }) => {
          if (exit !== 'none') seenAt ??= Date.now();
        });
      });
      writeFileSync(go, '');
      const endedAt = await eventually('the exit', async () => {
        const { exit } = await host.observe(process);
        return exit !== 'none' && 'at' in exit ? exit.at : undefined;
      });
      await eventually('the hint', () => seenAt);
      stop();
      expect(Number(seenAt) - endedAt).toBeLessThan(SEEN_MS);
    });

    test('emits hints for output, but not one per line for a worker that writes continuously', async () => {
      const { open, workspace } = present();
      const host = await open();
      const go = join(workspace, 'go');
      const worker = order(
        workspace,
        'while [ ! -e "$1" ]; do sleep 0.02; done; i=0; while [ "$i" -lt 20000 ]; do echo $i; i=$((i+1)); done',
        { arguments: [go] },
      );
      await host.start(worker);
      let hints = 0;
      const stop = host.watch(worker.worker, 1, () => {
        hints += 1;
      });
      writeFileSync(go, '');
      await says(host, worker, '19999\n');
      await eventually('a hint', () => (hints > 0 ? true : undefined));
      stop();
      expect(hints).toBeLessThan(1_000);
    });

    test('emits no hints after it is stopped', async () => {
      const { open, workspace } = present();
      const host = await open();
      const go = join(workspace, 'go');
      const worker = order(workspace, SCRIPTS.untilFile, { arguments: [go] });
      await host.start(worker);
      await says(host, worker, 'before');
      let late = 0;
      const stop = host.watch(worker.worker, 1, () => {
        late += 1;
      });
      stop();
      stop();
      late = 0;
      writeFileSync(go, '');
      await says(host, worker, 'after');
      await sleep(700);
      expect(late).toBe(0);
      expect(existsSync(go)).toBe(true);
    });
  });
}
