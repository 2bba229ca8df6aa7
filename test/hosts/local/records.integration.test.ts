/**
 * Tests that missing, foreign or damaged records never make another process look like a worker, or
 * a live worker look dead.
 */
import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { decoy } from '../../ports/host/decoy.ts';
import { order, SCRIPTS, says } from '../../ports/host/workers.ts';
import { refusal } from '../../ports/journal/refusal.ts';
import { useHarness } from './present.ts';
import { folderOf } from './runner-pid.ts';

const present = useHarness();

/** Two clock ticks of 10 ms: processes started this far apart have different start ticks. */
const TWO_TICKS_MS = 20;

/** Starts a worker and returns a way to change its record. */
async function started() {
  const { open, workspace, state } = present();
  const host = await open();
  const worker = order(workspace, `echo ready; ${SCRIPTS.forever}`);
  const identity = await host.start(worker);
  await says(host, worker, 'ready');
  const path = join(folderOf(state, worker.worker, 1), 'process.json');
  const change = (part: object) =>
    writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), ...part }));
  return { host, worker, identity, path, change };
}

test('does not treat a process with a reused pid as ours, and sends it no signal', async () => {
  const { host, worker, identity, change } = await started();
  await sleep(TWO_TICKS_MS);
  const stranger = await decoy(worker);
  change({ pid: stranger.pid });
  const recorded = await host.start(worker);
  expect(recorded).toEqual({ ...identity, pid: stranger.pid });
  // A process is considered the same only if its start tick is the same. The decoy started later.
  expect(await host.observe(recorded)).toMatchObject({ alive: false });
  for (const signal of ['TERM', 'KILL'] as const)
    expect(await host.signal(recorded, signal)).toBe('not_ours');
  expect(stranger.isAlive()).toBe(true);
  await stranger.end();
  expect(await host.observe(identity), 'the real one is untouched').toMatchObject({ alive: true });
});

test('does not treat a process from before a reboot as ours, even if its pid and start tick are the same', async () => {
  const { host, worker, change } = await started();
  change({ bootId: '00000000-0000-0000-0000-000000000000' });
  const recorded = await host.start(worker);
  expect(await host.observe(recorded)).toMatchObject({ alive: false });
  expect(await host.signal(recorded, 'KILL')).toBe('not_ours');
  expect((await host.adopt()).length).toBeGreaterThan(0);
});

test('finds and signals a process without a record by its marker', async () => {
  const { host, identity, worker, path } = await started();
  rmSync(path);
  expect(await host.adopt()).toEqual([{ ...identity, worker: worker.worker, attempt: 1, role: 'agent' }]);
  expect(await host.observe(identity)).toMatchObject({ alive: true });
  expect(await host.signal(identity, 'KILL')).toBe('sent');
});

test("a damaged record makes the worker's state unavailable, and no signal is sent", async () => {
  const { host, worker, identity, path } = await started();
  for (const text of ['', '{"pid":', '{}', '{"pid":1,"ticks":"1"}', 'null']) {
    writeFileSync(path, text);
    expect(await host.observe(identity), text).toMatchObject({ alive: { unavailable: expect.any(String) } });
    expect(await host.signal(identity, 'KILL'), text).toBe('unavailable');
    expect(await refusal(host.start(worker)), text).toMatchObject({ code: 'host.unavailable' });
    expect(await host.adopt(), 'it is still found').toMatchObject([{ pid: identity.pid }]);
  }
  rmSync(path);
});

test('never repeats a start whose runner was killed, and reports the outcome as unknown', async () => {
  const { open, workspace, state } = present();
  const host = await open();
  const worker = order(workspace, SCRIPTS.forever);
  await host.start(worker);
  const [found] = await host.adopt();
  if (found !== undefined) await host.signal(found, 'KILL');
  // Puts the directory into the state in which a runner leaves it if the runner is killed right
  // after it has claimed the attempt.
  const folder = folderOf(state, worker.worker, 1);
  renameSync(folder, folderOf(state, worker.worker, 2));
  rmSync(join(folderOf(state, worker.worker, 2), 'process.json'));
  expect(await refusal(host.start({ ...worker, attempt: 2 }))).toMatchObject({ code: 'host.start_unknown' });
  expect(await host.adopt()).toEqual([]);
});

test('the host opens even if another daemon has just renamed a directory that the host has listed', async () => {
  const { open, state } = present();
  const preparing = join(state, 'preparing');
  mkdirSync(preparing, { recursive: true });
  // A dangling link imitates a directory that was renamed after the listing.
  symlinkSync(join(preparing, 'renamed'), join(preparing, 'listed'));
  expect(await (await open()).adopt()).toEqual([]);
});

test('after an hour, but not earlier, removes directories that a daemon has left half prepared', async () => {
  const { open, state } = present();
  await open();
  const preparing = join(state, 'preparing');
  for (const name of ['old', 'new']) mkdirSync(join(preparing, name), { recursive: true });
  const longAgo = Date.now() / 1000 - 3_700;
  utimesSync(join(preparing, 'old'), longAgo, longAgo);
  await open();
  expect(() => readFileSync(join(preparing, 'old'))).toThrow('ENOENT');
  expect(() => readFileSync(join(preparing, 'new'))).toThrow('EISDIR');
});
