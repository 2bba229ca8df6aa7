/** Tests the cost of starting a worker: the number of processes and disk flushes. */
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { mayHaveOwnPids, ownPids } from '../../journal/sqlite/confinement.ts';
import { runScript } from '../../journal/sqlite/script.ts';
import { exitOf, order } from '../../ports/host/workers.ts';
import { skipUnlessPermitted } from '../../support/required-program.ts';
import { useHarness } from './present.ts';
import { folderOf } from './runner-pid.ts';

const START_COST = new URL('start-cost.ts', import.meta.url);

const present = useHarness();

test('a worker needs two processes: its runner and the process of the worker itself', async (context) => {
  skipUnlessPermitted(context, mayHaveOwnPids(), 'pid namespaces');
  const printed = await runScript(START_COST, [present().workspace], ownPids());
  expect(JSON.parse(printed)).toEqual({ code: 3, processes: 2 });
});

test('starting a worker waits for no disk flush', async () => {
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

/** Counts flushes of files that were opened with the promise API, as all files of a start are. */
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
