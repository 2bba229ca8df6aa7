/** One damaged record is the trouble of its own attempt: everybody else is found, started and ended as ever. */
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { Host, ProcessIdentity } from '../../../src/hosts/host.ts';
import { order, SCRIPTS, says } from '../../ports/host/workers.ts';
import { useHarness } from './present.ts';
import { folderOf } from './runner-pid.ts';

const present = useHarness();

async function started(host: Host, worker: string): Promise<ProcessIdentity & { folder: string }> {
  const { workspace, state } = present();
  const given = order(workspace, `echo ready; ${SCRIPTS.forever}`, { worker });
  const identity = await host.start(given);
  await says(host, given, 'ready');
  return { ...identity, folder: folderOf(state, worker, 1) };
}

test('what lies among the attempts and is none keeps nobody from being adopted', async () => {
  const host = await present().open();
  const { pid, folder } = await started(host, 'eng-1-plan');
  const attempts = dirname(dirname(folder));
  writeFileSync(join(attempts, 'notes.txt'), 'a file where a worker’s folder belongs');
  writeFileSync(join(attempts, 'eng-1-plan', '7'), 'a file where an attempt’s folder belongs');
  mkdirSync(join(attempts, 'eng-2-plan', 'x', 'process.json'), { recursive: true });
  expect(await host.adopt()).toMatchObject([{ pid, worker: 'eng-1-plan', attempt: 1, role: 'agent' }]);
});

test('a worker whose order cannot be read any more is found all the same, and so is everybody else', async () => {
  const host = await present().open();
  const one = await started(host, 'eng-1-plan');
  const other = await started(host, 'eng-2-plan');
  const path = join(one.folder, 'start.json');
  for (const text of ['', '{"worker":', 'null']) {
    writeFileSync(path, text);
    const found = await host.adopt();
    expect(found.map(({ pid }) => pid).sort(), text).toEqual([one.pid, other.pid].sort());
  }
  rmSync(path);
  mkdirSync(path);
  expect(await host.adopt()).toHaveLength(2);
});

test('of a worker that is gone the end is seen, whatever became of its record or its whole folder', async () => {
  const host = await present().open();
  const { folder, ...identity } = await started(host, 'eng-1-plan');
  await host.signal(identity, 'KILL');
  await expect.poll(async () => (await host.observe(identity)).alive).toBe(false);
  // Written by the runner a moment after the end; it must not replace what is damaged below.
  await expect.poll(async () => (await host.observe(identity)).exit).toMatchObject({ signal: 'SIGKILL' });
  writeFileSync(join(folder, 'process.json'), 'garbage');
  expect(await host.observe(identity)).toMatchObject({ alive: false });
  writeFileSync(join(folder, 'exit.json'), 'garbage');
  expect(await host.observe(identity)).toMatchObject({
    alive: false,
    exit: { unavailable: expect.any(String) },
  });
  renameSync(folder, `${folder}0`);
  writeFileSync(folder, 'a file where its folder belongs');
  expect(await host.observe(identity)).toMatchObject({
    alive: false,
    exit: { unavailable: expect.any(String) },
  });
});
