/** Workers that run are observed by their pids: the whole process table is read seldom. */
import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { observeProcess } from '../../../src/hosts/local/observe.ts';
import { type ProcessTable, processTable } from '../../../src/hosts/local/process-table.ts';
import { surveyor } from '../../../src/hosts/local/survey.ts';
import { eventually, isGone, order, says } from '../../ports/host/workers.ts';
import { useHarness } from './present.ts';
import { folderOf } from './runner-pid.ts';

const present = useHarness();

const OBSERVATIONS = 10;
/** Longer than a walk is shared by observations that come at the same time. */
const PAUSE_MS = 210;

/** The real process table, with a count of how often it is listed. */
function countingTable() {
  const table = processTable('/proc');
  const count = { walks: 0 };
  const counting: ProcessTable = {
    ...table,
    pids() {
      count.walks += 1;
      return table.pids();
    },
  };
  return { count, context: { table: counting, survey: surveyor(counting), outputLimitBytes: 1_000 } };
}

test(`${OBSERVATIONS} observations of two workers within some seconds read the process table once`, async () => {
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

test('CPU time of a child that is known is read anew each time, and a child that ended is no longer counted', async () => {
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

test('what a worker leaves behind is found at once, although no walk has seen it before', async () => {
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
