/**
 * Tests that a damaged record affects only its own attempt: all others are found, started and ended
 * as usual.
 */
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { Host, ProcessIdentity } from '../../../src/ports/host.ts';
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

test('unrelated files among the attempts do not prevent the adoption of workers', async () => {
  const host = await present().open();
  const { pid, folder } = await started(host, 'eng-1-plan');
  const attempts = dirname(dirname(folder));
  writeFileSync(join(attempts, 'notes.txt'), 'a file where a worker’s folder belongs');
  writeFileSync(join(attempts, 'eng-1-plan', '7'), 'a file where an attempt’s folder belongs');
  mkdirSync(join(attempts, 'eng-2-plan', 'x', 'process.json'), { recursive: true });
  expect(await host.adopt()).toMatchObject([{ pid, worker: 'eng-1-plan', attempt: 1, role: 'agent' }]);
});

test('finds a worker whose start record is unreadable, and all other workers', async () => {
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

test('detects that a worker exited even if its record or its whole directory is gone', async () => {
  const host = await present().open();
  const { folder, ...identity } = await started(host, 'eng-1-plan');
  await host.signal(identity, 'KILL');
  await expect.poll(async () => (await host.observe(identity)).alive).toBe(false);
  // The runner writes the exit record a moment after the exit. Waits for that record here, so that
  // it does not overwrite the damage done below.
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
