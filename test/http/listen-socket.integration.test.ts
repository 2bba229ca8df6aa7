/** The daemon's socket on a real file system: private, replaced after a crash, never stolen. */
import { chmodSync, existsSync, lstatSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { listenOnSocket } from '../../src/http/listen-socket.ts';
import { folderOfAnotherUser } from '../support/other-user.ts';
import { leaveStaleSocket } from '../worker-client/wire-edge.ts';

let folder: string;
let path: string;
let servers: Server[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(inject('scratch'), 's-'));
  path = join(folder, 'private', 'd.sock');
});
afterEach(async () => {
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  servers = [];
});

function listen(): Promise<void> {
  const server = createServer();
  servers.push(server);
  return listenOnSocket(server, path);
}

const permissions = (of: string) => lstatSync(of).mode & 0o777;

test('only its user can reach it, whatever the umask', async () => {
  const before = process.umask(0);
  try {
    await listen();
  } finally {
    process.umask(before);
  }
  expect(lstatSync(path).isSocket()).toBe(true);
  expect([permissions(path), permissions(join(folder, 'private'))]).toEqual([0o600, 0o700]);
});

test('it is gone when the server is closed', async () => {
  await listen();
  await new Promise((resolve) => servers.pop()?.close(resolve));
  expect(existsSync(path)).toBe(false);
});

test('the socket of a daemon that was killed is replaced', async () => {
  await listen();
  await new Promise((resolve) => servers.pop()?.close(resolve));
  leaveStaleSocket(path);
  expect(lstatSync(path).isSocket()).toBe(true);
  await listen();
});

test('a socket on which somebody listens is not taken away', async () => {
  await listen();
  await expect(listen()).rejects.toMatchObject({
    code: 'daemon.socket_unusable',
    message: `another process listens on ${path}; end it`,
  });
  expect(existsSync(path)).toBe(true);
});

test.each<[string, () => void, RegExp]>([
  ['a file in its place', () => writeFileSync(path, 'precious'), /d\.sock is not a socket; move it away/],
  ['a link in its place', () => symlinkSync('/etc/hostname', path), /is a symbolic link instead of a socket/],
  ['a folder others can enter', () => chmodSync(join(folder, 'private'), 0o711), /has mode 0711 instead of/],
  ['a link for its folder', linkFolder, /private is a symbolic link instead of a folder/],
  [
    'a folder of another user',
    () => (path = join(folderOfAnotherUser(folder), 'd.sock')),
    /belongs to another user/,
  ],
  ['a file for its folder', () => (path = '/etc/hostname/d.sock'), /hostname/],
])('%s is refused and left as it is', async (_, arrange, message) => {
  await listen();
  await new Promise((resolve) => servers.pop()?.close(resolve));
  arrange();
  await expect(listen()).rejects.toMatchObject({
    code: 'daemon.socket_unusable',
    message: expect.stringMatching(message),
  });
});

function linkFolder(): void {
  rmSync(join(folder, 'private'), { recursive: true });
  const other = mkdtempSync(join(folder, 'other-'));
  symlinkSync(other, join(folder, 'private'));
}
