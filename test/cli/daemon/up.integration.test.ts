/** Tests starting, replacing and stopping a real daemon from the command line. */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { isRunning } from '../../../src/lib/process/proc-table.ts';
import { git } from '../../ports/forge/git.ts';
import { makeRepository, newHome, writeLegionFile } from '../support/home.ts';
import { perform } from '../support/in-process.ts';
import { legionIn } from '../support/legion.ts';

const home = newHome();
const here = { cwd: home.repository, env: home.env };
beforeAll(() => {
  makeRepository(home.repository);
  writeLegionFile(home.repository);
});
afterEach(async () => {
  await perform(here, 'down');
});
afterAll(() => home.remove());

test('exactly one daemon runs after `up`, a second `up`, another command and `restart`, and none after `down`', async () => {
  const up = await legionIn(here, 'up', '--json');
  expect(up).toMatchObject({ code: 0, stderr: '' });
  const { legion, url, pid, unapprovedCommands } = JSON.parse(up.stdout);
  expect({ legion, unapprovedCommands }).toEqual({ legion: 'shop', unapprovedCommands: [] });
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(isRunning(pid)).toBe(true);
  expect(nodeFlagsOf(pid)).toEqual(['--max-semi-space-size=2']);
  expect(statSync(join(home.state, 'daemon.log')).mode & 0o777).toBe(0o600);

  expect((await perform(here, 'up')).error).toMatchObject({ code: 'daemon.running' });
  expect((await perform(here, 'issue', 'add', 'Sell tea', '--status', 'icebox')).out).toMatch(
    /^SHOP-1 is in Icebox/,
  );

  const restart = JSON.parse((await perform(here, 'restart', '--json')).out);
  expect(restart).toMatchObject({ legion: 'shop', before: pid, workers: [] });
  expect(nodeFlagsOf(restart.pid)).toEqual(['--max-semi-space-size=2']);
  expect(isRunning(pid)).toBe(false);
  expect((await perform(here, 'issue', 'list')).out).toContain('Sell tea');

  const { out } = await perform(here, 'down');
  expect(out).toBe(`shop has stopped (pid ${restart.pid}).\nNo workers were running.\n`);
  expect(isRunning(restart.pid)).toBe(false);
  expect((await perform(here, 'down')).error?.code).toBe('daemon.not_running');
});

test('`legion start` starts the daemon like `legion up`, and refuses two different agents', async () => {
  const { error } = await perform(here, 'start', '--agent', 'codex', '-r', 'opencode');
  expect(error).toMatchObject({ code: 'usage.invalid', message: expect.stringContaining('--runtime') });
  expect((await perform(here, 'start')).error).toBeUndefined();
  expect((await perform(here, 'up')).error).toMatchObject({ code: 'daemon.running' });
});

test('`legion up` on a halted legion reports the halt and how to resume the legion', async () => {
  await perform(here, 'up');
  await perform(here, 'halt', '--why', 'the bill');
  await perform(here, 'down');
  const { out } = await perform(here, 'up');
  expect(out).toMatch(
    /shop is halted \(halted by .*: the bill\)\. No workers start until you run `legion resume`\.\n/,
  );
  await perform(here, 'resume');
});

test('a halt before the first start applies to the next daemon that starts; a second halt does not change the reason', async () => {
  writeLegionFile(home.repository, 'legion: tea\nport: 0\n');
  try {
    const halted = await perform(here, 'halt', '--why', 'the bill');
    expect(halted.out).toBe(
      'tea has never run on this machine.\nNo workers were running.\n' +
        'tea is halted. After the next `legion up`, no workers start until you run `legion resume`.\n',
    );
    await perform(here, 'stop', '--all');
    expect((await perform(here, 'up')).out).toMatch(/tea is halted \(halted by [^:]*: the bill\)/);
    await perform(here, 'down');
  } finally {
    writeLegionFile(home.repository);
  }
});

test.each(['halt', 'stop --all'])(
  '`legion %s` refuses the name of a legion that does not exist',
  async (line) => {
    mkdirSync(home.state, { recursive: true });
    const { error } = await perform(here, ...line.split(' '), '--legion', 'shpo');
    expect(error?.fault).toMatchObject({
      code: 'legion.unknown',
      message: 'Unknown legion "shpo" on this machine. Did you mean "shop"?',
      next: 'Use a name that `legion teams` lists.',
    });
    expect(existsSync(join(dirname(home.state), 'shpo'))).toBe(false);
  },
);

