/** Tests that `adopt` finds every process of the legion and no other. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { decoy } from '../decoy.ts';
import { exitOf, order, SCRIPTS, says } from '../workers.ts';
import type { Present } from './host-under-test.ts';

export function adopting(present: Present): void {
  describe('adopting', () => {
    test('finds workers by identity, attempt and role', async () => {
      const { open, workspace } = present();
      const host = await open();
      const first = order(workspace, 'sleep 1000 & echo ready; wait');
      const second = order(workspace, SCRIPTS.forever, { worker: 'b-2-merge', attempt: 4 });
      const one = await host.start(first);
      const two = await host.start(second);
      await says(host, first, 'ready');
      const found = await (await open()).adopt();
      expect(found.filter(({ role }) => role === 'agent').toSorted((a, b) => a.attempt - b.attempt)).toEqual([
        { ...one, worker: first.worker, attempt: 1, role: 'agent' },
        { ...two, worker: second.worker, attempt: 4, role: 'agent' },
      ]);
      expect(found.filter(({ role }) => role === 'group')).toMatchObject([{ worker: first.worker }]);
    });

    test('finds a grandchild that left the group and outlived its worker', async () => {
      const { open, workspace } = present();
      const host = await open();
      const file = join(workspace, 'escaped');
      const worker = order(workspace, SCRIPTS.escaping, { arguments: [file] });
      await exitOf(host, await host.start(worker));
      const pid = Number(readFileSync(file, 'utf8'));
      expect(await host.adopt()).toMatchObject([{ pid, worker: worker.worker, role: 'escaped' }]);
    });

    test('finds a worker immediately after its start, even if the worker wiped its environment', async () => {
      const { open, workspace } = present();
      const host = await open();
      for (let attempt = 1; attempt <= 10; attempt += 1) {
        const { pid } = await host.start(order(workspace, 'exec env -i sleep 1000', { attempt }));
        const found = await host.adopt();
        expect(found.find((each) => each.attempt === attempt)).toMatchObject({ pid, role: 'agent' });
      }
      const later = await host.adopt();
      expect(later.map(({ attempt }) => attempt).toSorted((a, b) => a - b)).toHaveLength(10);
    });

    test('ignores a process that imitates a worker’s command line, even if it has a forged marker', async () => {
      const { open, workspace } = present();
      const host = await open();
      const worker = order(workspace, SCRIPTS.forever);
      const { marker, pid } = await host.start(worker);
      const forged = marker.replace(/[0-9a-f]+$/, '00');
      for (const env of [{}, { LEGION_MARKER: 'another/a-1-implement/1/00' }, { LEGION_MARKER: forged }]) {
        const imitation = await decoy(worker, env);
        expect((await host.adopt()).map((found) => found.pid)).toEqual([pid]);
        await imitation.end();
      }
    });
  });
}
