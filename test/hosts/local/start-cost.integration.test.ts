/** What a start costs: processes and flushes to the disk, on the way from a decision to its worker. */
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { mayHaveOwnPids, ownPids } from '../../journal/sqlite/confinement.ts';
import { runScript } from '../../journal/sqlite/script.ts';
import { exitOf, order } from '../../ports/host/workers.ts';
import { useHarness } from './present.ts';
import { folderOf } from './runner-pid.ts';

const START_COST = new URL('start-cost.ts', import.meta.url);

const present = useHarness();

test.runIf(mayHaveOwnPids())('a worker takes two processes: its runner and itself', async () => {
  const printed = await runScript(START_COST, [present().workspace], ownPids());
  expect(JSON.parse(printed)).toEqual({ code: 3, processes: 2 });
});

test('a start waits for no flush to the disk', async () => {
  const { open: openHost, workspace, state } = present();
  const host = await openHost();
  const flushes = await countFlushes(async () => {
    expect(await exitOf(host, await host.start(order(workspace, 'exit 3')))).toMatchObject({ code: 3 });
  });
  expect(flushes).toBe(0);
  expect(await readFile(join(folderOf(state, 'a-1-implement', 1), 'exit.json'), 'utf8')).toMatch(
    /^\{"status":3\} +$/,
  );
});

/** Flushes of files that are opened by promise, as everything is that a start writes. */
async function countFlushes(work: () => Promise<void>): Promise<number> {
  const handle = await open('/dev/null');
  const files = Object.getPrototypeOf(handle) as typeof handle;
  await handle.close();
  const { sync, datasync } = files;
  let flushes = 0;
  files.sync = function (...args) {
    flushes += 1;
    return sync.apply(this, args);
  };
  files.datasync = function (...args) {
    flushes += 1;
    return datasync.apply(this, args);
  };
  try {
    await work();
  } finally {
    Object.assign(files, { sync, datasync });
  }
  return flushes;
}
