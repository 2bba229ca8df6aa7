/** A watch says "there may be more" soon after there is, and nothing once it is stopped. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { eventually, order, SCRIPTS, says } from '../workers.ts';
import type { Present } from './host-under-test.ts';

/** The promise is a second; a loaded machine may be late with the timer of the test itself. */
const SEEN_MS = 1_000;

export function watching(present: Present): void {
  describe('watching', () => {
    test('an exit is seen within a second', async () => {
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

    test('output is hinted at, and a worker that writes without pause does not cause a hint a line', async () => {
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

    test('after it is stopped there are no hints', async () => {
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
