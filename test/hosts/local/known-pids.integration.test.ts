/**
 * Tests that running workers are observed by their known pids, so that the whole process table is
 * rarely read.
 */
import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { observeProcess } from '../../../src/hosts/local/observe.ts';
import {
  createProcessSurvey,
  createProcessTable,
  type ProcessTable,
} from '../../../src/hosts/local/process-table.ts';
import { eventually, isGone, order, says } from '../../ports/host/workers.ts';
import { useHarness } from './present.ts';
import { folderOf } from './runner-pid.ts';

const present = useHarness();

const OBSERVATIONS = 10;
/**
 * Longer than the time for which concurrent observations share one listing of the process table.
 */
const PAUSE_MS = 210;

/** Wraps the real process table and counts how often it is listed. */
function countingTable() {
  const table = createProcessTable('/proc');
  const count = { walks: 0 };
  const counting: ProcessTable = {
    ...table,
    listPids() {
      count.walks += 1;
      return table.listPids();
    },
  };
  return {
    count,
    context: { table: counting, survey: createProcessSurvey(counting), outputLimitBytes: 1_000 },
  };
}

test(`${OBSERVATIONS} observations of two workers within a few seconds read the process table only once`, async () => {
  const { open, workspace, state } = present();
  const host = await open();
  const { count, context } = countingTable();
  const workers = [1, 2].map((attempt) =>
    order(workspace, 'sleep 1000 & echo ready; wait', { attempt, worker: 'a-1-plan' }),
  );
  const identities = await Promise.all(workers.map((each) => host.start(each)));
  await Promise.all(workers.map((each) => says(host, each, 'ready')));
  for (let round = 0; round < OBSERVATIONS; round += 1) {
    for (const [index, identity] of identities.entries()) {
      const seen = await observeProcess(context, folderOf(state, 'a-1-plan', index + 1), identity);
      expect(seen).toMatchObject({ alive: true, children: { count: 1 } });
    }
    await sleep(PAUSE_MS);
  }
  expect(count.walks).toBe(1);
});

test('reads the CPU time of a known child process on every observation, and omits the child once it has exited', async () => {
  const { open, workspace, state } = present();
  const host = await open();
  const { context } = countingTable();
  const worker = order(workspace, '(while :; do :; done) & echo "$!"; wait; exec sleep 1000');
  const identity = await host.start(worker);
  const folder = folderOf(state, worker.worker, 1);
  const child = await eventually('its child', async () => {
    for await (const { text } of host.output(worker.worker, 1, 0)) return Number(text);
    return undefined;
  });
  const look = () => observeProcess(context, folder, identity);
  const first = await look();
  expect(first.children).toMatchObject({ count: 1 });
  await eventually('more CPU time', async () =>
    Number((await look()).groupCpuMs) > Number(first.groupCpuMs) ? true : undefined,
  );
  process.kill(child, 'SIGKILL');
  await eventually('its end', async () => {
    const { children } = await look();
    return 'count' in children && children.count === 0 ? true : undefined;
  });
});

test('immediately finds processes that a worker left running, even if no earlier listing included them', async () => {
  const { open, workspace, state } = present();
  const host = await open();
  const { context } = countingTable();
  const go = `${workspace}/go`;
  const script = 'echo before; while [ ! -e "$1" ]; do sleep 0.02; done; setsid sleep 1000 & exit 0';
  const worker = order(workspace, script, { arguments: [go] });
  const identity = await host.start(worker);
  await says(host, worker, 'before');
  const folder = folderOf(state, worker.worker, 1);
  await observeProcess(context, folder, identity);
  writeFileSync(go, '');
  await isGone(host, identity);
  await sleep(PAUSE_MS);
  expect(await observeProcess(context, folder, identity)).toMatchObject({
    alive: false,
    children: { count: 1 },
  });
});
