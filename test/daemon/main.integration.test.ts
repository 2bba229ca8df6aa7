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
import { LegionError } from '../../src/core/model/fault.ts';
import { lockLegion } from '../../src/daemon/composition/instance-lock.ts';
import { openStateFolder } from '../../src/daemon/composition/open-state-folder.ts';
import { folderOfAnotherUser } from '../support/other-user.ts';

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

describe('the state folder', () => {
  test('keeps its secrets for this user alone: a new token at each start, the same secret for workers', () => {
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

  test('replaces a token that others could read, or a link in its place, without writing through it', () => {
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

  test('refuses a secret of workers that others can read, and one that is none', () => {
    openStateFolder(folder, ['/bin/true']);
    const secret = join(folder, 'worker-secret');
    chmodSync(secret, 0o644);
    expect(codeOf(() => openStateFolder(folder, ['/bin/true']))).toBe('daemon.state_unusable');
    chmodSync(secret, 0o600);
    writeFileSync(secret, '\n');
    expect(codeOf(() => openStateFolder(folder, ['/bin/true']))).toBe('daemon.state_unusable');
  });

  test('is closed where others can read it, and refused where they could have written into it', () => {
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
    for (const path of [join(folder, 'link'), folderOfAnotherUser(folder)]) {
      expect(
        codeOf(() => openStateFolder(path, ['/bin/true'])),
        path,
      ).toBe('daemon.state_unusable');
    }
  });

  test('gives workers a legion that is this one, whatever its path looks like', () => {
    const { bin } = openStateFolder(folder, ['/bin/echo', "it's", 'a $(b)']);
    expect(execFileSync(join(bin, 'legion'), ['worker', 'done']).toString()).toBe(
      "it's a $(b) --as-worker worker done\n",
    );
  });

  test('withdraws its own address and leaves that of a successor', () => {
    const state = openStateFolder(folder, ['/bin/true']);
    const file = { legion: 'demo', url: 'http://127.0.0.1:1', startedAt: 1, version: '1' };
    state.announce({ ...file, pid: 7 });
    state.withdraw(6);
    expect(JSON.parse(readFileSync(join(folder, 'daemon.json'), 'utf8'))).toMatchObject({ pid: 7 });
    state.withdraw(7);
    expect(() => statSync(join(folder, 'daemon.json'))).toThrow('ENOENT');
  });
});

describe('the lock of a legion', () => {
  test('is held by one, who is named to the other, and free again afterwards', () => {
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
    expect(ask()).toBe('daemon.running legion demo is led by process 7 at http://127.0.0.1:1');
    unlock();
    expect(ask()).toBe('took it');
    // The process that took it is dead by now, and nothing had to be cleaned up.
    expect(ask()).toBe('took it');
  });

  test('goes to exactly one of four processes that ask at the same moment, and the others name it', async () => {
    // Each process says when it is ready, asks at the given moment, and keeps the lock until its input ends.
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
        `legion demo is led by process ${winners[0]?.pid}, which has no address at this moment`,
      );
  });
});
