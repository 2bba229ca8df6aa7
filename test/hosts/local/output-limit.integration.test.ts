/**
 * Tests the output limit for a worker that floods its output: the beginning is kept, the loss is
 * marked, and the worker is unaffected.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually, exitOf, order, readAll } from '../../ports/host/workers.ts';
import { useHarness } from './present.ts';
import { folderOf } from './runner-pid.ts';

const LIMIT = 100_000;

const present = useHarness();

test('drops output beyond the limit while the worker is observed, and reports the loss', async () => {
  const { open, workspace, state } = present();
  const host = await open({ outputLimitBytes: LIMIT });
  const worker = order(
    workspace,
    'i=0; while [ "$i" -lt 30 ]; do head -c 50000 /dev/zero | tr "\\0" "$1"; i=$((i+1)); sleep 0.05; done; exit 4',
    { arguments: ['x'] },
  );
  const process = await host.start(worker);
  const stop = host.watch(worker.worker, 1, () => {});
  const path = join(folderOf(state, worker.worker, 1), 'out');
  await eventually('an overflow', async () => {
    const { output } = await host.observe(process);
    return 'overflowed' in output && output.overflowed ? true : undefined;
  });
  expect(await exitOf(host, process)).toMatchObject({ code: 4 });
  expect((await host.observe(process)).output).toEqual({ bytes: LIMIT, overflowed: true });
  stop();
  expect(statSync(path).size).toBe(LIMIT);
  expect((await readAll(host, worker)) === 'x'.repeat(LIMIT)).toBe(true);
});

test('never returns output beyond the limit, even if nothing has been dropped yet', async () => {
  const { open, workspace } = present();
  const host = await open();
  const worker = order(workspace, 'head -c 200000 /dev/zero');
  await exitOf(host, await host.start(worker));
  const limited = await open({ outputLimitBytes: LIMIT });
  expect((await readAll(limited, worker)).length).toBe(LIMIT);
  expect(await limited.findLineNearEnd(worker.worker, 1, 10)).toBe(LIMIT - 10);
});

test('output of exactly the maximum size is not an overflow', async () => {
  const { open, workspace } = present();
  const host = await open({ outputLimitBytes: LIMIT });
  const worker = order(workspace, `head -c ${LIMIT} /dev/zero`);
  const process = await host.start(worker);
  await exitOf(host, process);
  expect((await host.observe(process)).output).toEqual({ bytes: LIMIT, overflowed: false });
});