test.each(['halt', 'stop --all'])(
  'without --why and without a daemon, `legion %s` records the command itself as the reason',
  async (line) => {
    await perform(here, ...line.split(' '));
    expect((await perform(here, 'up')).out).toMatch(
      new RegExp(`shop is halted \\(halted by [^:]*: legion ${line}\\)`),
    );
    await perform(here, 'resume');
  },
);

test.each([
  ['a syntax error', 'legion: shop\n  agents: [\n'],
  ['no content', ''],
  ['text that is not UTF-8', Buffer.from([0xff, 0xfe, 0x00])],
])(
  '`legion halt`, `status` and `down` still find the legion if the file from which it was last started now has %s',
  async (_, content) => {
    const file = join(home.repository, 'legion.yaml');
    await perform(here, 'up');
    writeFileSync(file, content);
    try {
      const halted = await perform(here, 'halt');
      expect(halted).toMatchObject({ exit: 0, error: undefined });
      expect(halted.err).toContain(`${file}:`);
      expect(halted.err).toContain('This command is for shop, which was last started from this file.\n');
      expect(halted.err).toContain('The running daemon keeps the last valid configuration.');
      expect((await perform(here, 'status')).out).toContain('HALTED');
      expect((await perform(here, 'down')).out).toMatch(/^shop has stopped/);
      // Workers outlive the daemon, so their legion must still be found.
      const again = await perform(here, 'halt');
      expect(again).toMatchObject({ exit: 0, error: undefined });
      expect(again.err).toContain('Correct the file before the next `legion up`.');
      expect(again.err).not.toContain('running daemon');
    } finally {
      writeLegionFile(home.repository);
      await perform(here, 'up');
      await perform(here, 'resume');
    }
  },
);

test('`legion up` refuses a second repository whose legion has the same name, but accepts a worktree of the first repository', async () => {
  await perform(here, 'up');
  await perform(here, 'down');
  const other = join(home.folder, 'elsewhere', 'shop');
  mkdirSync(other, { recursive: true });
  makeRepository(other);
  writeLegionFile(other);
  const { error } = await perform({ ...here, cwd: other }, 'up');
  expect(error?.message).toContain('[daemon.name_taken]');
  expect(error?.message).toContain(`belongs to ${join(home.repository, 'legion.yaml')}`);

  const worktree = join(home.folder, 'worktree');
  await git(home.repository, 'worktree', 'add', '--quiet', '--detach', worktree);
  writeLegionFile(worktree);
  expect((await perform({ ...here, cwd: worktree }, 'up')).exit).toBe(0);
  await perform({ ...here, cwd: worktree }, 'down');

  // The name becomes free again once the last `legion.yaml` that uses it is removed.
  rmSync(join(worktree, 'legion.yaml'));
  expect((await perform({ ...here, cwd: other }, 'up')).exit).toBe(0);
  await perform({ ...here, cwd: other }, 'down');
  rmSync(other, { recursive: true });
});

test('`legion up` in a repository without commits says why it fails and prints no log entries', async () => {
  const empty = join(home.folder, 'empty');
  execFileSync('git', ['init', '-q', '-b', 'main', empty]);
  writeLegionFile(empty, 'legion: empty\nport: 0\n');
  const { error } = await perform({ ...here, cwd: empty }, 'up');
  expect(error?.message).toMatch(
    /^The daemon of empty exited with code 1\.\nlegion: .*has no commit \[workspace\.no_commit\]\n/,
  );
  expect(error?.message).toContain('If the repository is on GitHub, push it.');
});

test('`legion up` reports why a daemon cannot start, with the end of the daemon’s log', async () => {
  const secret = join(home.state, 'worker-secret');
  chmodSync(secret, 0o644);
  try {
    const { error } = await perform(here, 'up');
    expect(error?.code).toBe('daemon.start_failed');
    expect(error?.message).toMatch(/^The daemon of shop exited with code 1\.\n/);
    expect(error?.message).toContain('[daemon.state_unusable]');
    expect(readFileSync(join(home.state, 'daemon.log'), 'utf8')).toContain('[daemon.state_unusable]');
  } finally {
    chmodSync(secret, 0o600);
  }
});

test('`legion up --foreground` reports that its port is taken', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  try {
    const { code, stderr } = await legionIn(here, 'up', '--foreground', '--port', String(port));
    expect(code).toBe(1);
    expect(stderr).toContain(`Port ${port} on 127.0.0.1 is already in use by pid ${process.pid} (`);
    expect(stderr).toContain('[http.port_taken]');
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
});

function nodeFlagsOf(pid: number): string[] {
  const [, ...args] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  return args.slice(
    0,
    args.findIndex((arg) => !arg.startsWith('--')),
  );
}
