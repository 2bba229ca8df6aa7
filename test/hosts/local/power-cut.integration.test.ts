/**
 * Tests attempts from before a reboot: if a power cut damaged their records, no worker is started
 * and none is treated as running.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readExitStatus, readProcess } from '../../../src/hosts/local/attempt-folder.ts';
import { isGone, order, SCRIPTS } from '../../ports/host/workers.ts';
import { refusal } from '../../ports/journal/refusal.ts';
import { useHarness } from './present.ts';
import { folderOf } from './runner-pid.ts';

const present = useHarness();

/** Creates the directory of an ended attempt, so that its records can be changed. */
async function endedAttempt() {
  const { open, workspace, state } = present();
  const host = await open();
  const worker = order(workspace, SCRIPTS.forever);
  const identity = await host.start(worker);
  await host.signal(identity, 'KILL');
  await isGone(host, identity);
  const folder = folderOf(state, worker.worker, 1);
  return { host, worker, identity, folder };
}

/**
 * Creates a fake proc file system like that of a machine that has just booted and is running only
 * this process.
 */
function justBooted(): string {
  const proc = join(present().workspace, 'proc');
  mkdirSync(join(proc, 'sys/kernel/random'), { recursive: true });
  writeFileSync(join(proc, 'sys/kernel/random/boot_id'), '11111111-1111-1111-1111-111111111111\n');
  writeFileSync(join(proc, 'uptime'), '0.00 0.00\n');
  mkdirSync(join(proc, String(process.pid)));
  writeFileSync(join(proc, String(process.pid), 'stat'), readFileSync('/proc/self/stat'));
  return proc;
}

test('does not start an attempt that was prepared before the last reboot', async () => {
  const { worker, folder } = await endedAttempt();
  rmSync(join(folder, 'claim'));
  writeFileSync(join(folder, 'process.json'), ' '.repeat(300));
  const host = await present().open({ proc: justBooted() });
  expect(await refusal(host.start(worker))).toMatchObject({ code: 'host.start_unknown' });
});

test.each(['start.json', 'process.json'])(
  'does not start an attempt again if its %s was lost in a power cut',
  async (name) => {
    const { host, worker, folder } = await endedAttempt();
    writeFileSync(join(folder, name), '');
    expect(await refusal(host.start(worker)), 'in the same boot').toMatchObject({ code: 'host.unavailable' });
    const later = await present().open({ proc: justBooted() });
    expect(await refusal(later.start(worker))).toMatchObject({ code: 'host.start_unknown' });
  },
);

test('treats a worker whose pid now belongs to another process as dead, even if the record of the worker was lost', async () => {
  const { host, identity, folder } = await endedAttempt();
  writeFileSync(join(folder, 'process.json'), '');
  const reused = { ...identity, pid: process.pid };
  expect(await host.observe(reused)).toMatchObject({ alive: false });
  expect(await host.signal(reused, 'KILL')).not.toBe('sent');
});

test('treats a record that is being written as missing, and a truncated one as damaged', async () => {
  const { folder } = await endedAttempt();
  const whole = readFileSync(join(folder, 'process.json'), 'utf8');
  for (const text of ['    ', `${whole.slice(0, 20)}    `]) {
    writeFileSync(join(folder, 'process.json'), text);
    expect(await readProcess(folder), JSON.stringify(text)).toBeUndefined();
  }
  for (const text of ['', whole.slice(0, 20)]) {
    writeFileSync(join(folder, 'process.json'), text);
    expect(await refusal(readProcess(folder)), JSON.stringify(text)).toMatchObject({
      code: 'host.unavailable',
    });
  }
  writeFileSync(join(folder, 'exit.json'), '{"status":7}        ');
  expect(await readExitStatus(folder)).toBe(7);
});
