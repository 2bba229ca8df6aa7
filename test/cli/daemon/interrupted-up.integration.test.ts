/**
 * Tests Ctrl-C at every stage of `legion up` and `legion restart`, with real processes. If a daemon
 * keeps running, a message must say so.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { readDaemonFile } from '../../../src/cli/daemon-address.ts';
import { isRunning } from '../../../src/lib/process/proc-table.ts';
import { LAUNCHER } from '../../installed/launcher.ts';
import { skipWithoutProgram } from '../../support/required-program.ts';
import { makeRepository, newHome, writeLegionFile } from '../support/home.ts';
import { perform } from '../support/in-process.ts';

const INTERRUPTED = 130;
const WAIT_MS = 20_000;

const home = newHome();
const here = { cwd: home.repository, env: home.env };
const daemonLog = join(home.state, 'daemon.log');

beforeAll(() => makeRepository(home.repository));
afterEach(async () => {
  await perform(here, 'down');
  rmSync(daemonLog, { force: true });
});
afterAll(() => home.remove());

test('if `legion up` is interrupted before the daemon has written its address, the daemon is stopped', async () => {
  writeLegionFile(home.repository);
  const up = start('up');
  await until(() => existsSync(daemonLog));
  expect(existsSync(join(home.state, 'daemon.json'))).toBe(false);
  up.child.kill('SIGINT');
  expect(await up.exited).toBe(INTERRUPTED);
  expect(up.output()).toMatch(/^Interrupted\. The daemon of shop \(pid \d+\) has been stopped\.$/m);
  expectNoDaemon(up.output());
});

test('if `legion up` is interrupted while the daemon waits for a remote board, the daemon is stopped', async () => {
  const requested = Promise.withResolvers<void>();
  // This server never responds, so the daemon cannot become ready.
  const server = createServer(() => requested.resolve()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const yaml = `legion: acme/3\nbackend: github\nport: 0\ngithub: { url: "http://127.0.0.1:${port}" }\n`;
  writeLegionFile(home.repository, `${yaml}repos: [acme/shop]\n`);
  const up = start('up', { GH_ENTERPRISE_TOKEN: 'a-token' });
  try {
    await Promise.race([requested.promise, up.exited.then(() => Promise.reject(new Error(up.output())))]);
    up.child.kill('SIGINT');
    await sleep(0);
    server.closeAllConnections();
    expect(await up.exited).toBe(INTERRUPTED);
    expect(up.output()).toMatch(/^Interrupted\. The daemon of acme\/3 \(pid \d+\) has been stopped\.$/m);
    expectNoDaemon(up.output());
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test.for([
  ['Ctrl-C', 0],
  ['SIGINT', INTERRUPTED],
] as const)(
  'if `legion up` is interrupted with %s at the approval question, it prints that the daemon is running and how to stop it',
  async ([how, code], context) => {
    skipWithoutProgram(context, 'script');
    writeLegionFile(home.repository);
    commitCommands();
    // `script` gives the command a terminal. The shell prints its own pid, and the command keeps
    // that pid because of `exec`.
    const command = `stty cols 100 rows 40; echo "number $$"; exec ${process.execPath} ${LAUNCHER} up`;
    const up = start(['script', '-qfec', `sh -c '${command}'`, '/dev/null']);
    await until(() => up.output().includes('Approve these?'));
    const pid = Number(/number (\d+)/.exec(up.output())?.[1]);
    if (how === 'Ctrl-C') up.child.stdin?.write('\u0003');
    else process.kill(pid, 'SIGINT');
    expect(await up.exited).toBe(code);
    const daemon = readDaemonFile(home.state);
    expect(up.output()).toContain(
      `shop is still running (pid ${daemon?.pid}). Run \`legion down --legion shop\` to stop it.`,
    );
    expect(isRunning(daemon?.pid ?? 0)).toBe(true);
    expect((await perform({ ...here, cwd: '/' }, 'down', '--legion', 'shop')).exit).toBe(0);
  },
);

test('if `legion restart` is interrupted, it prints that the daemon is restarting and how to stop it', async () => {
  writeLegionFile(home.repository);
  await perform(here, 'up');
  const before = readDaemonFile(home.state)?.pid ?? 0;
  const restart = start('restart');
  await until(() => !isRunning(before));
  restart.child.kill('SIGINT');
  expect(await restart.exited).toBe(INTERRUPTED);
  expect(restart.output()).toContain('Interrupted. shop is restarting in the background.');
  expect(restart.output()).toContain('`legion down --legion shop` to stop it.');
  await until(() => readDaemonFile(home.state) !== undefined);
  expect(readDaemonFile(home.state)?.pid).not.toBe(before);
});

interface Started {
  readonly child: ChildProcess;
  readonly exited: Promise<number>;
  output(): string;
}

function start(command: string | readonly string[], env: Readonly<Record<string, string>> = {}): Started {
  const [program = '', ...args] =
    typeof command === 'string' ? [process.execPath, LAUNCHER, command] : command;
  const child = spawn(program, args, {
    cwd: home.repository,
    env: { ...process.env, ...home.env, TERM: 'xterm', NO_COLOR: '1', ...env },
  });
  let text = '';
  child.stdout.on('data', (chunk) => {
    text += chunk;
  });
  child.stderr.on('data', (chunk) => {
    text += chunk;
  });
  const exited = once(child, 'close').then(([code]) => Number(code));
  return { child, exited, output: () => text };
}

/** Expects that the daemon whose pid is in the output has exited and left no address file. */
function expectNoDaemon(output: string): void {
  expect(isRunning(Number(/pid (\d+)/.exec(output)?.[1]))).toBe(false);
  expect(existsSync(join(home.state, 'daemon.json'))).toBe(false);
}

function commitCommands(): void {
  const folder = join(home.repository, '.legion');
  if (existsSync(folder)) return;
  mkdirSync(folder);
  writeFileSync(join(folder, 'config.yml'), 'commands: { ci: [node, --version] }\n');
  const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];
  execFileSync('git', ['add', '.legion'], { cwd: home.repository });
  execFileSync('git', [...identity, 'commit', '-qm', 'Commands'], { cwd: home.repository });
}

async function until(isSo: () => boolean): Promise<void> {
  const end = Date.now() + WAIT_MS;
  while (!isSo()) {
    if (Date.now() > end) throw new Error(`the expected state was not reached; log: ${logText()}`);
    await sleep(10);
  }
}

function logText(): string {
  return existsSync(daemonLog) ? readFileSync(daemonLog, 'utf8') : 'none';
}
