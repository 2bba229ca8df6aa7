/** What cannot be read is unavailable: never dead, never an empty list, never signalled. */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { order, SCRIPTS } from '../../ports/host/workers.ts';
import { refusal } from '../../ports/workspace/refusal.ts';
import { useHarness } from './present.ts';

const present = useHarness();

/** A stand-in for the proc file system with one boot id and, where asked, ourselves in it. */
function fakeProc(withOurselves: boolean): string {
  const proc = join(present().workspace, 'proc');
  mkdirSync(join(proc, 'sys/kernel/random'), { recursive: true });
  cpSync('/proc/sys/kernel/random/boot_id', join(proc, 'sys/kernel/random/boot_id'));
  if (withOurselves) {
    mkdirSync(join(proc, String(process.pid)));
    // Copying a file of /proc yields an empty one, because its size is said to be 0.
    writeFileSync(join(proc, String(process.pid), 'stat'), readFileSync('/proc/self/stat'));
  }
  return proc;
}

test('a machine without a proc file system is refused at the opening', async () => {
  const { open, workspace } = present();
  expect(await refusal(open({ proc: join(workspace, 'none') }))).toMatchObject({ code: 'host.unsupported' });
});

test('a legion id that is none is refused at the opening', async () => {
  expect(await refusal(present().open({ legion: '../x' }))).toMatchObject({ code: 'id.invalid' });
});

test('a proc file system that shows nobody makes everything unavailable', async () => {
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
  expect(await blind.room()).toBe('unavailable');
});

test('a process that is hidden but can be reached is unavailable, not dead', async () => {
  const { open, workspace } = present();
  const identity = await (await open()).start(order(workspace, SCRIPTS.forever));
  const blind = await open({ proc: fakeProc(true) });
  expect(await blind.observe(identity)).toMatchObject({
    alive: { unavailable: expect.stringContaining('hidden') },
    exit: 'none',
  });
  expect(await blind.signal(identity, 'KILL')).toBe('unavailable');
});

test('a process whose entry cannot be understood or opened is unavailable, not dead', async () => {
  const { open, workspace } = present();
  const identity = await (await open()).start(order(workspace, SCRIPTS.forever));
  const proc = fakeProc(true);
  const entry = join(proc, String(identity.pid));
  for (const make of [
    () => mkdirSync(join(entry, 'stat'), { recursive: true }), // EISDIR stands for every refusal, also as root
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
