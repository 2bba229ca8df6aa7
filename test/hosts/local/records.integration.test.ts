/** Records that are missing, foreign or damaged never make a worker of a stranger, nor a dead one of a worker. */
import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { decoy } from '../../ports/host/decoy.ts';
import { order, SCRIPTS, says } from '../../ports/host/workers.ts';
import { refusal } from '../../ports/workspace/refusal.ts';
import { useHarness } from './present.ts';
import { folderOf } from './runner-pid.ts';

const present = useHarness();

/** Starts a worker and gives the way to change its record. */
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

test('a pid that was used again is not ours, and gets no signal', async () => {
  const { host, worker, identity, change } = await started();
  const stranger = await decoy(worker);
  change({ pid: stranger.pid });
  const recorded = await host.start(worker);
  expect(recorded).toEqual({ ...identity, pid: stranger.pid });
  // The same tick would be the same start; a decoy is started later.
  expect(await host.observe(recorded)).toMatchObject({ alive: false });
  for (const signal of ['TERM', 'KILL'] as const)
    expect(await host.signal(recorded, signal)).toBe('not_ours');
  expect(stranger.isAlive()).toBe(true);
  await stranger.end();
  expect(await host.observe(identity), 'the real one is untouched').toMatchObject({ alive: true });
});

test('a process of an earlier boot is not ours, though pid and count may be the same', async () => {
  const { host, worker, change } = await started();
  change({ bootId: '00000000-0000-0000-0000-000000000000' });
  const recorded = await host.start(worker);
  expect(await host.observe(recorded)).toMatchObject({ alive: false });
  expect(await host.signal(recorded, 'KILL')).toBe('not_ours');
  expect((await host.adopt()).length).toBeGreaterThan(0);
});

test('without a record the process is still found by its marker, and can be signalled', async () => {
  const { host, identity, worker, path } = await started();
  rmSync(path);
  expect(await host.adopt()).toEqual([{ ...identity, worker: worker.worker, attempt: 1, role: 'agent' }]);
  expect(await host.observe(identity)).toMatchObject({ alive: true });
  expect(await host.signal(identity, 'KILL')).toBe('sent');
});

test('a damaged record makes everything unavailable, and nothing is signalled', async () => {
  const { host, worker, identity, path } = await started();
  for (const text of ['', '{"pid":', '{}', '{"pid":1,"ticks":"1"}', 'null']) {
    writeFileSync(path, text);
    expect(await host.observe(identity), text).toMatchObject({ alive: { unavailable: expect.any(String) } });
    expect(await host.signal(identity, 'KILL'), text).toBe('unavailable');
    expect(await refusal(host.start(worker)), text).toMatchObject({ code: 'host.unavailable' });
    expect(await host.adopt(), 'it is found all the same').toMatchObject([{ pid: identity.pid }]);
  }
  rmSync(path);
});

test('a start cut short in its runner is never done again, and says so', async () => {
  const { open, workspace, state } = present();
  const host = await open();
  const worker = order(workspace, SCRIPTS.forever);
  await host.start(worker);
  const [found] = await host.adopt();
  if (found !== undefined) await host.signal(found, 'KILL');
  // The folder as it is when a runner was killed right after its claim.
  const folder = folderOf(state, worker.worker, 1);
  renameSync(folder, folderOf(state, worker.worker, 2));
  rmSync(join(folderOf(state, worker.worker, 2), 'process.json'));
  expect(await refusal(host.start({ ...worker, attempt: 2 }))).toMatchObject({ code: 'host.start_unknown' });
  expect(await host.adopt()).toEqual([]);
});

test('a folder that another daemon has just put in its place does not stop the opening', async () => {
  const { open, state } = present();
  const preparing = join(state, 'preparing');
  mkdirSync(preparing, { recursive: true });
  // A name that is listed and leads nowhere is what a folder looks like that was renamed after the listing.
  symlinkSync(join(preparing, 'renamed'), join(preparing, 'listed'));
  expect(await (await open()).adopt()).toEqual([]);
});

test('what a daemon left half prepared is cleared away after an hour, and not before', async () => {
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
