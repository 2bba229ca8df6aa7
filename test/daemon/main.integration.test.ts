import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isDaemonStopped } from '../../src/cli/daemon-address.ts';
import { LegionError } from '../../src/core/model/fault.ts';
import { lockLegion } from '../../src/daemon/composition/instance-lock.ts';
import { openStateFolder } from '../../src/daemon/composition/open-state-folder.ts';
import { createFolderOfAnotherUser } from '../support/other-user.ts';

let folder: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'legion-compose-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function codeOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof LegionError) return error.code;
    throw error;
  }
  return 'no fault';
}

describe('the state directory', () => {
  test('is readable only by this user; each start writes a new token and keeps the worker secret', () => {
    const first = openStateFolder(join(folder, 's'), ['/bin/true']);
    expect(Buffer.from(first.token, 'base64url')).toHaveLength(32);
    expect(first.token).not.toBe(first.workerSecret);
    expect(statSync(join(folder, 's')).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, 's/token')).mode & 0o777).toBe(0o600);
    const again = openStateFolder(join(folder, 's'), ['/bin/true']);
    expect(again.workerSecret).toBe(first.workerSecret);
    expect(Buffer.from(again.token, 'base64url')).toHaveLength(32);
    expect(again.token).not.toBe(first.token);
    expect(readFileSync(join(folder, 's/token'), 'utf8')).toBe(`${again.token}\n`);
  });

  test('gets a new token file if the old one is readable by others or is a symlink, which is not followed', () => {
    openStateFolder(folder, ['/bin/true']);
    chmodSync(join(folder, 'token'), 0o644);
    openStateFolder(folder, ['/bin/true']);
    expect(statSync(join(folder, 'token')).mode & 0o777).toBe(0o600);
    writeFileSync(join(folder, 'other'), 'untouched');
    rmSync(join(folder, 'token'));
    symlinkSync(join(folder, 'other'), join(folder, 'token'));
    openStateFolder(folder, ['/bin/true']);
    expect(readFileSync(join(folder, 'other'), 'utf8')).toBe('untouched');
    expect(lstatSync(join(folder, 'token')).isFile()).toBe(true);
  });

  test('is refused if its worker secret is invalid or readable by others', () => {
    openStateFolder(folder, ['/bin/true']);
    const secret = join(folder, 'worker-secret');
    chmodSync(secret, 0o644);
    expect(codeOf(() => openStateFolder(folder, ['/bin/true']))).toBe('daemon.state_unusable');
    chmodSync(secret, 0o600);
    writeFileSync(secret, '\n');
    expect(codeOf(() => openStateFolder(folder, ['/bin/true']))).toBe('daemon.state_unusable');
  });

  test('is made private if others can read it, and is refused if others could have written to it', () => {
    const state = join(folder, 's');
    mkdirSync(state);
    chmodSync(state, 0o755);
    openStateFolder(state, ['/bin/true']);
    expect(statSync(state).mode & 0o777).toBe(0o700);
    for (const mode of [0o770, 0o702, 0o1777]) {
      chmodSync(state, mode);
      expect(
        codeOf(() => openStateFolder(state, ['/bin/true'])),
        mode.toString(8),
      ).toBe('daemon.state_unusable');
    }
    chmodSync(state, 0o700);
    symlinkSync(state, join(folder, 'link'));
    for (const path of [join(folder, 'link'), createFolderOfAnotherUser(folder)]) {
      expect(
        codeOf(() => openStateFolder(path, ['/bin/true'])),
        path,
      ).toBe('daemon.state_unusable');
    }
  });

  test('contains a `legion` executable for workers, which keeps special characters in its command unchanged', () => {
    const { bin } = openStateFolder(folder, ['/bin/echo', "it's", 'a $(b)']);
    expect(execFileSync(join(bin, 'legion'), ['worker', 'done']).toString()).toBe(
      "it's a $(b) --as-worker worker done\n",
    );
  });

  test('keeps a published address until the daemon that published it withdraws it; no other daemon can withdraw it', () => {
    const state = openStateFolder(folder, ['/bin/true']);
    const file = { legion: 'demo', url: 'http://127.0.0.1:1', startedAt: 1, version: '1' };
    state.announce({ ...file, pid: 7 });
    state.withdraw(6, 'final');
    expect(JSON.parse(readFileSync(join(folder, 'daemon.json'), 'utf8'))).toMatchObject({ pid: 7 });
    state.withdraw(7, 'final');
    expect(() => statSync(join(folder, 'daemon.json'))).toThrow('ENOENT');
  });

  test('tells clients to wait for the next daemon only if the daemon is restarting', () => {
    const unlock = lockLegion(folder, 'demo');
    const state = openStateFolder(folder, ['/bin/true']);
    const file = { legion: 'demo', url: 'http://127.0.0.1:1', startedAt: 1, version: '1', pid: 7 };
    state.announce(file);
    state.withdraw(7, 'restart');
    expect(isDaemonStopped(folder)).toBe(false);
    state.announce(file);
    state.withdraw(7, 'final');
    expect(isDaemonStopped(folder)).toBe(true);
    unlock();
  });
});

