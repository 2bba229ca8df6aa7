/**
 * Tests commands when no daemon responds. They never print a stack trace, and always say what the
 * person can do.
 */
import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createConnectionServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createDaemonClient } from '../../../src/cli/daemon-client.ts';
import { adminEndpoints } from '../../../src/protocol/endpoints/admin.ts';
import { createFolderOfAnotherUser } from '../../support/other-user.ts';
import { leaveStaleSocket } from '../../worker-client/wire-edge.ts';
import { DAEMON_COMMANDS } from '../support/daemon-commands.ts';
import { newHome, writeLegionFile } from '../support/home.ts';
import { perform } from '../support/in-process.ts';
import { legionIn } from '../support/legion.ts';
import { announce } from '../support/wire-daemon.ts';

/** Higher than any process id on Linux. */
const NOBODY = 4_194_305;

const home = newHome();
const here = { cwd: home.repository, env: home.env };
const socket = join(home.state, 'daemon.sock');
beforeAll(() => writeLegionFile(home.repository));
afterAll(() => home.remove());

test('every command that needs a daemon reports that none is running', async () => {
  for (const line of DAEMON_COMMANDS) {
    const { error, out } = await perform(here, ...line.split(' '));
    expect(error?.code, line).toBe('daemon.not_running');
    expect(out, line).toBe('');
  }
  const { code, stderr } = await legionIn(here, 'status');
  expect(code).toBe(1);
  expect(stderr).toBe('legion: shop is not running [daemon.not_running]\nStart it with `legion up`.\n');
});

test('uses the legion of the nearest legion.yaml in this folder or its parents, unless a flag selects another', async () => {
  const below = join(home.repository, 'src', 'deep');
  mkdirSync(below, { recursive: true });
  const messages = await Promise.all(
    [
      perform({ ...here, cwd: below }, 'inbox'),
      perform({ ...here, cwd: below }, 'inbox', '--legion', 'other'),
      perform({ ...here, cwd: '/' }, 'inbox', '--config', join(home.repository, 'legion.yaml')),
    ].map(async (outcome) => (await outcome).error?.message),
  );
  expect(messages).toEqual(['shop is not running', 'other is not running', 'shop is not running']);
});

test('reports an invalid configuration with its location even without a daemon', async () => {
  const file = join(home.folder, 'wrong.yaml');
  writeFileSync(file, 'legion: shop\nworkers: 3\n');
  const { error, err } = await perform(here, 'status', '--config', file);
  expect(error?.code).toBe('daemon.not_running');
  expect(err).toContain(`${file}:2:1: unknown key "workers"`);
  expect(err).not.toContain('running daemon');
});

test('a command that stops one worker fails without a daemon, and recommends the command that works without one', async () => {
  for (const line of ['stop SHOP-1', 'stop SHOP-1 plan']) {
    const { error } = await perform(here, ...line.split(' '));
    expect(error?.code).toBe('daemon.not_running');
    expect(error?.message).toContain('Run `legion stop --all` to stop them without a daemon.');
  }
});

test.each(['halt', 'stop --all'])(
  '`legion %s` without a running daemon stores a halt for the next daemon',
  async (line) => {
    const halt = join(home.state, 'halt.json');
    mkdirSync(home.state, { recursive: true, mode: 0o700 });
    const { exit, out } = await perform(here, ...line.split(' '));
    expect({ exit, out }).toEqual({
      exit: 0,
      out: expect.stringContaining('shop is halted. After the next `legion up`, no workers start'),
    });
    expect(existsSync(halt)).toBe(true);
    const pending =
      'The legion is halted: after `legion up`, no workers start until you run `legion resume`.';
    for (const [command, next] of [
      ['status', `Start it with \`legion up\`.\n${pending}`],
      ['down', `There is nothing to stop.\n${pending}`],
      ['stop', `There is nothing to stop.\n${pending}`],
    ] as const)
      expect((await perform(here, command)).error?.fault).toEqual({
        code: 'daemon.not_running',
        message: 'shop is not running',
        next,
      });
    rmSync(home.state, { recursive: true });
  },
);

