/**
 * Tests that a process with unreadable data is treated as unavailable: it is never reported as
 * dead, omitted, or signalled.
 */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { order, SCRIPTS } from '../../ports/host/workers.ts';
import { refusal } from '../../ports/journal/refusal.ts';
import { useHarness } from './present.ts';

const present = useHarness();

/** Creates a fake proc file system with one boot id and optionally this process. */
function fakeProc(withOurselves: boolean): string {
  const proc = join(present().workspace, 'proc');
  mkdirSync(join(proc, 'sys/kernel/random'), { recursive: true });
  cpSync('/proc/sys/kernel/random/boot_id', join(proc, 'sys/kernel/random/boot_id'));
  if (withOurselves) {
    mkdirSync(join(proc, String(process.pid)));
    // Copying a /proc file yields an empty one, because its reported size is 0.
    writeFileSync(join(proc, String(process.pid), 'stat'), readFileSync('/proc/self/stat'));
  }
  return proc;
}

test('refuses to open on a machine without a proc file system', async () => {
  const { open, workspace } = present();
  expect(await refusal(open({ proc: join(workspace, 'none') }))).toMatchObject({ code: 'host.unsupported' });
});

test('refuses to open with an invalid legion id', async () => {
  expect(await refusal(present().open({ legion: '../x' }))).toMatchObject({ code: 'id.invalid' });
});

test('if the proc file system lists no processes, every worker is reported as unavailable', async () => {
  const { open, workspace } = present();
  const identity = await (await open()).start(order(workspace, SCRIPTS.forever));
  const blind = await open({ proc: fakeProc(false) });
  expect(await blind.observe(identity)).toMatchObject({
    alive: { unavailable: expect.any(String) },
    exit: 'none',
    groupCpuMs: { unavailable: expect.any(String) },
    children: { unavailable: expect.any(String) },
    output: { bytes: 0 },
  });
  expect(await blind.signal(identity, 'KILL')).toBe('unavailable');
  expect(await refusal(blind.adopt())).toMatchObject({ code: 'host.unavailable' });
  expect(await blind.readCapacity()).toBe('unavailable');
});

test('a process that is hidden but can be signalled is reported as unavailable, not dead', async () => {
  const { open, workspace } = present();
  const identity = await (await open()).start(order(workspace, SCRIPTS.forever));
  const blind = await open({ proc: fakeProc(true) });
  expect(await blind.observe(identity)).toMatchObject({
    alive: { unavailable: expect.stringContaining('hidden') },
    exit: 'none',
  });
  expect(await blind.signal(identity, 'KILL')).toBe('unavailable');
});

test('a process whose entry is malformed or unreadable is reported as unavailable, not dead', async () => {
  const { open, workspace } = present();
  const identity = await (await open()).start(order(workspace, SCRIPTS.forever));
  const proc = fakeProc(true);
  const entry = join(proc, String(identity.pid));
  for (const make of [
    () => mkdirSync(join(entry, 'stat'), { recursive: true }), // causes EISDIR, which stands in for any read error and also affects root
    () => writeFileSync(join(entry, 'stat'), ''),
    () => writeFileSync(join(entry, 'stat'), '1 (sh) S 1 1'),
  ]) {
    rmSync(join(entry, 'stat'), { recursive: true, force: true });
    make();
    const blind = await open({ proc });
    expect(await blind.observe(identity)).toMatchObject({ alive: { unavailable: expect.any(String) } });
    expect(await blind.signal(identity, 'TERM')).toBe('unavailable');
  }
  expect(readdirSync(proc)).toContain(String(identity.pid));
});