describe('the legion lock', () => {
  test('has one holder, tells other processes which process that is, and is free after release', () => {
    const unlock = lockLegion(folder, 'demo');
    openStateFolder(folder, ['/bin/true']).announce({
      legion: 'demo',
      url: 'http://127.0.0.1:1',
      pid: 7,
      startedAt: 1,
      version: '1',
    });
    const other = `
      import { lockLegion } from ${JSON.stringify(join(import.meta.dirname, '../../src/daemon/composition/instance-lock.ts'))};
      try { lockLegion(${JSON.stringify(folder)}, 'demo'); console.log('took it'); } catch (error) { console.log(error.code, error.message); }`;
    const ask = () => execFileSync(process.execPath, ['--input-type=module', '-e', other]).toString().trim();
    expect(ask()).toBe('daemon.running Legion demo is already led by process 7 at http://127.0.0.1:1');
    unlock();
    expect(ask()).toBe('took it');
    // The previous process exited without unlocking. The lock is free anyway, without any cleanup.
    expect(ask()).toBe('took it');
  });

  test('goes to exactly one of four concurrent processes, and the others report which process holds it', async () => {
    // Each process reports when it is ready, tries to lock at the given time and holds the lock
    // until its input ends.
    const contender = `
      import { lockLegion } from ${JSON.stringify(join(import.meta.dirname, '../../src/daemon/composition/instance-lock.ts'))};
      let unlock;
      process.stdin.on('end', () => unlock?.());
      process.stdin.once('data', (startAt) => {
        while (Date.now() < Number(startAt));
        try { unlock = lockLegion(${JSON.stringify(folder)}, 'demo'); console.log('took it'); }
        catch (error) { console.log(error.message); }
      });
      console.log('ready');`;
    const contenders = Array.from({ length: 4 }, () => {
      const child = spawn(process.execPath, ['--input-type=module', '-e', contender]);
      return { child, lines: createInterface(child.stdout)[Symbol.asyncIterator]() };
    });
    const readNext = () =>
      Promise.all(
        contenders.map(async ({ child, lines }) => ({ pid: child.pid, text: (await lines.next()).value })),
      );
    for (const { text } of await readNext()) expect(text).toBe('ready');
    const startAt = String(Date.now() + 100);
    for (const { child } of contenders) child.stdin.write(startAt);
    const said = await readNext();
    const ends = contenders.map(({ child }) => once(child, 'close'));
    for (const { child } of contenders) child.stdin.end();
    await Promise.all(ends);
    const winners = said.filter((one) => one.text === 'took it');
    expect(winners, JSON.stringify(said)).toHaveLength(1);
    for (const one of said.filter((other) => other !== winners[0]))
      expect(one.text).toBe(
        `Legion demo is already led by process ${winners[0]?.pid}, which has no address yet`,
      );
  });
});