describe('a command reports', () => {
  const address = { legion: 'shop', url: 'http://127.0.0.1:1', startedAt: 1, version: '0.1.0' };
  const servers: { close(): void }[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) server.close();
  });

  test('a daemon that has exited', async () => {
    announce(home.state, { ...address, socket, pid: NOBODY });
    expect((await perform(here, 'status')).error).toMatchObject({
      code: 'daemon.not_running',
      message: `shop is not running: its daemon (pid ${NOBODY}) has exited`,
    });
  });

  test('a killed daemon that left its socket behind', async () => {
    leaveStaleSocket(socket);
    announce(home.state, { ...address, socket, pid: NOBODY });
    expect((await perform(here, 'status')).error?.code).toBe('daemon.not_running');
    rmSync(socket);
  });

  test('a running daemon that does not listen on its socket', async () => {
    announce(home.state, { ...address, socket, pid: process.pid });
    expect((await perform(here, 'status')).error).toMatchObject({
      code: 'daemon.unreachable',
      message: expect.stringContaining(`the socket is gone. Run \`kill ${process.pid}\``),
    });
  });

  test('a daemon that hangs', async () => {
    await listening(() => undefined);
    announce(home.state, { ...address, socket, pid: process.pid });
    const client = createDaemonClient(home.state, new AbortController().signal);
    const asked = client.call(adminEndpoints.health, { timeoutMs: 50 });
    await expect(asked).rejects.toMatchObject({ code: 'daemon.unreachable' });
    await expect(asked).rejects.toThrow(/did not respond to GET \/health within 0.05 s/);
  });

  test('another program that responds in place of the daemon', async () => {
    await listening((answer) => answer.end('<html>hello</html>'));
    announce(home.state, { ...address, socket, pid: process.pid });
    expect((await perform(here, 'inbox')).error?.code).toBe('daemon.answer_unknown');
  });

  test('a daemon of an older Legion, which has no socket', async () => {
    announce(home.state, { ...address, pid: process.pid });
    expect((await perform(here, 'inbox')).error).toMatchObject({
      code: 'daemon.outdated',
      message: `The daemon (pid ${process.pid}) runs version 0.1.0, which has no Unix socket.`,
    });
  });

  test('a token file that is a symbolic link', async () => {
    announce(home.state, { ...address, socket, pid: process.pid });
    rmSync(join(home.state, 'token'));
    symlinkSync('/etc/hostname', join(home.state, 'token'));
    const { error } = await perform(here, 'inbox');
    expect(error).toMatchObject({ code: 'daemon.state_unusable' });
    expect(error?.message).toContain(`${join(home.state, 'token')}: is a symbolic link`);
    rmSync(join(home.state, 'token'));
  });

  test('that no daemon is running if another process uses its port, and sends nothing to that process', async () => {
    const received: string[] = [];
    const thief = createConnectionServer((connection) => {
      connection.on('data', (bytes) => received.push(bytes.toString()));
      connection.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}');
    });
    await new Promise<void>((resolve) => thief.listen(0, '127.0.0.1', resolve));
    servers.push(thief);
    const { port } = thief.address() as AddressInfo;
    announce(home.state, { ...address, url: `http://127.0.0.1:${port}`, socket, pid: NOBODY });
    for (const line of DAEMON_COMMANDS) {
      expect((await perform(here, ...line.split(' '))).error?.code, line).toBe('daemon.not_running');
    }
    expect(received).toEqual([]);
  });

  test('an address file with invalid content', async () => {
    writeFileSync(join(home.state, 'daemon.json'), '{"pid": "seven"}');
    expect((await perform(here, 'inbox')).error?.code).toBe('daemon.state_unusable');
  });

  async function listening(answer: (response: { end(text: string): void }) => void): Promise<void> {
    const server = createServer((_, response) => answer(response));
    await new Promise<void>((resolve) => server.listen(socket, resolve));
    servers.push({
      close() {
        server.closeAllConnections();
        server.close();
      },
    });
  }
});

describe('a socket that another user could listen on', () => {
  const heard: string[] = [];
  const server = createServer((request, response) => {
    heard.push(`${request.url}`);
    response.end('{}');
  });
  beforeAll(() => {
    rmSync(home.state, { recursive: true, force: true });
    mkdirSync(home.state, { recursive: true, mode: 0o700 });
    return new Promise<void>((resolve) => server.listen(socket, resolve));
  });
  afterAll(() => server.close());
  afterEach(() => chmodSync(home.state, 0o700));

  test.each<[string, () => string, RegExp]>([
    ['in a folder that others can enter', () => openFolder(0o750), /has mode 0750 instead of/],
    ['in a folder that others can write', () => openFolder(0o777), /has mode 0777 instead of/],
    [
      'in a folder of another user',
      () => join(createFolderOfAnotherUser(home.folder), 'd.sock'),
      /belongs to another user/,
    ],
    ['behind a linked folder', linkedFolder, /is a symbolic link instead of a folder/],
    ['that is a symbolic link', linkedSocket, /is a symbolic link instead of a socket/],
    ['that is a regular file', () => join(home.state, 'token'), /token is not a socket$/],
  ])('%s receives nothing', async (_, arrange, message) => {
    const address = { legion: 'shop', url: 'http://127.0.0.1:1', startedAt: 1, version: '0.1.0' };
    announce(home.state, { ...address, socket: arrange(), pid: process.pid });
    const { error } = await perform(here, 'status');
    expect(error?.code).toBe('daemon.socket_untrusted');
    expect(error?.message).toMatch(message);
    expect(heard).toEqual([]);
  });
});

function openFolder(mode: number): string {
  chmodSync(home.state, mode);
  return socket;
}

function linkedFolder(): string {
  const link = join(home.folder, 'link');
  symlinkSync(home.state, link);
  return join(link, 'daemon.sock');
}

function linkedSocket(): string {
  symlinkSync(socket, `${socket}.link`);
  return `${socket}.link`;
}
