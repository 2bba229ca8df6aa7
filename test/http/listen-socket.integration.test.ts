/**
 * Tests the daemon's socket on a real file system. The socket is private, is replaced after a
 * crash, and is never taken from a running daemon.
 */
import { chmodSync, existsSync, lstatSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { listenOnSocket } from '../../src/http/listen.ts';
import { createFolderOfAnotherUser } from '../support/other-user.ts';
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

test('the socket is accessible only to its user, regardless of the umask', async () => {
  const before = process.umask(0);
  try {
    await listen();
  } finally {
    process.umask(before);
  }
  expect(lstatSync(path).isSocket()).toBe(true);
  expect([permissions(path), permissions(join(folder, 'private'))]).toEqual([0o600, 0o700]);
});

test('the socket is removed when the server closes', async () => {
  await listen();
  await new Promise((resolve) => servers.pop()?.close(resolve));
  expect(existsSync(path)).toBe(false);
});

test('the socket is replaced after its daemon has been killed', async () => {
  await listen();
  await new Promise((resolve) => servers.pop()?.close(resolve));
  leaveStaleSocket(path);
  expect(lstatSync(path).isSocket()).toBe(true);
  await listen();
});

test('the socket is not replaced while another process listens on it', async () => {
  await listen();
  await expect(listen()).rejects.toMatchObject({
    code: 'daemon.socket_unusable',
    message: `Another process is listening on ${path}. Stop it.`,
  });
  expect(existsSync(path)).toBe(true);
});

test.each<[string, () => void, RegExp]>([
  [
    'a file in place of the socket',
    () => writeFileSync(path, 'precious'),
    /d\.sock is not a socket; remove it/,
  ],
  [
    'a link in place of the socket',
    () => symlinkSync('/etc/hostname', path),
    /is a symbolic link instead of a socket/,
  ],
  [
    'a folder that others can enter',
    () => chmodSync(join(folder, 'private'), 0o711),
    /has mode 0711 instead of/,
  ],
  ['a link instead of a folder', linkFolder, /private is a symbolic link instead of a folder/],
  [
    'a folder of another user',
    () => (path = join(createFolderOfAnotherUser(folder), 'd.sock')),
    /belongs to another user/,
  ],
  ['a file instead of a folder', () => (path = '/etc/hostname/d.sock'), /hostname/],
])('the server does not listen if the socket path has %s', async (_, arrange, message) => {
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
